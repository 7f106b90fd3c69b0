package dev.outbox.dynamodb;

import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Counters;
import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.Priority;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.store.PriorityLane;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticTableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Which attribute holds what of a row. Counters that are zero and flags that are off are left out,
 * to stay within one unit.
 */
final class EmailAttributes {

  private static final TableSchema<EmailItem> ALL = schema();

  private EmailAttributes() {}

  /** Reads the attributes of an item; fails if one of them cannot be read. */
  static EmailItem read(Map<String, AttributeValue> item) {
    // There is no row without any attribute that we know.
    return Objects.requireNonNullElseGet(ALL.mapToItem(item), EmailItem::new);
  }

  /** Writes the attributes of a row. */
  static Map<String, AttributeValue> write(EmailItem row) {
    return ALL.itemToMap(row, true);
  }

  static Collection<String> names() {
    return ALL.attributeNames();
  }

  private static <T> T checked(boolean ofItsKind, T value) {
    if (!ofItsKind) {
      throw new IllegalArgumentException("of another kind");
    }
    return value;
  }

  private static TableSchema<EmailItem> schema() {
    StaticTableSchema.Builder<EmailItem> schema =
        StaticTableSchema.builder(EmailItem.class).newItemSupplier(EmailItem::new);
    seeds(schema);
    origin(schema);
    times(schema);
    outcome(schema);
    counters(schema);
    return schema.build();
  }

  private static void seeds(StaticTableSchema.Builder<EmailItem> schema) {
    add(
        schema,
        AttributeNames.ATTRIBUTES,
        new AttributeCodec<>(
            EnhancedType.of(LegacyAttributes.class),
            AttributeValueType.M,
            LegacyAttributes::write,
            LegacyAttributes::read),
        row -> new LegacyAttributes(row.state, row.updated, row.reason),
        EmailAttributes::take);
  }

  private static void take(EmailItem row, LegacyAttributes seed) {
    if (seed.latest() == null || seed.updatedAt() == null) {
      row.spoilt.add(AttributeNames.ATTRIBUTES);
    }
    row.stateless = seed.latest() == null;
    row.state = Objects.requireNonNullElse(seed.latest(), row.state);
    row.updated = Objects.requireNonNullElse(seed.updatedAt(), row.updated);
    row.reason = seed.reason();
  }

  private static void origin(StaticTableSchema.Builder<EmailItem> schema) {
    add(
        schema,
        "Priority",
        AttributeCodec.text(Priority.class, Priority::name, Priority::valueOf),
        row -> row.priority,
        (row, value) -> row.priority = value);
    add(
        schema,
        "Lane",
        AttributeCodec.text(PriorityLane.class, PriorityLane::name, PriorityLane::valueOf),
        row -> row.archived ? null : row.lane,
        (row, value) -> row.lane = value);
    add(
        schema,
        "Headline",
        new AttributeCodec<>(
            EnhancedType.of(AddressesAndSubject.class),
            AttributeValueType.M,
            PersonalDataCodec::headline,
            PersonalDataCodec::headline),
        row -> row.addressesAndSubject,
        (row, value) -> row.addressesAndSubject = value);
    text(schema, "Template", row -> row.template, (row, value) -> row.template = value);
    add(
        schema,
        "Tags",
        new AttributeCodec<>(
            EnhancedType.setOf(String.class),
            AttributeValueType.SS,
            tags -> AttributeValue.fromSs(List.copyOf(tags)),
            value -> Set.copyOf(checked(value.hasSs(), value.ss()))),
        row -> row.tags.isEmpty() ? null : row.tags,
        (row, value) -> row.tags = value);
    text(schema, "RequestId", row -> row.requestId, (row, value) -> row.requestId = value);
    add(
        schema,
        "CallbackUrl",
        AttributeCodec.text(URI.class, URI::toString, URI::create),
        row -> row.callbackUrl,
        (row, value) -> row.callbackUrl = value);
    text(schema, "Key", row -> row.key, (row, value) -> row.key = value);
  }

  private static void times(StaticTableSchema.Builder<EmailItem> schema) {
    time(schema, AttributeNames.CREATED, row -> row.created, (row, value) -> row.created = value);
    time(
        schema,
        AttributeNames.PREPARING,
        row -> row.preparing,
        (row, value) -> row.preparing = value);
    time(
        schema, AttributeNames.PREPARED, row -> row.prepared, (row, value) -> row.prepared = value);
    time(schema, AttributeNames.SENDING, row -> row.sending, (row, value) -> row.sending = value);
    time(schema, "Sent", row -> row.sent, (row, value) -> row.sent = value);
    time(schema, "Settled", row -> row.settled, (row, value) -> row.settled = value);
    time(
        schema, AttributeNames.DEADLINE, row -> row.deadline, (row, value) -> row.deadline = value);
    number(
        schema,
        "Lifetime",
        row -> AttributeValues.toMicros(row.lifetime),
        (row, value) -> row.lifetime = Duration.ofNanos(Math.multiplyExact(value, 1_000L)));
  }

