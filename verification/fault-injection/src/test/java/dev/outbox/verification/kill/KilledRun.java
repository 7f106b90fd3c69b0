package dev.outbox.verification.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.store.OutboxStore;
import dev.outbox.testsupport.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** Two {@link BadEmailNode}s: one that is killed, and one that continues with its emails. */
final class KilledRun {

  private static final int ORDINARY = 40;
  private static final Duration RECORDED = Duration.ofSeconds(20);

  private final SharedStore kind;
  private final String url;
  private final OutboxStore store;
  private final Path deliveries;
  private final List<EmailId> ids = new ArrayList<>();
  private List<EmailId> unrecorded = List.of();
  private List<String> delivered = List.of();
  private @Nullable EmailId bad;

  KilledRun(SharedStore kind, String url, OutboxStore store, Path folder) {
    this.kind = kind;
    this.url = url;
    this.store = store;
    this.deliveries = folder.resolve("deliveries");
  }

  /**
   * Runs both processes.
   *
   * @param template the template of the bad email
   * @param length how long the value of its template is
   * @param beforeSending what happens between storing and sending
   */
  void execute(String template, int length, Runnable beforeSending)
      throws IOException, InterruptedException {
    Process first = start(Integer.toString(ORDINARY), template, Integer.toString(length));
    try (BufferedReader lines = first.inputReader(StandardCharsets.UTF_8)) {
      for (int i = 0; i <= ORDINARY; i++) {
        EmailId id = stored(lines.readLine());
        ids.add(id);
      }
      beforeSending.run();
      tell(first, "go");
      awaitRecorded(ids);
      unrecorded = ids.stream().filter(id -> !isRecorded(id)).toList();
    } finally {
      first.destroyForcibly();
      assertThat(first.waitFor()).as("killed by signal 9").isEqualTo(128 + 9);
    }
    System.out.printf(
        "%s: at the kill %d of %d deliveries, %d of %d emails not recorded%n",
        kind, readDeliveries().size(), ids.size(), unrecorded.size(), ids.size());
    resume();
    System.out.printf(
        "%s: after the kill %d deliveries in all, %d emails delivered twice%n",
        kind, delivered.size(), deliveredTwice().size());
  }

  /** The successor sends one more email, which shows that it works, and is closed. */
  private void resume() throws IOException, InterruptedException {
    Process second = start("1");
    EmailId last;
    try (BufferedReader lines = second.inputReader(StandardCharsets.UTF_8)) {
      last = stored(lines.readLine());
      tell(second, "go");
      awaitRecorded(List.of(last));
      awaitRecorded(ids);
    } finally {
      second.destroy();
      second.waitFor();
    }
    delivered = readDeliveries().stream().filter(id -> !id.equals(last.toString())).toList();
  }

  private EmailId stored(@Nullable String line) {
    assertThat(line).as("what the process prints").isNotNull();
    boolean isBad = Objects.requireNonNull(line).startsWith(BadEmailNode.BAD);
    EmailId id = EmailId.parse(line.substring(line.indexOf(' ') + 1));
    if (isBad) {
      bad = id;
    }
    return id;
  }

  private Process start(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(kind.name(), url, deliveries.toString()));
    all.addAll(List.of(arguments));
    List<String> command =
        JavaCommand.of(
            List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-Dlogback.configurationFile=kill-logback.xml"),
            BadEmailNode.class,
            all.toArray(String[]::new));
    return new ProcessBuilder(command)
        .redirectError(
            ProcessBuilder.Redirect.appendTo(deliveries.resolveSibling("nodes.log").toFile()))
        .start();
  }

  private static void tell(Process process, String order) throws IOException {
    process.getOutputStream().write((order + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** Waits for a while; what is missing after that is for the test to say. */
  private void awaitRecorded(List<EmailId> emails) {
    try {
      await()
          .atMost(RECORDED)
          .pollInterval(Duration.ofMillis(200))
          .until(() -> emails.stream().allMatch(this::isRecorded));
    } catch (ConditionTimeoutException e) {
      System.out.println("not all recorded after " + RECORDED);
    }
  }

  private boolean isRecorded(EmailId id) {
    EmailSummary email = summary(id);
    return email.state().hasOutcome() && email.owner() == null;
  }

  private EmailSummary summary(EmailId id) {
    return store.find(id).orElseThrow().summary();
  }

  private List<String> readDeliveries() throws IOException {
    return Files.readAllLines(deliveries);
  }

  List<EmailId> ids() {
    return ids;
  }

  List<EmailId> unrecordedAtTheKill() {
    return unrecorded;
  }

  /** Returns the emails of all deliveries by both processes, in order. */
  List<String> delivered() {
    return delivered;
  }

  Set<String> deliveredTwice() {
    Set<String> once = new HashSet<>();
    Set<String> twice = new HashSet<>();
    delivered.stream().filter(id -> !once.add(id)).forEach(twice::add);
    return twice;
  }

  List<EmailSummary> summaries() {
    return ids.stream().map(this::summary).toList();
  }

  EmailSummary bad() {
    return summary(Objects.requireNonNull(bad, "no bad email"));
  }

  List<EmailSummary> ordinary() {
    return ids.stream().filter(id -> !id.equals(bad)).map(this::summary).toList();
  }
}
