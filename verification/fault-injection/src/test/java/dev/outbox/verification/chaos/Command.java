package dev.outbox.verification.chaos;

import java.io.IOException;

/** A command of the machine's that works or does not; what it says is of no interest. */
final class Command {

  private Command() {}

  static boolean succeeds(String... command) {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
