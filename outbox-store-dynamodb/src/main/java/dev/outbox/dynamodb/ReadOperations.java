package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Lists emails, the newest id first: day by day, the partitions of a day merged. Waiting emails
 * come from an index of the table of emails, the others from the log, which is read second so that
 * an email that is archived meanwhile is seen.
 */
final class ReadOperations {

  /** How far the time in an id may be from the time at which the email was stored. */
  private static final int SLACK_DAYS = 1;

  private static final int SMALLEST_PAGE = 25;
  private static final int LARGEST_PAGE = 300;

  private final DynamoDbRequests dynamo;
  private final DynamoDbSettings settings;
  private final ShardCounts shards;
  private final DayIndex days;
  private final ItemReader rows;
  private final ParallelRequests parallel;
  private final ForeignItemLog foreignItems;

  ReadOperations(
      DynamoDbRequests dynamo,
      DynamoDbSettings settings,
      ShardCounts shards,
      DayIndex days,
      ItemReader rows,
      ParallelRequests parallel,
      ForeignItemLog foreignItems) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.shards = shards;
    this.days = days;
    this.rows = rows;
    this.parallel = parallel;
    this.foreignItems = foreignItems;
  }

  EmailPage query(EmailQuery query, @Nullable EmailId after, int limit) {
    return page(
        query, new Reading(mayBeHot(query), mayBeLogged(query)), query::matches, after, limit);
  }

  /** Lists what is in the log alone. */
  EmailPage logged(
      EmailQuery query, Predicate<EmailSummary> filter, @Nullable EmailId after, int limit) {
    return page(query, new Reading(false, true), filter, after, limit);
  }

  private EmailPage page(
      EmailQuery query,
      Reading reading,
      Predicate<EmailSummary> filter,
      @Nullable EmailId after,
      int limit) {
    List<EmailItem> found = new ArrayList<>();
    for (LocalDate day : days.all(true)) {
      if (found.size() <= limit && mayHold(day, query, after)) {
        collect(day, reading, row -> filter.test(row.columns().email()), after, limit + 1, found);
      }
    }
    List<EmailSummary> emails = found.stream().map(row -> row.columns().email()).toList();
    return emails.size() <= limit
        ? new EmailPage(emails, null)
        : new EmailPage(emails.subList(0, limit), emails.get(limit - 1).id());
  }

  private static boolean mayHold(LocalDate day, EmailQuery query, @Nullable EmailId after) {
    Instant since = query.createdSince();
    Instant before = query.createdBefore();
    return (after == null || !day.isAfter(PartitionKeys.dayOf(after)))
        && (since == null || !day.isBefore(PartitionKeys.dayOf(since).minusDays(SLACK_DAYS)))
        && (before == null || !day.isAfter(PartitionKeys.dayOf(before).plusDays(SLACK_DAYS)));
  }

  private void collect(
      LocalDate day,
      Reading reading,
      Predicate<EmailItem> filter,
      @Nullable EmailId after,
      int wanted,
      List<EmailItem> found) {
    int page = Math.max(SMALLEST_PAGE, Math.min(LARGEST_PAGE, wanted));
    String below =
        after == null || !PartitionKeys.dayOf(after).equals(day) ? null : after.toString();
    do {
      Window window = window(day, reading, below, page);
      window.rows.values().stream().filter(filter).limit(wanted - found.size()).forEach(found::add);
      below = window.lower;
    } while (below != null && found.size() < wanted);
  }

  /** Reads a stretch of a day of which every partition is known. */
  private Window window(LocalDate day, Reading reading, @Nullable String below, int page) {
    List<Partition> sources = new ArrayList<>();
    boolean[] tables = {false, true};
    Map<EmailId, EmailItem> read = new HashMap<>();
    for (boolean log : tables) {
      if (log ? reading.log : reading.hot) {
        List<Partition> part =
            parallel.each(
                IntStream.range(0, shards.logMost()).boxed().toList(),
                shard -> source(PartitionKeys.day(day, shard), log, below, page));
        sources.addAll(part);
        read.putAll(log ? logged(part) : hot(part));
      }
    }
    String lower =
        sources.stream()
            .map(Partition::lower)
            .filter(Objects::nonNull)
            .max(Comparator.naturalOrder())
            .orElse(null);
    NavigableMap<EmailId, EmailItem> newestFirst = new TreeMap<>(Comparator.reverseOrder());
    read.forEach(
        (id, row) -> {
          if (lower == null || id.toString().compareTo(lower) >= 0) {
            newestFirst.put(id, row);
          }
        });
    return new Window(newestFirst, lower);
  }

  private static boolean mayBeLogged(EmailQuery query) {
    return query.codes().isEmpty()
        && (query.states().isEmpty()
            || query.states().stream().anyMatch(state -> state.outcome() == State.SENT));
  }

  private static boolean mayBeHot(EmailQuery query) {
    return query.states().isEmpty()
        || query.states().stream().anyMatch(state -> state != State.SENT_ACKNOWLEDGED);
  }

  private Partition source(String partition, boolean log, @Nullable String below, int page) {
    String idName = log ? AttributeNames.LOG_ID : AttributeNames.ID;
    QueryResponse answer =
        dynamo.page(
            query -> {
              query
                  .tableName(log ? settings.log() : settings.emails())
                  .keyConditionExpression("#day = :day" + (below == null ? "" : " AND #id < :id"))
                  .scanIndexForward(false)
                  .limit(page);
              if (log) {
                query.consistentRead(true);
              } else {
                query.indexName(AttributeNames.DAY_INDEX);
              }
              Map<String, String> names = new HashMap<>();
              names.put("#day", log ? AttributeNames.LOG_DAY : AttributeNames.DAY);
              Map<String, AttributeValue> values = new HashMap<>();
              values.put(":day", AttributeValues.text(partition));
              if (below != null) {
                names.put("#id", idName);
                values.put(":id", AttributeValues.text(below));
              }
              query.expressionAttributeNames(names).expressionAttributeValues(values);
            });
    List<Map<String, AttributeValue>> items = answer.items();
    String lower =
        answer.lastEvaluatedKey().isEmpty()
            ? null
            : AttributeValues.needed(answer.lastEvaluatedKey(), idName);
    return new Partition(partition, items, lower);
  }

  private Map<EmailId, EmailItem> hot(List<Partition> sources) {
    return rows.hot(
        sources.stream()
            .flatMap(source -> source.items.stream().flatMap(item -> id(item, source).stream()))
            .toList());
  }

  private Optional<EmailId> id(Map<String, AttributeValue> item, Partition source) {
    Optional<EmailId> id = AttributeValues.idOf(item, AttributeNames.ID);
    if (id.isEmpty()) {
      foreignItems.met(settings.emails(), source.partition);
    }
    return id;
  }

  private Map<EmailId, EmailItem> logged(List<Partition> sources) {
    Instant now = Instant.now();
    Map<EmailId, EmailItem> all = new HashMap<>();
    for (Partition source : sources) {
      for (Map<String, AttributeValue> item : source.items) {
        if (!AttributeValues.isExpired(item, now)) {
          EmailItemReader.read(item)
              .ifPresentOrElse(
                  row -> all.put(row.id, row),
                  () -> foreignItems.met(settings.log(), source.partition));
        }
      }
    }
    return all;
  }

  /** Which of the two tables may hold what is looked for. */
  private record Reading(boolean hot, boolean log) {}

  /** What was read of a partition; lower is the last id if there are more below it. */
  private record Partition(
      String partition, List<Map<String, AttributeValue>> items, @Nullable String lower) {}

  /** The rows of a stretch, the newest first; lower is its last id if the day goes on. */
  private record Window(NavigableMap<EmailId, EmailItem> rows, @Nullable String lower) {}
}
