package dev.outbox.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;

/** A {@link SmtpSink} in a JVM of its own, ended with this. */
final class SinkProcess implements AutoCloseable {

  private final Process process;
  private final int port;

  private SinkProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static SinkProcess start() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                SmtpSink.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output = process.inputReader();
    String line = output.readLine();
    if (line == null) {
      throw new IOException("the sink did not start");
    }
    return new SinkProcess(process, Integer.parseInt(line.strip()));
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    process.destroy();
  }
}
