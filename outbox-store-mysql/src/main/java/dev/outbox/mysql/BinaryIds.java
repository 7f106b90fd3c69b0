package dev.outbox.mysql;

import dev.outbox.email.EmailId;
import dev.outbox.store.Sha256;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/** Ids and digests as the columns hold them: bytes that sort as the ids do. */
final class BinaryIds {

  /** What is before all ids. */
  static final byte[] LOWEST = new byte[16];

  private BinaryIds() {}

  static byte[] bytes(EmailId id) {
    UUID uuid = id.value();
    return ByteBuffer.allocate(16)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }

  static EmailId id(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new EmailId(new UUID(buffer.getLong(), buffer.getLong()));
  }

  static byte[] bytes(Sha256 digest) {
    return HexFormat.of().parseHex(digest.hex());
  }

  static Sha256 digest(byte[] bytes) {
    return new Sha256(HexFormat.of().formatHex(bytes));
  }

  /**
   * Returns ids for an {@code IN} list: sorted, so that all transactions lock in one order, and
   * with the last one repeated up to the next power of two, so that there are few statements to
   * parse and remember.
   */
  static List<byte[]> list(Collection<EmailId> ids) {
    List<byte[]> sorted = new ArrayList<>(ids.stream().sorted().map(BinaryIds::bytes).toList());
    return padded(sorted);
  }

  static <T> List<T> padded(List<T> values) {
    int size = Integer.highestOneBit(Math.max(1, values.size() - 1)) * 2;
    List<T> padded = new ArrayList<>(values);
    while (values.size() > 1 && padded.size() < size) {
      padded.add(values.get(values.size() - 1));
    }
    return padded;
  }
}
