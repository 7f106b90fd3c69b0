package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.callback.CallbackResult;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A pass without threads beats for itself, however long it takes. */
class LongPassTest {

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final WireTap wire = new WireTap();
  private final FakeHost host = new FakeHost();
  private final TestOutbox mail =
      TestOutbox.with(builder -> builder.transport(wire).callback(host));
  private final Outbox outbox = mail.outbox();

  @Test
  void allThatIsDueIsSentThoughEverySendTakesSeconds() {
    wire.answer(
        envelope -> {
          mail.advance(Duration.ofSeconds(3));
          return RecordingTransport.accept(envelope);
        });
    outbox.sendAll(Mails.many(50));

    assertThat(outbox.processDue()).isEqualTo(50);

    assertThat(wire.offers()).hasSize(50);
    assertThat(outbox.stats().states()).isEmpty();
  }

  @Test
  void noOtherNodeTakesWhatALongPassHolds() {
    try (Outbox other =
        Outbox.builder(mail.store())
            .transport(wire)
            .defaultFrom("a@example.com")
            .monotonicClock(() -> Duration.between(START, mail.store().now()).toNanos())
            .build()) {
      wire.answer(
          envelope -> {
            mail.advance(Duration.ofSeconds(3));
            other.processDue();
            return RecordingTransport.accept(envelope);
          });
      host.answer(
          notice -> {
            mail.advance(Duration.ofSeconds(3));
            other.processDue();
            return new CallbackResult.Acknowledged(null);
          });
      for (int i = 0; i < 20; i++) {
        outbox.send(FakeHost.email().build());
      }

      mail.process();

      assertThat(wire.offers()).extracting(WireTap.Offer::id).doesNotHaveDuplicates().hasSize(20);
      assertThat(host.notices()).hasSize(20);
      assertThat(outbox.stats().states()).isEmpty();
    }
  }
}
