package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;

/**
 * The items of idempotency keys. A key's time to live is set when it is stored, far enough away,
 * and moved when the email turns out to live longer; so archiving need not touch it.
 */
final class IdempotencyKeys {

  /** How much longer a key lives than its email. */
  static final Duration LONGER = Duration.ofDays(1);

  /** How long an email may take to its outcome beyond its lifetime before its key is renewed. */
  private static final Duration SPARE = Duration.ofDays(7);

  private final DynamoDbRequests dynamo;
  private final DynamoDbSettings settings;

  IdempotencyKeys(DynamoDbRequests dynamo, DynamoDbSettings settings) {
    this.dynamo = dynamo;
    this.settings = settings;
  }

  /** Returns when the key of an email that waits goes, in seconds. */
  long expires(EmailItem row) {
    Instant end = row.due == null ? row.deadline : row.due.plus(row.lifetime);
    return end.plus(longest()).plus(SPARE).getEpochSecond();
  }

  private Duration longest() {
    RetentionSettings retention = settings.retention();
    return Stream.of(retention.log(), retention.failed(), retention.invalid())
        .reduce(Duration.ZERO, (a, b) -> a.compareTo(b) > 0 ? a : b);
  }

  static Map<String, AttributeValue> key(String hex) {
    return AttributeValues.key(AttributeNames.KEY_PREFIX + hex, AttributeNames.KEY);
  }

  static Map<String, AttributeValue> item(EmailId id, IdempotencyKey key, long expires) {
    Map<String, AttributeValue> item = new HashMap<>(key(key.key().hex()));
    item.put(AttributeNames.EMAIL, AttributeValues.text(id.toString()));
    item.put(AttributeNames.FINGERPRINT, AttributeValues.text(key.fingerprint().hex()));
    item.put(AttributeNames.TTL, AttributeValues.number(expires));
    return item;
  }

  /** Returns what a key that is taken says to an email that wants it. */
  static InsertResult answer(NewEmail email, Map<String, AttributeValue> taken) {
    EmailId first =
        AttributeValues.idOf(taken, AttributeNames.EMAIL)
            .orElseThrow(
                () ->
                    new StoreException(
                        StoreException.Reason.REJECTED_DATA,
                        "the item of the idempotency key of email %s cannot be read"
                            .formatted(email.id()),
                        null));
    IdempotencyKey key = email.key();
    if (first.equals(email.id()) || key == null) {
      return new InsertResult(email.id(), InsertResult.Status.CREATED);
    }
    boolean same =
        key.fingerprint().hex().equals(AttributeValues.textOf(taken, AttributeNames.FINGERPRINT));
    return new InsertResult(
        first, same ? InsertResult.Status.EXISTING : InsertResult.Status.CONFLICT);
  }

  /** Looks a key up. */
  Optional<Map<String, AttributeValue>> find(IdempotencyKey key) {
    return dynamo
        .get(settings.emails(), key(key.key().hex()))
        .filter(item -> !AttributeValues.isExpired(item, Instant.now()));
  }

  /** Lets keys live until their emails are gone, if they did not anyway. */
  void renew(EmailItem row) {
    if (row.key == null) {
      return;
    }
    long needed = row.ttl == null ? expires(row) : row.ttl + LONGER.toSeconds();
    if (row.keyExpires >= needed) {
      return;
    }
    dynamo.statements(
        List.of(
            BatchStatementRequest.builder()
                .statement(
                    """
                    UPDATE "%s" SET "TTL"=? WHERE "Id"=? AND "Status"=? AND "Email"=?
                    """
                        .formatted(settings.emails()))
                .parameters(
                    AttributeValues.number(needed),
                    AttributeValues.text(AttributeNames.KEY_PREFIX + row.key),
                    AttributeValues.text(AttributeNames.KEY),
                    AttributeValues.text(row.id.toString()))
                .build()));
    row.keyExpires = needed;
  }
}
