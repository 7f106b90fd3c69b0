package dev.outbox.dynamodb;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.Select;

/** Reads whole days of the log, the oldest first. */
final class LogDays {

  private final Dynamo dynamo;
  private final Settings settings;
  private final Shards shards;
  private final Days days;

  LogDays(Dynamo dynamo, Settings settings, Shards shards, Days days) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.shards = shards;
    this.days = days;
  }

  /** Returns entries of the log up to a day, the oldest day first. */
  List<Row> until(LocalDate last, int limit) {
    List<Row> found = new ArrayList<>();
    Instant now = Instant.now();
    for (String partition : partitions(days.all(false), day -> !day.isAfter(last))) {
      if (found.size() < limit) {
        pages(
            partition,
            query -> query.consistentRead(true),
            page -> {
              page.items().stream()
                  .filter(item -> !Values.isExpired(item, now))
                  .filter(RowReader::isOurs)
                  .flatMap(item -> RowReader.read(item).stream())
                  .limit(limit - found.size())
                  .forEach(found::add);
              return found.size() < limit;
            });
      }
    }
    return found;
  }

  /** Counts without transferring what is counted. */
  long count(LocalDate first, LocalDate last) {
    AtomicLong count = new AtomicLong();
    Instant now = Instant.now();
    for (String partition :
        partitions(days.all(false), day -> !day.isBefore(first) && !day.isAfter(last))) {
      pages(
          partition,
          query ->
              query
                  .select(Select.COUNT)
                  .filterExpression("attribute_not_exists(Expires) OR Expires > :now")
                  .expressionAttributeValues(
                      Map.of(
                          ":day", Values.text(partition),
                          ":now", Values.number(now.getEpochSecond()))),
          page -> count.addAndGet(page.count()) >= 0);
    }
    return count.get();
  }

  private List<String> partitions(List<LocalDate> all, Predicate<LocalDate> wanted) {
    return all.stream()
        .filter(wanted)
        .flatMap(
            day ->
                IntStream.range(0, shards.logMost()).mapToObj(shard -> Partitions.day(day, shard)))
        .toList();
  }

  /** Reads a partition of the log from its beginning, as long as somebody wants more. */
  private void pages(
      String partition, Consumer<QueryRequest.Builder> how, Predicate<QueryResponse> goesOn) {
    Map<String, AttributeValue> from = Map.of();
    QueryResponse page;
    do {
      Map<String, AttributeValue> start = from;
      page =
          dynamo.page(
              query -> {
                query
                    .tableName(settings.log())
                    .keyConditionExpression("CreatedDate = :day")
                    .expressionAttributeValues(Map.of(":day", Values.text(partition)))
                    .exclusiveStartKey(start.isEmpty() ? null : start);
                how.accept(query);
              });
      from = page.lastEvaluatedKey();
    } while (goesOn.test(page) && !from.isEmpty());
  }
}
