package dev.outbox.dynamodb;

import dev.outbox.email.State;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The part of an item that tools of others know. */
record LegacyAttributes(
    @Nullable State latest, @Nullable Instant updatedAt, @Nullable String reason) {

  static AttributeValue write(LegacyAttributes seed) {
    Map<String, AttributeValue> map = new HashMap<>();
    map.put(
        AttributeNames.LATEST,
        AttributeValues.text(Objects.requireNonNull(seed.latest).wireName()));
    map.put(
        AttributeNames.UPDATED_AT,
        AttributeValues.text(AttributeValues.sortable(Objects.requireNonNull(seed.updatedAt))));
    if (seed.reason != null) {
      map.put(AttributeNames.REASON, AttributeValues.text(seed.reason));
    }
    return AttributeValue.fromM(map);
  }

  static LegacyAttributes read(AttributeValue value) {
    return new LegacyAttributes(
        State.ofWireName(
                Objects.requireNonNullElse(
                    AttributeValues.textOf(value.m(), AttributeNames.LATEST), ""))
            .orElse(null),
        AttributeValues.timeOf(value.m(), AttributeNames.UPDATED_AT),
        AttributeValues.textOf(value.m(), AttributeNames.REASON));
  }
}
