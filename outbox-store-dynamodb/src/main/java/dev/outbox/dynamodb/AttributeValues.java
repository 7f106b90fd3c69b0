package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Attribute values, and how times are written: as microseconds, or as text that sorts. */
final class AttributeValues {

  private static final DateTimeFormatter TEXT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
  private static final Instant EARLIEST = Instant.EPOCH;
  static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private AttributeValues() {}

  static AttributeValue text(String value) {
    return AttributeValue.fromS(value);
  }

  static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }

  static AttributeValue micros(Instant time) {
    return number(toMicros(time));
  }

  static long toMicros(Instant time) {
    return Math.addExact(
        Math.multiplyExact(time.getEpochSecond(), 1_000_000), time.getNano() / 1_000);
  }

  static Instant ofMicros(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  static long toMicros(Duration duration) {
    return Math.addExact(
        Math.multiplyExact(duration.getSeconds(), 1_000_000), duration.getNano() / 1_000);
  }

  /** Writes a time so that texts sort as times do; what is out of all reason is brought near. */
  static String sortable(Instant time) {
    return TEXT.format(time.isBefore(EARLIEST) ? EARLIEST : time.isAfter(LATEST) ? LATEST : time);
  }

  /** Returns the key of an item of the table of emails. */
  static Map<String, AttributeValue> key(String id, String status) {
    return Map.of(AttributeNames.ID, text(id), AttributeNames.STATUS, text(status));
  }

  static @Nullable String textOf(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null ? null : value.s();
  }

  /** Returns a time that is written as text; null if that is not what is there. */
  static @Nullable Instant timeOf(Map<String, AttributeValue> item, String name) {
    String text = textOf(item, name);
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }

  static String needed(Map<String, AttributeValue> item, String name) {
    String value = textOf(item, name);
    if (value == null) {
      throw new IllegalStateException("an item without " + name);
    }
    return value;
  }

  static long numberOf(Map<String, AttributeValue> item, String name, long otherwise) {
    Long value = numberIn(item.get(name));
    return value == null ? otherwise : value;
  }

  /** Returns a whole number; null if that is not what is there. */
  private static @Nullable Long numberIn(@Nullable AttributeValue value) {
    try {
      return value == null || value.n() == null ? null : new BigDecimal(value.n()).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      return null;
    }
  }

  /** Returns the id of an email as we write it; empty if an item has another key. */
  static Optional<EmailId> idOf(Map<String, AttributeValue> item, String name) {
    String text = textOf(item, name);
    try {
      return Optional.ofNullable(text).map(EmailId::parse).filter(id -> id.toString().equals(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns when an item is gone, in seconds, wherever that is written: at the root, or in the
   * attributes as older records have it. Null if it stays.
   */
  static @Nullable Long ttlOf(Map<String, AttributeValue> item) {
    for (String name : new String[] {AttributeNames.TTL, AttributeNames.EXPIRES}) {
      Long root = numberIn(item.get(name));
      if (root != null) {
        return root;
      }
    }
    AttributeValue attributes = item.get(AttributeNames.ATTRIBUTES);
    return attributes == null || !attributes.hasM()
        ? null
        : numberIn(attributes.m().get(AttributeNames.TTL));
  }

  /** Returns whether an item is there only because DynamoDB has not come round to deleting it. */
  static boolean isExpired(Map<String, AttributeValue> item, Instant now) {
    Long ttl = ttlOf(item);
    return ttl != null && ttl <= now.getEpochSecond();
  }
}
