package dev.outbox.verification.broken.email;

import dev.outbox.verification.architecture.Breaks;

@Breaks("nobodyWritesToTheStandardStreams")
final class Prints {

  private Prints() {}

  static void print() {
    System.out.println("sent");
  }
}
