package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.StoreException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Storing new emails: row, content and key of each in one transaction, as many emails to a
 * transaction as it takes, and several of those at once.
 */
final class InsertOperations {

  private static final long TRANSACTION_BYTES = 3_500_000;

  private final DynamoDbRequests dynamo;
  private final DynamoDbSettings settings;
  private final ParallelRequests parallel;
  private final ItemReader rows;
  private final ContentStorage contents;
  private final IdempotencyKeys keys;
  private final DayIndex days;
  private final PlainHistoryWriter plain;

  InsertOperations(
      DynamoDbRequests dynamo,
      DynamoDbSettings settings,
      ParallelRequests parallel,
      ItemReader rows,
      ContentStorage contents,
      IdempotencyKeys keys,
      DayIndex days,
      PlainHistoryWriter plain) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.parallel = parallel;
    this.rows = rows;
    this.contents = contents;
    this.keys = keys;
    this.days = days;
    this.plain = plain;
  }

  /** Stores what can be; the list may have the same id or key twice. */
  List<InsertResult> insert(List<NewEmail> emails) {
    check(emails);
    Map<EmailId, NewEmail> firsts = new LinkedHashMap<>();
    emails.forEach(email -> firsts.putIfAbsent(email.id(), email));
    Map<EmailId, InsertResult> results = new HashMap<>();
    List<NewEmail> open = unknown(firsts, results);
    while (!open.isEmpty()) {
      // The same key twice: the second waits until it is known what became of the first.
      List<NewEmail> now = new ArrayList<>();
      List<NewEmail> later = new ArrayList<>();
      Set<String> hashes = new HashSet<>();
      for (NewEmail email : open) {
        IdempotencyKey key = email.key();
        boolean free = key == null || hashes.add(key.key().hex());
        (free ? now : later).add(email);
      }
      parallel.each(transactions(now), this::insertTogether).forEach(results::putAll);
      open = later;
    }
    return emails.stream().map(email -> Objects.requireNonNull(results.get(email.id()))).toList();
  }

  /**
   * Refuses a list with an email that does not fit, before anything of it is stored.
   *
   * @throws dev.outbox.email.InvalidEmailException that names the field and the email's id
   */
  void check(List<NewEmail> emails) {
    emails.forEach(contents::check);
  }

  /** An email that was stored, sent and archived before must not be stored again. */
  private List<NewEmail> unknown(
      Map<EmailId, NewEmail> emails, Map<EmailId, InsertResult> results) {
    if (emails.isEmpty()) {
      return List.of();
    }
    days.note(emails.keySet());
    Set<EmailId> logged = rows.logged(emails.keySet()).keySet();
    logged.forEach(id -> results.put(id, new InsertResult(id, InsertResult.Status.CREATED)));
    return emails.values().stream().filter(email -> !logged.contains(email.id())).toList();
  }

  private List<List<NewEmail>> transactions(List<NewEmail> emails) {
    List<List<NewEmail>> all = new ArrayList<>();
    List<NewEmail> part = new ArrayList<>();
    int items = 0;
    long bytes = 0;
    for (NewEmail email : emails) {
      int more = (email.key() == null ? 2 : 3) + (plain.isOn() ? 1 : 0);
      long size = Math.min(email.payload().length(), ContentStorage.ITEM_BYTES);
      if (!part.isEmpty()
          && (items + more > DynamoDbRequests.TRANSACTION || bytes + size > TRANSACTION_BYTES)) {
        all.add(part);
        part = new ArrayList<>();
        items = 0;
        bytes = 0;
      }
      part.add(email);
      items += more;
      bytes += size;
    }
    if (!part.isEmpty()) {
      all.add(part);
    }
    return all;
  }

  /** Stores emails in one transaction; those that are known already drop out. */
  private Map<EmailId, InsertResult> insertTogether(List<NewEmail> emails) {
    Map<EmailId, InsertResult> results = new HashMap<>();
    List<NewEmail> open = emails;
    while (!open.isEmpty()) {
      Instant now = now();
      List<Draft> drafts = new ArrayList<>();
      List<CancellationReason> reasons;
      try {
        open.forEach(email -> drafts.add(draft(email, now)));
        reasons = dynamo.transact(drafts.stream().flatMap(draft -> draft.items.stream()).toList());
      } catch (StoreException e) {
        if (drafts.size() < open.size() || e.reason() == StoreException.Reason.REJECTED_DATA) {
          drafts.forEach(
              draft -> contents.discard(draft.email.id(), ContentStorage.files(draft.row)));
        }
        throw e;
      }
      List<NewEmail> left = new ArrayList<>();
      int index = 0;
      for (Draft draft : drafts) {
        List<CancellationReason> own =
            reasons.isEmpty() ? List.of() : reasons.subList(index, index + draft.items.size());
        index += draft.items.size();
        if (reasons.isEmpty()) {
          results.put(
              draft.email.id(), new InsertResult(draft.email.id(), InsertResult.Status.CREATED));
        } else if (own.stream().anyMatch(reason -> TransientErrors.LOST.equals(reason.code()))) {
          results.put(draft.email.id(), known(draft.email, own));
          contents.discard(draft.email.id(), ContentStorage.files(draft.row));
        } else {
          left.add(draft.email);
          contents.discard(draft.email.id(), ContentStorage.files(draft.row));
        }
      }
      open = left;
    }
    return results;
  }

  /** Returns what the items that were there already say: the same email, or another of its key. */
  private static InsertResult known(NewEmail email, List<CancellationReason> reasons) {
    boolean same = TransientErrors.LOST.equals(reasons.get(0).code());
    return same
        ? new InsertResult(email.id(), InsertResult.Status.CREATED)
        : IdempotencyKeys.answer(email, reasons.get(reasons.size() - 1).item());
  }

  /** Returns the writes that store an email; its row comes first, and its key last. */
  Draft draft(NewEmail email, Instant now) {
    EmailItem row = EmailItem.of(email, now);
    row.version = 1;
    List<TransactWriteItem> items = new ArrayList<>();
    List<Map<String, AttributeValue>> content = contents.payload(row, email.payload());
    IdempotencyKey key = email.key();
    if (key != null) {
      row.keyExpires = keys.expires(row);
    }
    items.add(
        ifAbsent(
            EmailItemWriter.hot(row, settings.shards(), settings.logShards()),
            "attribute_not_exists(Id)",
            Map.of()));
    content.forEach(
        item ->
            items.add(
                TransactWriteItem.builder()
                    .put(put -> put.tableName(settings.emails()).item(item))
                    .build()));
    items.addAll(plain.state(row));
    if (key != null) {
      items.add(
          ifAbsent(
              IdempotencyKeys.item(email.id(), key, row.keyExpires),
              "attribute_not_exists(Id) OR #ttl <= :now",
              Map.of(":now", AttributeValues.number(now.getEpochSecond()))));
    }
    return new Draft(email, row, items);
  }

  private TransactWriteItem ifAbsent(
      Map<String, AttributeValue> item, String condition, Map<String, AttributeValue> values) {
    return TransactWriteItem.builder()
        .put(
            put ->
                put.tableName(settings.emails())
                    .item(item)
                    .conditionExpression(condition)
                    .expressionAttributeNames(
                        values.isEmpty() ? null : Map.of("#ttl", AttributeNames.TTL))
                    .expressionAttributeValues(values.isEmpty() ? null : values)
                    .returnValuesOnConditionCheckFailure("ALL_OLD"))
        .build();
  }

  /** Returns the present time, as precise as it is stored. */
  static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MICROS);
  }

  /** An email on its way into the table. */
  record Draft(NewEmail email, EmailItem row, List<TransactWriteItem> items) {}
}
