package dev.outbox.verification.chaos;

import java.nio.ByteBuffer;
import java.util.UUID;

/** Ids of emails as SQL tables have them. */
final class Ids {

  private Ids() {}

  static byte[] bytes(String id) {
    UUID uuid = UUID.fromString(id);
    return ByteBuffer.allocate(16)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }
}
