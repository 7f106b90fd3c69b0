package dev.outbox.dynamodb;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The size of items as DynamoDB counts it, never less. */
final class ItemSize {

  /** What DynamoDB takes. */
  static final int MOST = 400 << 10;

  /** What a list or a map takes beside its elements. */
  private static final int NESTED = 3;

  private ItemSize() {}

  static long of(Map<String, AttributeValue> item) {
    return item.entrySet().stream()
        .mapToLong(entry -> bytes(entry.getKey()) + of(entry.getValue()))
        .sum();
  }

  private static long of(AttributeValue value) {
    if (value.hasM()) {
      return NESTED + value.m().size() + of(value.m());
    }
    if (value.hasL()) {
      return NESTED + value.l().stream().mapToLong(each -> 1 + of(each)).sum();
    }
    if (value.hasSs()) {
      return value.ss().stream().mapToLong(ItemSize::bytes).sum();
    }
    if (value.s() != null) {
      return bytes(value.s());
    }
    if (value.n() != null) {
      return value.n().length() + 1L;
    }
    if (value.b() != null) {
      return value.b().asByteArrayUnsafe().length;
    }
    // Sets of numbers or bytes, which only others write.
    return value.hasNs() || value.hasBs() ? bytes(value.toString()) : 1;
  }

  static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
