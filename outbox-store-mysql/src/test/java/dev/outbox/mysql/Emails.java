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
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.PriorityLane;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Emails for tests that are about something else. */
final class Emails {

  static final NodeId NODE = NodeId.incarnate("test");

  private Emails() {}

  static NewEmail plain() {
    return withPayload(Bytes.utf8("{\"order\": 42}"));
  }

  static NewEmail withPayload(Bytes payload) {
    return new NewEmail(
        EmailId.next(),
        new AddressesAndSubject(
            Address.parse("shop@example.com"),
            Recipients.of(Address.parse("ada.lovelace@example.com")),
            "Your order of the Analytical Engine"),
        Priority.NORMAL,
        null,
        Set.of(),
        null,
        null,
        null,
        null,
        Duration.ofDays(1),
        payload);
  }

  /** Claims everything that is due. */
  static List<Claim> claim(OutboxStore store, State from) {
    return store.claim(new ClaimRequest(NODE, from, Map.of(PriorityLane.NORMAL, 1_000), 1L << 30));
  }
}
