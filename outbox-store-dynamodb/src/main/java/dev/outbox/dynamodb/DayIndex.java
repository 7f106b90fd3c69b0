package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The days on which ids were made, an item for each, so that listing emails knows how far back it
 * has to look. Written once a day by each node.
 */
final class DayIndex {

  private static final int MANY = 10_000;

  private final DynamoDbRequests dynamo;
  private final DynamoDbSettings settings;
  private final ForeignItemLog foreignItems;
  private final Set<LocalDate> noted = ConcurrentHashMap.newKeySet();

  DayIndex(DynamoDbRequests dynamo, DynamoDbSettings settings, ForeignItemLog foreignItems) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.foreignItems = foreignItems;
  }

  void note(Collection<EmailId> ids) {
    ids.stream().map(PartitionKeys::dayOf).distinct().forEach(this::note);
  }

  private void note(LocalDate day) {
    if (noted.contains(day)) {
      return;
    }
    dynamo.update(
        update ->
            update
                .tableName(settings.emails())
                .key(AttributeValues.key(AttributeNames.DAYS, day.toString())));
    // An old day may be forgotten by others, so only the present ones are remembered here.
    noted.removeIf(known -> known.isBefore(day.minusDays(1)));
    noted.add(day);
  }

  /** Returns all days, the newest first, or the oldest. */
  List<LocalDate> all(boolean newestFirst) {
    List<Map<String, AttributeValue>> items =
        dynamo.query(
            MANY,
            query ->
                query
                    .tableName(settings.emails())
                    .consistentRead(true)
                    .scanIndexForward(!newestFirst)
                    .keyConditionExpression("Id = :days")
                    .expressionAttributeValues(
                        Map.of(":days", AttributeValues.text(AttributeNames.DAYS))));
    return items.stream().flatMap(item -> day(item).stream()).toList();
  }

  private Optional<LocalDate> day(Map<String, AttributeValue> item) {
    try {
      return Optional.of(LocalDate.parse(AttributeValues.needed(item, AttributeNames.STATUS)));
    } catch (DateTimeException e) {
      foreignItems.met(settings.emails(), AttributeNames.DAYS);
      return Optional.empty();
    }
  }

  /** Forgets a day on which nothing is left. */
  void forget(LocalDate day) {
    noted.remove(day);
    dynamo.delete(settings.emails(), AttributeValues.key(AttributeNames.DAYS, day.toString()));
  }
}
