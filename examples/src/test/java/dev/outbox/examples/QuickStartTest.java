package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class QuickStartTest {

  @TempDir Path folder;

  @Test
  void killedHalfWayAndStartedAgainItSendsTheRest() throws Exception {
    List<String> first = new ArrayList<>();
    Process killed = start();
    try (BufferedReader lines = output(killed)) {
      String line = lines.readLine();
      while (line != null && sent(first).size() < 7) {
        first.add(line);
        line = lines.readLine();
      }
      killed.toHandle().destroyForcibly(); // which leaves the output to be read
      while (line != null) {
        first.add(line); // printed before the kill, and not read yet
        line = lines.readLine();
      }
    }
    assertThat(first).anyMatch(line -> line.matches("20 emails are safe in .*, 0 from before"));

    List<String> second = new ArrayList<>();
    Process again = start();
    try (BufferedReader lines = output(again)) {
      lines.lines().forEach(second::add);
    }
    assertThat(again.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(again.exitValue()).isZero();

    assertThat(second).anyMatch(line -> line.endsWith(", 20 from before"));
    List<String> all = new ArrayList<>(sent(first));
    all.addAll(sent(second));
    assertThat(all)
        .containsAll(
            IntStream.rangeClosed(1, 20)
                .mapToObj(id -> "to ada@example.com: Order " + id)
                .toList());
    assertThat(all.size())
        .as("again come the one on its way, and the one before, if its result still lingered")
        .isBetween(20, 22);
  }

  private static List<String> sent(List<String> lines) {
    return lines.stream().filter(line -> line.startsWith("to ")).toList();
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            QuickStart.class.getName(),
            folder.resolve("outbox").toString())
        .redirectErrorStream(true)
        .start();
  }

  private static BufferedReader output(Process process) {
    return process.inputReader(StandardCharsets.UTF_8);
  }
}
