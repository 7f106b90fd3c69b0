package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.RecordChange;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoredContent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;

/**
 * Giving emails to nodes: entries of the index, each taken by an update on condition that the email
 * still waits where the index says. A condition that is lost is a claim that is lost.
 */
final class ClaimOperations {

  private static final Logger log = LoggerFactory.getLogger(ClaimOperations.class);

  private final DynamoDbRequests dynamo;
  private final DynamoDbSettings settings;
  private final QueueIndex queue;
  private final ItemReader rows;
  private final ContentStorage contents;
  private final IdempotencyKeys keys;
  private final PlainHistoryWriter plain;
  private final ChangeWriter writes;
  private final ForeignItemLog foreignItems;
  private final PlainHistoryTransactions steps;
  private final ClaimPostponement postponing;

  ClaimOperations(
      DynamoDbRequests dynamo,
      DynamoDbSettings settings,
      QueueIndex queue,
      ItemReader rows,
      ContentStorage contents,
      IdempotencyKeys keys,
      PlainHistoryWriter plain,
      ChangeWriter writes,
      ForeignItemLog foreignItems) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.queue = queue;
    this.rows = rows;
    this.contents = contents;
    this.keys = keys;
    this.plain = plain;
    this.writes = writes;
    this.foreignItems = foreignItems;
    this.steps = new PlainHistoryTransactions(settings, plain);
    this.postponing = new ClaimPostponement(writes);
  }

  /** Returns the entries of the emails that a request is to get. */
  List<QueueIndex.Entry> chosen(ClaimRequest request) {
    Instant until = InsertOperations.now().plus(settings.skew());
    Map<PriorityLane, List<QueueIndex.Entry>> due =
        queue.due(request.from(), request.shares().keySet(), until, request.limit());
    List<QueueIndex.Entry> chosen = new ArrayList<>();
    request
        .shares()
        .forEach((lane, share) -> entries(due, lane).stream().limit(share).forEach(chosen::add));
    request
        .shares()
        .forEach(
            (lane, share) ->
                entries(due, lane).stream()
                    .skip(share)
                    .limit(request.limit() - chosen.size())
                    .forEach(chosen::add));
    // While the index lags, an email may be at its old place and at its new one.
    Set<EmailId> seen = new HashSet<>();
    chosen.removeIf(entry -> !seen.add(entry.id()));
    return bounded(chosen, request.maxBytes());
  }

  private static List<QueueIndex.Entry> entries(
      Map<PriorityLane, List<QueueIndex.Entry>> due, PriorityLane lane) {
    return due.getOrDefault(lane, List.of());
  }

  private static List<QueueIndex.Entry> bounded(List<QueueIndex.Entry> chosen, long maxBytes) {
    List<QueueIndex.Entry> within = new ArrayList<>();
    long bytes = 0;
    for (QueueIndex.Entry entry : chosen) {
      bytes += entry.size();
      if (bytes > maxBytes && !within.isEmpty()) {
        break;
      }
      within.add(entry);
    }
    return within;
  }

  /** Takes the emails of entries, as far as they still wait there. */
  List<Claim> take(ClaimRequest request, List<QueueIndex.Entry> entries) {
    Instant now = InsertOperations.now();
    List<QueueIndex.Entry> sound = entries.stream().filter(QueueIndex.Entry::hasToken).toList();
    List<QueueIndex.Entry> spoilt = new ArrayList<>(entries);
    spoilt.removeAll(sound);
    List<DynamoDbRequests.Updated> taken =
        plain.isOn()
            ? dynamo.transactions(
                sound.stream().map(entry -> steps.claim(request, entry, now)).toList())
            : dynamo.statements(
                sound.stream().map(entry -> statement(request, entry, now)).toList());
    List<EmailItem> own = new ArrayList<>();
    Map<EmailId, EmailItem> looked = doubtful(sound, taken);
    for (int i = 0; i < sound.size(); i++) {
      QueueIndex.Entry entry = sound.get(i);
      Map<String, AttributeValue> item = taken.get(i).item();
      EmailItem row =
          item.isEmpty() ? looked.get(entry.id()) : EmailItemReader.read(item).orElse(null);
      if (taken.get(i).fate() == DynamoDbRequests.UpdateStatus.REFUSED) {
        spoilt.add(entry);
      } else if (row != null
          && request.node().equals(row.owner)
          && row.token == entry.token() + 1
          && row.state == request.busy()) {
        own.add(row);
      }
    }
    own.forEach(keys::renew);
    List<EmailItem> mended = new ArrayList<>();
    spoilt.forEach(entry -> mended(request, entry, now).ifPresent(mended::add));
    own.addAll(mended);
    ContentStorage.Loaded loaded = contents.load(own);
    // A row that was written just now cannot be written again, and is mostly invalid anyway.
    own.removeIf(
        row ->
            loaded.unavailable().contains(row.id)
                && !mended.contains(row)
                && postponing.isPostponed(row, request));
    return own.stream().map(row -> claim(row, loaded.contents().get(row.id), now)).toList();
  }

  /** Takes an email that no statement can take, by writing its whole row anew. */
  private Optional<EmailItem> mended(ClaimRequest request, QueueIndex.Entry entry, Instant now) {
    Optional<EmailItem> found =
        dynamo
            .get(settings.emails(), AttributeValues.key(entry.id().toString(), AttributeNames.META))
            .filter(
                item ->
                    entry.queue().equals(AttributeValues.textOf(item, AttributeNames.QUEUE))
                        && entry.place().equals(AttributeValues.textOf(item, AttributeNames.DUE)))
            .flatMap(EmailItemReader::read);
    found
        .filter(row -> row.foreign)
        .ifPresent(row -> foreignItems.isNews(settings.emails(), row.id));
    return found.filter(row -> !row.foreign && isMended(row, request, now));
  }

  private boolean isMended(EmailItem row, ClaimRequest request, Instant now) {
    try {
      return writes.commit(
          row,
          new RecordChange(
              row.columns().claimed(request, now), List.of(), null, false, false, false));
    } catch (StoreException e) {
      if (e.reason() != StoreException.Reason.REJECTED_DATA) {
        throw e;
      }
      log.error("{} cannot be claimed, DynamoDB rejects its item: {}", row.id, e.getMessage());
      return false;
    }
  }

  /** Hands out an email; one whose row cannot be read has no headline, which makes it invalid. */
  private static Claim claim(EmailItem row, @Nullable StoredContent content, Instant now) {
    if (row.isSpoilt()) {
      log.warn("{} failed permanently: its row cannot be read: {}", row.id, row.spoilt);
      row.addressesAndSubject = null;
      row.deadline = AttributeValues.LATEST;
    }
    return row.columns().claim(content, now);
  }

  /** Looks at what may have been taken by an attempt whose answer was lost. */
  private Map<EmailId, EmailItem> doubtful(
      List<QueueIndex.Entry> entries, List<DynamoDbRequests.Updated> taken) {
    List<EmailId> ids = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      if (taken.get(i).fate().mayBeMade() && taken.get(i).item().isEmpty()) {
        ids.add(entries.get(i).id());
      }
    }
    return ids.isEmpty() ? Map.of() : rows.hot(ids);
  }

  private BatchStatementRequest statement(
      ClaimRequest request, QueueIndex.Entry entry, Instant now) {
    List<AttributeValue> parameters = new ArrayList<>();
    parameters.add(AttributeValues.text(request.busy().wireName()));
    parameters.add(AttributeValues.text(AttributeValues.sortable(now)));
    parameters.add(AttributeValues.text(request.node().value()));
    parameters.add(
        AttributeValues.text(
            PartitionKeys.owned(
                request.node(), PartitionKeys.shard(entry.id(), settings.shards()))));
    parameters.add(AttributeValues.text(request.busy().wireName()));
    String time = "";
    if (request.busy() == State.INTAKING || request.busy() == State.PROCESSING) {
      time =
          "SET \"%s\"=? "
              .formatted(
                  request.busy() == State.INTAKING
                      ? AttributeNames.PREPARING
                      : AttributeNames.SENDING);
      parameters.add(AttributeValues.micros(now));
    }
    parameters.add(AttributeValues.text(entry.id().toString()));
    parameters.add(AttributeValues.text(entry.queue()));
    parameters.add(AttributeValues.text(entry.place()));
    parameters.add(AttributeValues.number(entry.token()));
    return BatchStatementRequest.builder()
        .statement(
            """
            UPDATE "%s" SET "Attributes"."Latest"=? SET "Attributes"."UpdatedAt"=? SET "Owner"=?
            SET "Queue"=? SET "Due"=? SET "Token"="Token"+1 SET "Version"="Version"+1 %s
            WHERE "Id"=? AND "Status"='_META' AND "Queue"=? AND "Due"=? AND "Token"=?
            RETURNING ALL NEW *
            """
                .formatted(settings.emails(), time))
        .parameters(parameters)
        .build();
  }

  /** Takes freshly rendered emails to the wire; no request of DynamoDB takes an item twice. */
  List<Claim> proceed(List<Claim> claims) {
    Set<Claim> standing = new HashSet<>();
    List<Claim> left = claims;
    while (!left.isEmpty()) {
      Set<EmailId> ids = new HashSet<>();
      Map<Boolean, List<Claim>> isNew =
          left.stream().collect(Collectors.partitioningBy(claim -> ids.add(claim.id())));
      standing.addAll(proceedOnce(isNew.getOrDefault(true, List.of())));
      left = isNew.getOrDefault(false, List.of());
    }
    return claims.stream().filter(standing::contains).map(Claim::forDelivery).toList();
  }

  /**
   * Returns which claims still stood; the index is not touched.
   *
   * @throws StoreException with the reason REJECTED_DATA if DynamoDB rejects the step of an email:
   *     its claim is not lost, and the caller has to record what becomes of it
   */
  private List<Claim> proceedOnce(List<Claim> claims) {
    Instant now = InsertOperations.now();
    List<DynamoDbRequests.Updated> gone =
        plain.isOn()
            ? dynamo.transactions(claims.stream().map(claim -> steps.proceed(claim, now)).toList())
            : dynamo.statements(claims.stream().map(claim -> statement(claim, now)).toList());
    Set<EmailId> doubtful = new HashSet<>();
    for (int i = 0; i < claims.size(); i++) {
      if (gone.get(i).fate() != DynamoDbRequests.UpdateStatus.DONE) {
        doubtful.add(claims.get(i).id());
      }
    }
    // What had gone before, by a call whose answer was lost, is as good.
    Map<EmailId, EmailItem> looked = doubtful.isEmpty() ? Map.of() : rows.hot(doubtful);
    List<Claim> standing = new ArrayList<>();
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      EmailItem row = looked.get(claim.id());
      if (!doubtful.contains(claim.id())
          || (row != null && row.state == State.PROCESSING && row.columns().isHeldUnder(claim))) {
        standing.add(claim);
      } else if (gone.get(i).fate() == DynamoDbRequests.UpdateStatus.REFUSED) {
        throw new StoreException(
            StoreException.Reason.REJECTED_DATA,
            "DynamoDB rejects the step to delivery of email " + claim.id(),
            null);
      }
    }
    return standing;
  }

  private BatchStatementRequest statement(Claim claim, Instant now) {
    return BatchStatementRequest.builder()
        .statement(
            """
            UPDATE "%s" SET "Attributes"."Latest"=? SET "Attributes"."UpdatedAt"=?
            SET "Prepared"=? SET "Sending"=? SET "Version"="Version"+1
            WHERE "Id"=? AND "Status"='_META' AND "Token"=? AND "Owner"=?
            AND "Attributes"."Latest"=?
            """
                .formatted(settings.emails()))
        .parameters(
            AttributeValues.text(State.PROCESSING.wireName()),
            AttributeValues.text(AttributeValues.sortable(now)),
            AttributeValues.micros(now),
            AttributeValues.micros(now),
            AttributeValues.text(claim.id().toString()),
            AttributeValues.number(claim.token()),
            AttributeValues.text(claim.node().value()),
            AttributeValues.text(State.INTAKING.wireName()))
        .build();
  }
}