  private static void outcome(StaticTableSchema.Builder<EmailItem> schema) {
    add(
        schema,
        AttributeNames.OWNER,
        AttributeCodec.text(NodeId.class, NodeId::value, NodeId::new),
        row -> row.owner,
        (row, value) -> row.owner = value);
    add(
        schema,
        "Worker",
        AttributeCodec.text(NodeId.class, NodeId::value, NodeId::new),
        row -> row.worker,
        (row, value) -> row.worker = value);
    add(
        schema,
        "Code",
        AttributeCodec.text(FailureCode.class, FailureCode::name, FailureCode::valueOf),
        row -> row.code,
        (row, value) -> row.code = value);
    text(schema, "Response", row -> row.response, (row, value) -> row.response = value);
    add(
        schema,
        "Results",
        new AttributeCodec<>(
            EnhancedType.listOf(RecipientResult.class),
            AttributeValueType.L,
            results ->
                AttributeValue.fromL(results.stream().map(PersonalDataCodec::result).toList()),
            value ->
                checked(value.hasL(), value.l()).stream().map(PersonalDataCodec::result).toList()),
        row -> row.recipients.isEmpty() ? null : row.recipients,
        (row, value) -> row.recipients = value);
  }

  private static void counters(StaticTableSchema.Builder<EmailItem> schema) {
    number(schema, AttributeNames.VERSION, row -> row.version, (row, value) -> row.version = value);
    number(schema, AttributeNames.TOKEN, row -> row.token, (row, value) -> row.token = value);
    number(
        schema,
        "CompletedToken",
        row -> orNull(row.completedToken),
        (row, value) -> row.completedToken = value);
    add(
        schema,
        "CompletedTo",
        AttributeCodec.text(State.class, State::wireName, HistoryMapper::state),
        row -> row.completedTo,
        (row, value) -> row.completedTo = value);
    number(
        schema, "SentToken", row -> orNull(row.sentToken), (row, value) -> row.sentToken = value);
    number(schema, AttributeNames.SIZE, row -> row.size, (row, value) -> row.size = value);
    number(
        schema,
        "Composed",
        row -> orNull(row.composed),
        (row, value) -> row.composed = value.intValue());
    number(
        schema,
        "ComposedSize",
        row -> orNull(row.composedSize),
        (row, value) -> row.composedSize = value);
    text(schema, "PayloadFile", row -> row.payloadFile, (row, value) -> row.payloadFile = value);
    text(schema, "ComposedFile", row -> row.composedFile, (row, value) -> row.composedFile = value);
    number(schema, "Seq", row -> orNull(row.seq), (row, value) -> row.seq = value.intValue());
    number(
        schema,
        "KeyExpires",
        row -> orNull(row.keyExpires),
        (row, value) -> row.keyExpires = value);
    add(
        schema,
        "Progress",
        AttributeCodec.text(Counters.class, EmailAttributes::progress, EmailAttributes::progress),
        row -> row.progress.equals(Counters.NONE) ? null : row.progress,
        (row, value) -> row.progress = value);
  }

  private static @Nullable Long orNull(long counter) {
    return counter == 0 ? null : counter;
  }

  private static String progress(Counters counters) {
    return "%d %d %d %d"
        .formatted(
            counters.generation(), counters.attempts(), counters.reaps(), counters.stageRetries());
  }

  private static Counters progress(String text) {
    int[] counters = Arrays.stream(text.split(" ", -1)).mapToInt(Integer::parseInt).toArray();
    return new Counters(counters[0], counters[1], counters[2], counters[3]);
  }

  private static void text(
      StaticTableSchema.Builder<EmailItem> schema,
      String name,
      Function<EmailItem, @Nullable String> getter,
      BiConsumer<EmailItem, String> setter) {
    add(
        schema,
        name,
        AttributeCodec.text(String.class, Function.identity(), Function.identity()),
        getter,
        setter);
  }

  private static void time(
      StaticTableSchema.Builder<EmailItem> schema,
      String name,
      Function<EmailItem, @Nullable Instant> getter,
      BiConsumer<EmailItem, Instant> setter) {
    add(schema, name, AttributeCodec.time(), getter, setter);
  }

  private static void number(
      StaticTableSchema.Builder<EmailItem> schema,
      String name,
      Function<EmailItem, @Nullable Long> getter,
      BiConsumer<EmailItem, Long> setter) {
    add(
        schema,
        name,
        new AttributeCodec<>(
            EnhancedType.of(Long.class),
            AttributeValueType.N,
            AttributeValues::number,
            value -> new BigDecimal(value.n()).longValueExact()),
        getter,
        setter);
  }

  private static <T> void add(
      StaticTableSchema.Builder<EmailItem> schema,
      String name,
      AttributeConverter<T> converter,
      Function<EmailItem, @Nullable T> getter,
      BiConsumer<EmailItem, T> setter) {
    schema.addAttribute(
        converter.type(),
        attribute ->
            attribute
                .name(name)
                .attributeConverter(converter)
                .getter(getter)
                .setter((row, value) -> setter.accept(row, Objects.requireNonNull(value))));
  }
}
