package dev.outbox.mysql;

import static java.util.stream.Collectors.toSet;

import dev.outbox.content.LargeContent;
import dev.outbox.email.EmailId;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.Sha256;
import dev.outbox.store.StoreException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * Stores new emails. The table of keys is the only arbiter of whose a key is: a key is written
 * before its email in the same transaction, and who comes second waits there for the first.
 */
final class InsertOperations {

  private final SqlStatements sql;
  private final TransactionRunner database;
  private final ContentStorage contents;

  InsertOperations(SqlStatements sql, TransactionRunner database, ContentStorage contents) {
    this.sql = sql;
    this.database = database;
    this.contents = contents;
  }

  /** Who has a key. */
  private record Holder(EmailId id, Sha256 fingerprint) {

    InsertResult answer(NewEmail email, IdempotencyKey key) {
      InsertResult.Status status =
          id.equals(email.id())
              ? InsertResult.Status.CREATED
              : fingerprint.equals(key.fingerprint())
                  ? InsertResult.Status.EXISTING
                  : InsertResult.Status.CONFLICT;
      return new InsertResult(id, status);
    }
  }

  /** Stores emails in a transaction of its own. */
  List<InsertResult> insert(List<NewEmail> emails) {
    return insert(emails, false);
  }

  private List<InsertResult> insert(List<NewEmail> emails, boolean before) {
    emails.forEach(email -> contents.check(email.payload()));
    if (emails.isEmpty()) {
      return List.of();
    }
    SavedContent<EmailId> payloads = new SavedContent<>(contents);
    List<InsertResult> answers =
        payloads.during(
            () -> {
              save(emails, payloads);
              return database.transactOnce(
                  what(),
                  before,
                  (handle, again) -> {
                    List<InsertResult> inserted =
                        insert(handle, again, emails, payloads, at -> keys(handle, at));
                    payloads.mayBeCommitted();
                    return inserted;
                  });
            });
    discardUnused(answers, payloads);
    return answers;
  }

  /**
   * Stores emails that have nothing to do with each other. Without keys that is one request, which
   * needs no transaction around it.
   *
   * @param before whether an earlier call may have stored some of them
   */
  List<InsertResult> insertEach(List<NewEmail> emails, boolean before) {
    if (!sql.insertsAtOnce || emails.stream().anyMatch(email -> email.key() != null)) {
      return insert(emails, before);
    }
    emails.forEach(email -> contents.check(email.payload()));
    SavedContent<EmailId> payloads = new SavedContent<>(contents);
    return payloads.during(
        () -> {
          save(emails, payloads);
          return database.runOnce(
              what(),
              before,
              (handle, again) -> {
                // Each statement commits by itself.
                payloads.mayBeCommitted();
                return insert(handle, again, emails, payloads, at -> keys(handle, at));
              });
        });
  }

  /**
   * Stores emails in the host's transaction. Who has a key that is taken is read on a connection of
   * our own: the host's snapshot may be older than that.
   */
  List<InsertResult> insertInto(Handle handle, List<NewEmail> emails) {
    emails.forEach(email -> contents.check(email.payload()));
    // The host decides whether its transaction is committed, also after an error of ours.
    SavedContent<EmailId> payloads = new SavedContent<>(contents);
    save(emails, payloads);
    List<InsertResult> answers =
        database.joined(
            what(),
            () ->
                insert(
                    handle,
                    false,
                    emails,
                    payloads,
                    taken -> {
                      Map<Sha256, Holder> holders = keys(handle, taken);
                      Set<Sha256> unseen = new HashSet<>(taken);
                      unseen.removeAll(holders.keySet());
                      if (!unseen.isEmpty()) {
                        holders.putAll(database.run("read keys", own -> keys(own, unseen)));
                      }
                      return holders;
                    }));
    discardUnused(answers, payloads);
    return answers;
  }

  private static String what() {
    return "store emails";
  }

  private static void save(List<NewEmail> emails, SavedContent<EmailId> payloads) {
    emails.forEach(
        email -> payloads.save(email.id(), email.id(), LargeContent.Kind.PAYLOAD, email.payload()));
  }

  /** Removes the files of emails that were not stored, because another has their key. */
  private static void discardUnused(List<InsertResult> answers, SavedContent<EmailId> payloads) {
    payloads.discardExcept(answers.stream().map(InsertResult::id).collect(toSet()));
  }

  /** Looks for the emails themselves only when it is told to: their ids are new, as a rule. */
  private List<InsertResult> insert(
      Handle handle,
      boolean again,
      List<NewEmail> emails,
      SavedContent<EmailId> payloads,
      Function<Set<Sha256>, Map<Sha256, Holder>> holders) {
    Set<EmailId> known =
        again ? known(handle, emails.stream().map(NewEmail::id).toList()) : Set.of();
    Map<Sha256, NewEmail> firsts = new TreeMap<>((a, b) -> a.hex().compareTo(b.hex()));
    for (NewEmail email : emails) {
      if (email.key() != null && !known.contains(email.id())) {
        firsts.putIfAbsent(email.key().key(), email);
      }
    }
    Map<Sha256, Holder> owners = take(handle, firsts, holders);
    List<InsertResult> answers = new ArrayList<>();
    Map<EmailId, NewEmail> created = new LinkedHashMap<>();
    for (NewEmail email : emails) {
      IdempotencyKey key = email.key();
      InsertResult answer =
          key == null || known.contains(email.id())
              ? new InsertResult(email.id(), InsertResult.Status.CREATED)
              : owner(owners, key).answer(email, key);
      answers.add(answer);
      if (answer.status() == InsertResult.Status.CREATED && !known.contains(email.id())) {
        created.putIfAbsent(email.id(), email);
      }
    }
    write(handle, created.values(), payloads);
    return answers;
  }

