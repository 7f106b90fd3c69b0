package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.RecordChange;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * One bounded round of removing what is older than its retention. DynamoDB deletes most of it by
 * its time to live; this is for what that is late with, and for a retention that was made shorter.
 */
final class PruneOperations {

  /** After so many days without anything overdue, later ones are not looked at. */
  private static final int PATIENCE_DAYS = 3;

  private static final int PAGE = 100;

  private final DynamoDbRequests dynamo;
  private final DynamoDbSettings settings;
  private final ShardCounts shards;
  private final QueueIndex queue;
  private final DayIndex days;
  private final ItemReader rows;
  private final ContentStorage contents;
  private final ChangeWriter writes;

  PruneOperations(
      DynamoDbRequests dynamo,
      DynamoDbSettings settings,
      ShardCounts shards,
      QueueIndex queue,
      DayIndex days,
      ItemReader rows,
      ContentStorage contents,
      ChangeWriter writes) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.shards = shards;
    this.queue = queue;
    this.days = days;
    this.rows = rows;
    this.contents = contents;
    this.writes = writes;
  }

  int prune(RetentionSettings retention, int limit) {
    Instant now = InsertOperations.now();
    int done = remove(overdueInLog(now.minus(retention.log()), limit));
    for (State state : State.values()) {
      if (done < limit && (state.outcome() == State.FAILED || state.outcome() == State.INVALID)) {
        Duration kept = state.outcome() == State.FAILED ? retention.failed() : retention.invalid();
        done += remove(overdue(state, now.minus(kept), limit - done));
      }
    }
    return done + empty(now.minus(retention.sentContent()), limit - done);
  }

  private List<EmailItem> overdue(State state, Instant until, int limit) {
    List<EmailId> ids =
        queue.settled(state, until, limit).stream().map(QueueIndex.Entry::id).toList();
    return ids.isEmpty()
        ? List.of()
        : read(
            dynamo.getAll(
                settings.emails(),
                ids.stream()
                    .map(id -> AttributeValues.key(id.toString(), AttributeNames.META))
                    .toList()),
            until);
  }

  /** Rows that DynamoDB should have deleted are read too. */
  private static List<EmailItem> read(List<Map<String, AttributeValue>> items, Instant until) {
    return items.stream()
        .flatMap(item -> EmailItemReader.read(item).stream())
        .filter(row -> !row.foreign && row.isFinal() && row.columns().isSettledBefore(until))
        .toList();
  }

  /** Looks at the oldest entries of the log, and on as long as some of them are overdue. */
  private List<EmailItem> overdueInLog(Instant until, int limit) {
    List<EmailItem> overdue = new ArrayList<>();
    int fruitless = 0;
    for (LocalDate day : days.all(false)) {
      int before = overdue.size();
      boolean left = false;
      for (int shard : IntStream.range(0, shards.logMost()).toArray()) {
        left |= overdueInLog(PartitionKeys.day(day, shard), until, limit, overdue);
      }
      fruitless = overdue.size() > before ? 0 : fruitless + 1;
      if (!left && day.isBefore(PartitionKeys.dayOf(InsertOperations.now()).minusDays(2))) {
        forgetIfEmpty(day);
      }
      if (overdue.size() >= limit || fruitless >= PATIENCE_DAYS) {
        break;
      }
    }
    return overdue;
  }

  /** Returns whether there is anything in a partition of the log. */
  private boolean overdueInLog(
      String partition, Instant until, int limit, List<EmailItem> overdue) {
    Map<String, AttributeValue> from = Map.of();
    boolean any = false;
    boolean fruitful;
    do {
      Map<String, AttributeValue> start = from;
      QueryResponse page =
          dynamo.page(
              query -> {
                query
                    .tableName(settings.log())
                    .keyConditionExpression("CreatedDate = :day")
                    .expressionAttributeValues(Map.of(":day", AttributeValues.text(partition)))
                    .limit(PAGE);
                if (!start.isEmpty()) {
                  query.exclusiveStartKey(start);
                }
              });
      any |= !page.items().isEmpty();
      List<EmailItem> some = read(page.items(), until);
      some.stream().limit(Math.max(0, limit - overdue.size())).forEach(overdue::add);
      fruitful = !some.isEmpty() && overdue.size() < limit;
      from = page.lastEvaluatedKey();
    } while (fruitful && !from.isEmpty());
    return any;
  }

  private void forgetIfEmpty(LocalDate day) {
    boolean waiting =
        IntStream.range(0, shards.logMost())
            .anyMatch(
                shard ->
                    !dynamo
                        .query(
                            1,
                            query ->
                                query
                                    .tableName(settings.emails())
                                    .indexName(AttributeNames.DAY_INDEX)
                                    .keyConditionExpression("#day = :day")
                                    .expressionAttributeNames(Map.of("#day", AttributeNames.DAY))
                                    .expressionAttributeValues(
                                        Map.of(
                                            ":day",
                                            AttributeValues.text(PartitionKeys.day(day, shard)))))
                        .isEmpty());
    if (!waiting) {
      days.forget(day);
    }
  }

  /** Removes rows that nobody has changed meanwhile, and all that belongs to them. */
  int remove(List<EmailItem> overdue) {
    List<DynamoDbRequests.Updated> removed =
        dynamo.statements(overdue.stream().map(this::removal).toList());
    List<WriteRequest> deletes = new ArrayList<>();
    List<BatchStatementRequest> keys = new ArrayList<>();
    int count = 0;
    for (int i = 0; i < overdue.size(); i++) {
      if (removed.get(i).fate().mayBeMade()) {
        EmailItem row = overdue.get(i);
        contents.recount(row);
        count++;
        belongings(row).forEach(status -> deletes.add(delete(row.id, status)));
        contents.discard(row.id, ContentStorage.files(row));
        if (row.key != null) {
          keys.add(keyRemoval(row.key, row.id));
        }
      }
    }
    dynamo.write(settings.emails(), deletes);
    dynamo.statements(keys);
    return count;
  }

  private List<String> belongings(EmailItem row) {
    List<String> statuses = new ArrayList<>(ContentStorage.statuses(row));
    for (int i = 1; i <= row.seq; i++) {
      statuses.add(HistoryMapper.status(i));
    }
    if (settings.plainHistory()) {
      for (State state : State.values()) {
        statuses.add(state.wireName());
      }
    }
    return statuses;
  }

  private static WriteRequest delete(EmailId id, String status) {
    return WriteRequest.builder()
        .deleteRequest(delete -> delete.key(AttributeValues.key(id.toString(), status)))
        .build();
  }

  private BatchStatementRequest removal(EmailItem row) {
    AttributeValue found = row.source.get(AttributeNames.VERSION);
    String version = found == null ? "\"Version\" IS MISSING" : "\"Version\"=?";
    return row.archived
        ? BatchStatementRequest.builder()
            .statement(
                "DELETE FROM \"%s\" WHERE \"CreatedDate\"=? AND \"ID\"=? AND %s"
                    .formatted(settings.log(), version))
            .parameters(
                withVersion(
                    found,
                    AttributeValues.text(
                        AttributeValues.needed(row.source, AttributeNames.LOG_DAY)),
                    AttributeValues.text(row.id.toString())))
            .build()
        : BatchStatementRequest.builder()
            .statement(
                "DELETE FROM \"%s\" WHERE \"Id\"=? AND \"Status\"='_META' AND %s"
                    .formatted(settings.emails(), version))
            .parameters(withVersion(found, AttributeValues.text(row.id.toString())))
            .build();
  }

  private static List<AttributeValue> withVersion(
      @Nullable AttributeValue version, AttributeValue... key) {
    return Stream.concat(Stream.of(key), Stream.ofNullable(version)).toList();
  }

  private BatchStatementRequest keyRemoval(String key, EmailId id) {
    return BatchStatementRequest.builder()
        .statement(
            "DELETE FROM \"%s\" WHERE \"Id\"=? AND \"Status\"=? AND \"Email\"=?"
                .formatted(settings.emails()))
        .parameters(
            AttributeValues.text(AttributeNames.KEY_PREFIX + key),
            AttributeValues.text(AttributeNames.KEY),
            AttributeValues.text(id.toString()))
        .build();
  }

  /** Drops the content of sent emails that were allowed to keep it until then. */
  private int empty(Instant until, int limit) {
    Set<EmailId> ids = new LinkedHashSet<>();
    queue.kept(until, 2 * limit).forEach(entry -> ids.add(entry.id()));
    int emptied = 0;
    for (EmailId id : ids) {
      if (emptied < limit) {
        emptied += rows.one(id).map(this::empty).orElse(0);
      }
    }
    return emptied;
  }

  private int empty(EmailItem row) {
    RecordChange drop = new RecordChange(null, List.of(), null, false, true, false);
    return !row.foreign && row.hasContent() && writes.commit(row, drop) ? 1 : 0;
  }
}
