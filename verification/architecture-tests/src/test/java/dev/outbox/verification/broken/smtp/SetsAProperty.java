package dev.outbox.verification.broken.smtp;

import dev.outbox.verification.architecture.Breaks;

@Breaks("nobodySetsPropertiesOfTheWholeJvm")
final class SetsAProperty {

  private SetsAProperty() {}

  static void set() {
    System.setProperty("mail.mime.encodefilename", "true");
  }
}