  private static Holder owner(Map<Sha256, Holder> owners, IdempotencyKey key) {
    Holder holder = owners.get(key.key());
    if (holder == null) {
      // It was there a moment ago, and has been pruned since: the next try finds it free.
      throw new StoreException(
          StoreException.Reason.UNAVAILABLE,
          "an idempotency key was freed meanwhile; try again",
          null);
    }
    return holder;
  }

  /** Takes all keys that are free, and tells whose each of them is. */
  private Map<Sha256, Holder> take(
      Handle handle,
      Map<Sha256, NewEmail> firsts,
      Function<Set<Sha256>, Map<Sha256, Holder>> holders) {
    if (firsts.isEmpty()) {
      return Map.of();
    }
    if (firsts.size() == 1) {
      Map.Entry<Sha256, NewEmail> only = firsts.entrySet().iterator().next();
      try (var statement = handle.createUpdate(sql.insertKeys)) {
        bindKey(statement, only.getKey(), only.getValue());
        if (statement.execute() == 1) {
          return Map.of(only.getKey(), holder(only.getValue()));
        }
      }
      return holders.apply(firsts.keySet());
    }
    try (PreparedBatch batch = handle.prepareBatch(sql.insertKeys)) {
      firsts.forEach(
          (key, email) -> {
            bindKey(batch, key, email);
            batch.add();
          });
      batch.execute();
    }
    return holders.apply(firsts.keySet());
  }

  private static void bindKey(SqlStatement<?> statement, Sha256 key, NewEmail email) {
    statement
        .bind("key_hash", BinaryIds.bytes(key))
        .bind("id", BinaryIds.bytes(email.id()))
        .bind("fingerprint", BinaryIds.bytes(holder(email).fingerprint()));
  }

  private static Holder holder(NewEmail email) {
    IdempotencyKey key = email.key();
    if (key == null) {
      throw new IllegalArgumentException("key: none");
    }
    return new Holder(email.id(), key.fingerprint());
  }

  private Map<Sha256, Holder> keys(Handle handle, Set<Sha256> keys) {
    Map<Sha256, Holder> holders = new HashMap<>();
    handle
        .createQuery(sql.keys)
        .bindList("keys", BinaryIds.padded(keys.stream().map(BinaryIds::bytes).toList()))
        .map(
            (row, context) ->
                Map.entry(
                    BinaryIds.digest(row.getBytes("key_hash")),
                    new Holder(
                        BinaryIds.id(row.getBytes("email_id")),
                        BinaryIds.digest(row.getBytes("fingerprint")))))
        .forEach(entry -> holders.put(entry.getKey(), entry.getValue()));
    return holders;
  }

  /** Returns those that are stored already, because an earlier try's answer was lost. */
  Set<EmailId> known(Handle handle, Collection<EmailId> ids) {
    Set<EmailId> known = new HashSet<>();
    for (String query : List.of(sql.knownEmails, sql.knownLog)) {
      handle
          .createQuery(query)
          .bindList("ids", BinaryIds.list(ids))
          .map((row, context) -> BinaryIds.id(row.getBytes("id")))
          .forEach(known::add);
    }
    return known;
  }

  private void write(Handle handle, Collection<NewEmail> emails, SavedContent<EmailId> payloads) {
    sql.insertEmails.execute(handle, emails, (values, email) -> bind(values, email, payloads));
  }

  private static void bind(RowParameters values, NewEmail email, SavedContent<EmailId> payloads) {
    ContentStorage.@Nullable Place place = payloads.get(email.id());
    IdempotencyKey key = email.key();
    if (place == null) {
      throw new IllegalStateException("payload: not kept");
    }
    values
        .bind("id", BinaryIds.bytes(email.id()))
        .bind("lane", EmailRecordMapper.code(PriorityLane.of(email.priority())))
        .bind("priority", EmailRecordMapper.code(email.priority()))
        .bind("send_at", email.sendAt())
        .bind("lifetime", email.lifetime().toNanos() / 1_000)
        .bind("key_hash", key == null ? null : BinaryIds.bytes(key.key()))
        .bind("fingerprint", key == null ? null : BinaryIds.bytes(key.fingerprint()))
        .bind("template", email.template())
        .bind("tags", TextListFormat.ofTags(email.tags()))
        .bind("id_request", email.requestId())
        .bind("callback_url", email.callbackUrl() == null ? null : email.callbackUrl().toString())
        .bind("payload_bytes", place.bytes())
        .bind("payload", place.column())
        .bind("payload_file_path", place.file());
    EmailRecordMapper.bind(values, email.addressesAndSubject());
  }
}
