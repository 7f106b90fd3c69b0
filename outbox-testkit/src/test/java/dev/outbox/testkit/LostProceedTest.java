package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.settings.LeaseSettings;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Emails that went to the wire's edge without their node's hearing of it do not stay there. */
class LostProceedTest {

  private static final int EMAILS = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Beats come so often that outages end before the results of their victims are recorded. */
  private static final LeaseSettings LEASE =
      new LeaseSettings(Duration.ofMillis(1), Duration.ofSeconds(15));

  private final Faults faults = new Faults(new InMemoryStore());
  private final RecordingTransport transport = new RecordingTransport();

  @Test
  void emailsWhoseNodeDidNotHearThatTheyMayLeaveAreSentAllTheSame() {
    try (Outbox outbox =
        Outbox.builder(faults.seen())
            .transport(transport)
            .defaultFrom("shop@example.com")
            .lease(LEASE)
            .build()
            .start()) {
      faults.loseAnswersOf("beginDelivery");
      var unused =
          outbox.sendAll(
              IntStream.range(0, EMAILS)
                  .mapToObj(
                      number ->
                          Email.to("ada@example.com").subject("Order").text("Thank you").build())
                  .toList());
      await().atMost(PATIENCE).until(() -> faults.callsOf("beginDelivery") >= 2);
      faults.loseNoAnswers();

      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(outbox.stats().states()).as("what is still held").isEmpty());
      assertThat(transport.sent()).hasSize(EMAILS);
    }
  }
}
