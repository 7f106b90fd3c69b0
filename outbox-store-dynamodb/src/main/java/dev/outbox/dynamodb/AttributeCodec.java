package dev.outbox.dynamodb;

import java.time.Instant;
import java.util.Objects;
import java.util.function.Function;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** How a value of ours is written into an attribute and read back. */
record AttributeCodec<T>(
    EnhancedType<T> type,
    AttributeValueType attributeValueType,
    Function<T, AttributeValue> write,
    Function<AttributeValue, T> read)
    implements AttributeConverter<T> {

  static <T> AttributeCodec<T> text(
      Class<T> type, Function<T, String> write, Function<String, T> read) {
    return new AttributeCodec<>(
        EnhancedType.of(type),
        AttributeValueType.S,
        value -> AttributeValue.fromS(write.apply(value)),
        value -> read.apply(Objects.requireNonNull(value.s(), "text")));
  }

  /** Times as microseconds since 1970, which take half the room of a text. */
  static AttributeCodec<Instant> time() {
    return new AttributeCodec<>(
        EnhancedType.of(Instant.class),
        AttributeValueType.N,
        AttributeValues::micros,
        value -> AttributeValues.ofMicros(Long.parseLong(value.n())));
  }

  @Override
  public AttributeValue transformFrom(T value) {
    return write.apply(value);
  }

  @Override
  public T transformTo(AttributeValue value) {
    return read.apply(value);
  }
}
