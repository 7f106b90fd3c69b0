package dev.outbox.dynamodb;

import dev.outbox.email.State;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The part of an item that tools of others know. */
record Seed(@Nullable State latest, @Nullable Instant updatedAt, @Nullable String reason) {

  static AttributeValue write(Seed seed) {
    Map<String, AttributeValue> map = new HashMap<>();
    map.put(Names.LATEST, Values.text(Objects.requireNonNull(seed.latest).wireName()));
    map.put(Names.UPDATED_AT, Values.text(Values.sortable(Objects.requireNonNull(seed.updatedAt))));
    if (seed.reason != null) {
      map.put(Names.REASON, Values.text(seed.reason));
    }
    return AttributeValue.fromM(map);
  }

  static Seed read(AttributeValue value) {
    return new Seed(
        State.ofWireName(Objects.requireNonNullElse(Values.textOf(value.m(), Names.LATEST), ""))
            .orElse(null),
        Values.timeOf(value.m(), Names.UPDATED_AT),
        Values.textOf(value.m(), Names.REASON));
  }
}
