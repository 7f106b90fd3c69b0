package dev.outbox.mysql;

import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.Priority;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plain emails to be stored, and claims on them. */
final class Samples {

  private Samples() {}

  static NewEmail email() {
    return email(null, null);
  }

  static NewEmail keyed(String key) {
    return keyed(Sha256.of(key));
  }

  static NewEmail keyed(Sha256 key) {
    return email(new IdempotencyKey(key, Sha256.of("one content")), null);
  }

  static NewEmail sendAt(Instant time) {
    return email(null, time);
  }

  static NewEmail withSubject(@Nullable String subject) {
    return email(EmailId.next(), subject, null, null);
  }

  static NewEmail withId(EmailId id) {
    return email(id, "Your order", null, null);
  }

  private static NewEmail email(@Nullable IdempotencyKey key, @Nullable Instant sendAt) {
    return email(EmailId.next(), "Your order", key, sendAt);
  }

  private static NewEmail email(
      EmailId id,
      @Nullable String subject,
      @Nullable IdempotencyKey key,
      @Nullable Instant sendAt) {
    return new NewEmail(
        id,
        new AddressesAndSubject(
            Address.parse("shop@example.com"),
            Recipients.of(Address.parse("ada@example.com")),
            subject),
        Priority.NORMAL,
        null,
        Set.of(),
        null,
        null,
        key,
        sendAt,
        Duration.ofDays(3),
        Bytes.utf8("{}"));
  }

  /** Claims what is accepted and due. */
  static List<Claim> claim(OutboxStore store, NodeId node, int limit) {
    return store.claim(
        new ClaimRequest(node, State.ACCEPTED, Map.of(PriorityLane.NORMAL, limit), 1L << 40));
  }
}
