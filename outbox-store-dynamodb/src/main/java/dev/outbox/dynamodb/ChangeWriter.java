package dev.outbox.dynamodb;

import dev.outbox.email.Bytes;
import dev.outbox.email.State;
import dev.outbox.store.EmailRecord;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.RecordChange;
import dev.outbox.store.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Writes what an event made of an email: its row, its history, its content and the time to live of
 * all of them, in one transaction, on condition that nobody has changed the row since it was read.
 */
final class ChangeWriter {

  /**
   * How many items of history get their time to live in the transaction itself, which has room for
   * 100 items: the states of the plain form are in it, too.
   */
  private static final int HISTORY = 60;

  private final DynamoDbRequests dynamo;
  private final DynamoDbSettings settings;
  private final ContentStorage contents;
  private final IdempotencyKeys keys;
  private final PlainHistoryWriter plain;
  private final TtlCalculator times;

  ChangeWriter(
      DynamoDbRequests dynamo,
      DynamoDbSettings settings,
      ContentStorage contents,
      IdempotencyKeys keys,
      PlainHistoryWriter plain) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.contents = contents;
    this.keys = keys;
    this.plain = plain;
    this.times = new TtlCalculator(settings);
  }

  /** What became of a change. */
  enum Outcome {
    WRITTEN,
    /** The row was changed since it was read. */
    LOST,
    /** What had to hold besides does not. */
    UNGUARDED
  }

  boolean commit(EmailItem row, RecordChange change) {
    return commit(row, change, null) == Outcome.WRITTEN;
  }

  /**
   * Writes a change of a row, which is used up by it.
   *
   * @param guard what has to hold besides, or null
   */
  Outcome commit(EmailItem row, RecordChange change, @Nullable TransactWriteItem guard) {
    boolean wasLogged = row.archived;
    boolean wasSent = row.state.outcome() == State.SENT;
    contents.recount(row);
    if (change.redactsHistory()) {
      contents.requireWithinReach(row);
      // What cannot be read may be personal too.
      row.spoilt.clear();
    }
    int seq = row.seq;
    Long ttlBefore = row.ttl;
    List<String> oldFiles = ContentStorage.files(row);
    List<String> oldContent = ContentStorage.statuses(row);
    EmailRecord columns = change.row();
    if (columns != null) {
      row.set(columns);
    }
    row.version++;
    row.ttl = times.of(row);
    keys.renew(row);
    List<TransactWriteItem> items = new ArrayList<>();
    List<String> newFiles = content(row, change, oldContent, items);
    if (row.hasContent()
        && row.state.outcome() == State.SENT
        && (!wasSent || change.movesToLog())) {
      ContentStorage.statuses(row).forEach(status -> items.add(times.kept(row, status)));
    } else if (!Objects.equals(ttlBefore, row.ttl)) {
      // What is written just now has its time to live already.
      oldContent.stream()
          .filter(status -> ContentStorage.statuses(row).contains(status))
          .filter(status -> change.composed() == null || status.equals(AttributeNames.PAYLOAD))
          .filter(status -> row.payloadFile == null || !status.equals(AttributeNames.PAYLOAD))
          .forEach(status -> items.add(times.lasting(row, status)));
    }
    List<String> late = lasting(row, seq, Objects.equals(ttlBefore, row.ttl) ? 0 : seq, items);
    for (HistoryRecord step : change.history()) {
      items.add(put(HistoryMapper.write(row.id.toString(), ++row.seq, step, row.ttl)));
    }
    if (change.redactsHistory() || !Objects.equals(ttlBefore, row.ttl)) {
      items.addAll(plain.earlier(row, change.redactsHistory()));
    }
    items.addAll(plain.state(row));
    items.addAll(0, rowItems(row, wasLogged));
    if (guard != null) {
      items.add(guard);
    }
    if (change.redactsHistory()) {
      hush(row, seq);
    }
    List<CancellationReason> reasons;
    try {
      reasons = dynamo.transact(items);
    } catch (StoreException e) {
      if (e.reason() == StoreException.Reason.REJECTED_DATA) {
        contents.discard(row.id, newFiles);
      }
      throw e;
    }
    if (!reasons.isEmpty()) {
      contents.discard(row.id, newFiles);
      boolean guarded =
          guard == null || !TransientErrors.LOST.equals(reasons.get(reasons.size() - 1).code());
      return guarded ? Outcome.LOST : Outcome.UNGUARDED;
    }
    dynamo.statements(late.stream().map(status -> times.lastingStatement(row, status)).toList());
    oldFiles.removeAll(ContentStorage.files(row));
    contents.discard(row.id, oldFiles);
    return Outcome.WRITTEN;
  }

  private List<TransactWriteItem> rowItems(EmailItem row, boolean wasLogged) {
    if (!row.archived) {
      return List.of(
          put(
              settings.emails(),
              EmailItemWriter.hot(row, settings.shards(), settings.logShards()),
              row));
    }
    Map<String, AttributeValue> logged = EmailItemWriter.logged(row, settings.logShards());
    if (wasLogged) {
      return List.of(put(settings.log(), logged, row));
    }
    return List.of(
        TransactWriteItem.builder()
            .delete(
                delete ->
                    delete
                        .tableName(settings.emails())
                        .key(AttributeValues.key(row.id.toString(), AttributeNames.META))
                        .conditionExpression(unchanged(row))
                        .expressionAttributeValues(values(row)))
            .build(),
        TransactWriteItem.builder().put(put -> put.tableName(settings.log()).item(logged)).build());
  }

  private static TransactWriteItem put(
      String table, Map<String, AttributeValue> item, EmailItem row) {
    return TransactWriteItem.builder()
        .put(
            put ->
                put.tableName(table)
                    .item(item)
                    .conditionExpression(unchanged(row))
                    .expressionAttributeValues(values(row)))
        .build();
  }

  private TransactWriteItem put(Map<String, AttributeValue> item) {
    return TransactWriteItem.builder()
        .put(put -> put.tableName(settings.emails()).item(item))
        .build();
  }

  /** Emails that other tools have stored have no version; what somebody spoilt counts as it is. */
  private static String unchanged(EmailItem row) {
    return row.source.containsKey(AttributeNames.VERSION)
        ? "Version = :version"
        : "attribute_not_exists(Version) AND (attribute_exists(Id) OR attribute_exists(ID))";
  }

  private static @Nullable Map<String, AttributeValue> values(EmailItem row) {
    AttributeValue version = row.source.get(AttributeNames.VERSION);
    return version == null ? null : Map.of(":version", version);
  }

  /** Adds what becomes of the content; returns the names of what it saved in the directory. */
  private List<String> content(
      EmailItem row, RecordChange change, List<String> oldContent, List<TransactWriteItem> items) {
    List<String> newFiles = new ArrayList<>();
    Bytes message = change.composed();
    if (message != null && row.hasContent() && !change.deletesContent()) {
      contents.composed(row, message).forEach(item -> items.add(put(withTtl(item, row.ttl))));
      row.size = Objects.requireNonNull(row.size) - row.composedSize + message.length();
      row.composedSize = message.length();
      if (row.composedFile != null) {
        newFiles.add(row.composedFile);
      }
    }
    if (change.deletesContent()) {
      oldContent.forEach(status -> items.add(delete(row, status)));
      row.size = null;
      row.composed = 0;
      row.composedSize = 0;
      row.payloadFile = null;
      row.composedFile = null;
    }
    return newFiles;
  }

  private static Map<String, AttributeValue> withTtl(
      Map<String, AttributeValue> item, @Nullable Long ttl) {
    Map<String, AttributeValue> all = new HashMap<>(item);
    if (ttl != null) {
      all.put(AttributeNames.TTL, AttributeValues.number(ttl));
    }
    return all;
  }

  private TransactWriteItem delete(EmailItem row, String status) {
    return TransactWriteItem.builder()
        .delete(
            delete ->
                delete
                    .tableName(settings.emails())
                    .key(AttributeValues.key(row.id.toString(), status)))
        .build();
  }

  /** Gives earlier items of history the time to live of the row; returns those left for later. */
  private List<String> lasting(EmailItem row, int seq, int count, List<TransactWriteItem> items) {
    List<String> late = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      String status = HistoryMapper.status(i);
      if (seq <= HISTORY) {
        items.add(times.lasting(row, status));
      } else {
        late.add(status);
      }
    }
    return late;
  }

  /** Takes the words out of an email's history, before the email itself counts as erased. */
  private void hush(EmailItem row, int seq) {
    List<BatchStatementRequest> statements = new ArrayList<>();
    for (int i = 1; i <= seq; i++) {
      statements.add(
          BatchStatementRequest.builder()
              .statement(
                  """
                  UPDATE "%s" REMOVE "Reason" REMOVE "Detail" WHERE "Id"=? AND "Status"=?
                  """
                      .formatted(settings.emails()))
              .parameters(
                  AttributeValues.text(row.id.toString()),
                  AttributeValues.text(HistoryMapper.status(i)))
              .build());
    }
    dynamo.statements(statements);
  }
}
