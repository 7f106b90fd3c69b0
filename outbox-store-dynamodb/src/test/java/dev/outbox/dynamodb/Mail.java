package dev.outbox.dynamodb;

import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.Priority;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.NewEmail;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.Sha256;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Emails and requests as tests need them. */
final class Mail {

  private Mail() {}

  static NewEmail email() {
    return email(null, Bytes.utf8("{\"order\": 42}"));
  }

  static NewEmail keyed(String key) {
    return email(key, Bytes.utf8("{\"order\": 42}"));
  }

  static NewEmail email(@Nullable String key, Bytes payload) {
    return new NewEmail(
        EmailId.next(),
        new AddressesAndSubject(
            Address.parse("Analytical Engines <shop@example.com>"),
            Recipients.of(Address.parse("Ada Lovelace <ada.lovelace@example.com>")),
            "Your order 42 of the Analytical Engine"),
        Priority.NORMAL,
        "order-confirmed",
        Set.of("orders"),
        "request-4711",
        null,
        key == null ? null : new IdempotencyKey(Sha256.of(key), Sha256.of("content")),
        null,
        Duration.ofDays(3),
        payload);
  }

  static ClaimRequest claim(NodeId node, State from, int limit) {
    return new ClaimRequest(node, from, Map.of(PriorityLane.NORMAL, limit), 1L << 40);
  }
}
