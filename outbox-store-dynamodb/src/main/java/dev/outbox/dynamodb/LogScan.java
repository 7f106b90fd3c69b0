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
final class LogScan {

  private final DynamoDbRequests dynamo;
  private final DynamoDbSettings settings;
  private final ShardCounts shards;
  private final DayIndex days;

  LogScan(DynamoDbRequests dynamo, DynamoDbSettings settings, ShardCounts shards, DayIndex days) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.shards = shards;
    this.days = days;
  }

  /** Returns entries of the log up to a day, the oldest day first. */
  List<EmailItem> until(LocalDate last, int limit) {
    List<EmailItem> found = new ArrayList<>();
    Instant now = Instant.now();
    for (String partition : partitions(days.all(false), day -> !day.isAfter(last))) {
      if (found.size() < limit) {
        pages(
            partition,
            query -> query.consistentRead(true),
            page -> {
              page.items().stream()
                  .filter(item -> !AttributeValues.isExpired(item, now))
                  .filter(EmailItemReader::isOurs)
                  .flatMap(item -> EmailItemReader.read(item).stream())
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
                          ":day", AttributeValues.text(partition),
                          ":now", AttributeValues.number(now.getEpochSecond()))),
          page -> count.addAndGet(page.count()) >= 0);
    }
    return count.get();
  }

  private List<String> partitions(List<LocalDate> all, Predicate<LocalDate> wanted) {
    return all.stream()
        .filter(wanted)
        .flatMap(
            day ->
                IntStream.range(0, shards.logMost())
                    .mapToObj(shard -> PartitionKeys.day(day, shard)))
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
                    .expressionAttributeValues(Map.of(":day", AttributeValues.text(partition)))
                    .exclusiveStartKey(start.isEmpty() ? null : start);
                how.accept(query);
              });
      from = page.lastEvaluatedKey();
    } while (goesOn.test(page) && !from.isEmpty());
  }
}
