package dev.outbox.internal.stage;

import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Bytes;
import dev.outbox.email.Counters;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.NodeId;
import dev.outbox.email.Priority;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.email.Timeline;
import dev.outbox.store.Claim;
import dev.outbox.store.StoredContent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Claims of plain emails, all of one node. */
public final class SampleClaims {

  public static final NodeId NODE = NodeId.incarnate("n");

  private SampleClaims() {}

  public static Claim in(State busy) {
    return of(EmailId.next(), 1, busy);
  }

  public static Claim of(EmailId id, long token, State busy) {
    return of(id, token, busy, null);
  }

  public static Claim of(EmailId id, long token, State busy, @Nullable Bytes composed) {
    Instant now = Instant.parse("2030-01-01T00:00:00Z");
    EmailSummary email =
        new EmailSummary(
            id,
            busy,
            new AddressesAndSubject(
                Address.parse("shop@example.com"),
                Recipients.of(Address.parse("ada@example.com")),
                "Hello"),
            Priority.NORMAL,
            null,
            Set.of(),
            null,
            null,
            Counters.NONE,
            Timeline.startingAt(now),
            null,
            now.plus(Duration.ofDays(1)),
            NODE,
            null,
            null,
            null,
            null,
            List.of(),
            false);
    return new Claim(
        token,
        busy,
        email,
        new StoredContent(Bytes.utf8("{\"v\":1,\"text\":\"Hello\"}"), composed),
        Duration.ofDays(1));
  }
}
