package dev.outbox.email;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Summaries to try things with. */
public final class SampleSummary {

  /** The node that holds whatever is held. */
  public static final NodeId NODE = new NodeId("web-1~0123456789abcdef");

  /** When each was stored. */
  public static final Instant CREATED = Instant.parse("2026-05-01T12:00:00Z");

  /** The counters of each. */
  public static final Counters PROGRESS = new Counters(1, 2, 3, 4);

  private SampleSummary() {}

  /** Returns an email in a state, held by {@link #NODE} if that is a busy one. */
  public static EmailSummary in(State state, @Nullable URI callbackUrl) {
    return of(state, null, headline(), callbackUrl);
  }

  static EmailSummary failed(FailureCode code) {
    return of(State.FAILED, code, headline(), null);
  }

  static EmailSummary erased() {
    return of(State.SENT, null, null, null);
  }

  private static EmailSummary of(
      State state,
      @Nullable FailureCode code,
      @Nullable AddressesAndSubject addressesAndSubject,
      @Nullable URI callbackUrl) {
    return new EmailSummary(
        EmailId.next(),
        state,
        addressesAndSubject,
        Priority.NORMAL,
        "welcome",
        Set.of("orders", "paid"),
        "r-1",
        callbackUrl,
        PROGRESS,
        Timeline.startingAt(CREATED),
        null,
        CREATED.plusSeconds(60),
        state.isBusy() ? NODE : null,
        null,
        code,
        null,
        null,
        List.of(),
        false);
  }

  private static AddressesAndSubject headline() {
    return new AddressesAndSubject(
        Address.parse("shop@example.com"),
        new Recipients(
            List.of(Address.parse("Ada <ada@example.com>")),
            List.of(Address.parse("cc@example.com")),
            List.of(Address.parse("bcc@example.com"))),
        "Order 42");
  }
}
