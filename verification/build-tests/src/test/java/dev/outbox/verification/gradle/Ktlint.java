package dev.outbox.verification.gradle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** ktlint's command line, started in a JVM of its own because it ends the one it runs in. */
final class Ktlint {

  private Ktlint() {}

  /** {@return what ktlint says about the scripts; empty when it has nothing to say} */
  static String complaints(List<Path> scripts) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("com.pinterest.ktlint.Main");
    command.add("--log-level=error");
    scripts.forEach(script -> command.add(script.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    int exit = process.waitFor();
    return exit == 0 ? "" : "exit " + exit + ": " + output;
  }
}
