package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.store.Change;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Lane;
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
final class Claims {

  private static final Logger log = LoggerFactory.getLogger(Claims.class);

  private final Dynamo dynamo;
  private final Settings settings;
  private final Queue queue;
  private final Rows rows;
  private final Contents contents;
  private final Keys keys;
  private final PlainForm plain;
  private final Writes writes;
  private final Strangers strangers;
  private final PlainSteps steps;
  private final Postponing postponing;

  Claims(
      Dynamo dynamo,
      Settings settings,
      Queue queue,
      Rows rows,
      Contents contents,
      Keys keys,
      PlainForm plain,
      Writes writes,
      Strangers strangers) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.queue = queue;
    this.rows = rows;
    this.contents = contents;
    this.keys = keys;
    this.plain = plain;
    this.writes = writes;
    this.strangers = strangers;
    this.steps = new PlainSteps(settings, plain);
    this.postponing = new Postponing(writes);
  }

  /** Returns the entries of the emails that a request is to get. */
  List<Queue.Entry> chosen(ClaimRequest request) {
    Instant until = Inserts.now().plus(settings.skew());
    Map<Lane, List<Queue.Entry>> due =
        queue.due(request.from(), request.shares().keySet(), until, request.limit());
    List<Queue.Entry> chosen = new ArrayList<>();
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

  private static List<Queue.Entry> entries(Map<Lane, List<Queue.Entry>> due, Lane lane) {
    return due.getOrDefault(lane, List.of());
  }

  private static List<Queue.Entry> bounded(List<Queue.Entry> chosen, long maxBytes) {
    List<Queue.Entry> within = new ArrayList<>();
    long bytes = 0;
    for (Queue.Entry entry : chosen) {
      bytes += entry.size();
      if (bytes > maxBytes && !within.isEmpty()) {
        break;
      }
      within.add(entry);
    }
    return within;
  }

  /** Takes the emails of entries, as far as they still wait there. */
  List<Claim> take(ClaimRequest request, List<Queue.Entry> entries) {
    Instant now = Inserts.now();
    List<Queue.Entry> sound = entries.stream().filter(Queue.Entry::hasToken).toList();
    List<Queue.Entry> spoilt = new ArrayList<>(entries);
    spoilt.removeAll(sound);
    List<Dynamo.Updated> taken =
        plain.isOn()
            ? dynamo.transactions(
                sound.stream().map(entry -> steps.claim(request, entry, now)).toList())
            : dynamo.statements(
                sound.stream().map(entry -> statement(request, entry, now)).toList());
    List<Row> own = new ArrayList<>();
    Map<EmailId, Row> looked = doubtful(sound, taken);
    for (int i = 0; i < sound.size(); i++) {
      Queue.Entry entry = sound.get(i);
      Map<String, AttributeValue> item = taken.get(i).item();
      Row row = item.isEmpty() ? looked.get(entry.id()) : RowReader.read(item).orElse(null);
      if (taken.get(i).fate() == Dynamo.Fate.REFUSED) {
        spoilt.add(entry);
      } else if (row != null
          && request.node().equals(row.owner)
          && row.token == entry.token() + 1
          && row.state == request.busy()) {
        own.add(row);
      }
    }
    own.forEach(keys::renew);
    List<Row> mended = new ArrayList<>();
    spoilt.forEach(entry -> mended(request, entry, now).ifPresent(mended::add));
    own.addAll(mended);
    Contents.Loaded loaded = contents.load(own);
    // A row that was written just now cannot be written again, and is mostly invalid anyway.
    own.removeIf(
        row ->
            loaded.unavailable().contains(row.id)
                && !mended.contains(row)
                && postponing.isPostponed(row, request));
    return own.stream().map(row -> claim(row, loaded.contents().get(row.id), now)).toList();
  }

  /** Takes an email that no statement can take, by writing its whole row anew. */
  private Optional<Row> mended(ClaimRequest request, Queue.Entry entry, Instant now) {
    Optional<Row> found =
        dynamo
            .get(settings.emails(), Values.key(entry.id().toString(), Names.META))
            .filter(
                item ->
                    entry.queue().equals(Values.textOf(item, Names.QUEUE))
                        && entry.place().equals(Values.textOf(item, Names.DUE)))
            .flatMap(RowReader::read);
    found.filter(row -> row.foreign).ifPresent(row -> strangers.isNews(settings.emails(), row.id));
    return found.filter(row -> !row.foreign && isMended(row, request, now));
  }

  private boolean isMended(Row row, ClaimRequest request, Instant now) {
    try {
      return writes.commit(
          row,
          new Change(row.columns().claimed(request, now), List.of(), null, false, false, false));
    } catch (StoreException e) {
      if (e.reason() != StoreException.Reason.REJECTED_DATA) {
        throw e;
      }
      log.error("{} cannot be claimed, DynamoDB rejects its item: {}", row.id, e.getMessage());
      return false;
    }
  }

  /** Hands out an email; one whose row cannot be read has no headline, which makes it invalid. */
  private static Claim claim(Row row, @Nullable StoredContent content, Instant now) {
    if (row.isSpoilt()) {
      log.warn("{} is given up, its row cannot be read: {}", row.id, row.spoilt);
      row.headline = null;
      row.deadline = Values.LATEST;
    }
    return row.columns().claim(content, now);
  }

  /** Looks at what may have been taken by an attempt whose answer was lost. */
  private Map<EmailId, Row> doubtful(List<Queue.Entry> entries, List<Dynamo.Updated> taken) {
    List<EmailId> ids = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      if (taken.get(i).fate().mayBeMade() && taken.get(i).item().isEmpty()) {
        ids.add(entries.get(i).id());
      }
    }
    return ids.isEmpty() ? Map.of() : rows.hot(ids);
  }

  private BatchStatementRequest statement(ClaimRequest request, Queue.Entry entry, Instant now) {
    List<AttributeValue> parameters = new ArrayList<>();
    parameters.add(Values.text(request.busy().wireName()));
    parameters.add(Values.text(Values.sortable(now)));
    parameters.add(Values.text(request.node().value()));
    parameters.add(
        Values.text(
            Partitions.owned(request.node(), Partitions.shard(entry.id(), settings.shards()))));
    parameters.add(Values.text(request.busy().wireName()));
    String time = "";
    if (request.busy() == State.INTAKING || request.busy() == State.PROCESSING) {
      time =
          "SET \"%s\"=? "
              .formatted(request.busy() == State.INTAKING ? Names.PREPARING : Names.SENDING);
      parameters.add(Values.micros(now));
    }
    parameters.add(Values.text(entry.id().toString()));
    parameters.add(Values.text(entry.queue()));
    parameters.add(Values.text(entry.place()));
    parameters.add(Values.number(entry.token()));
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
    return claims.stream().filter(standing::contains).map(Claim::proceeded).toList();
  }

  /**
   * Returns which claims still stood; the index is not touched.
   *
   * @throws StoreException with the reason REJECTED_DATA if DynamoDB rejects the step of an email:
   *     its claim is not lost, and the caller has to record what becomes of it
   */
  private List<Claim> proceedOnce(List<Claim> claims) {
    Instant now = Inserts.now();
    List<Dynamo.Updated> gone =
        plain.isOn()
            ? dynamo.transactions(claims.stream().map(claim -> steps.proceed(claim, now)).toList())
            : dynamo.statements(claims.stream().map(claim -> statement(claim, now)).toList());
    Set<EmailId> doubtful = new HashSet<>();
    for (int i = 0; i < claims.size(); i++) {
      if (gone.get(i).fate() != Dynamo.Fate.DONE) {
        doubtful.add(claims.get(i).id());
      }
    }
    // What had gone before, by a call whose answer was lost, is as good.
    Map<EmailId, Row> looked = doubtful.isEmpty() ? Map.of() : rows.hot(doubtful);
    List<Claim> standing = new ArrayList<>();
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      Row row = looked.get(claim.id());
      if (!doubtful.contains(claim.id())
          || (row != null && row.state == State.PROCESSING && row.columns().isHeldUnder(claim))) {
        standing.add(claim);
      } else if (gone.get(i).fate() == Dynamo.Fate.REFUSED) {
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
            Values.text(State.PROCESSING.wireName()),
            Values.text(Values.sortable(now)),
            Values.micros(now),
            Values.micros(now),
            Values.text(claim.id().toString()),
            Values.number(claim.token()),
            Values.text(claim.node().value()),
            Values.text(State.INTAKING.wireName()))
        .build();
  }
}
