package dev.outbox.verification.broken.email;

import dev.outbox.verification.architecture.Breaks;

@Breaks("nobodyThrowsAGenericException")
record ThrowsAnything(String name) {

  ThrowsAnything {
    if (name.isEmpty()) {
      throw new RuntimeException("no name");
    }
  }
}
