package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.CancelResult;
import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import dev.outbox.testkit.TestOutbox;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The code of docs/recipes/scheduled-mail.md. */
class ScheduledMailTest {

  private final TestOutbox mail = TestOutbox.create();
  private final Outbox outbox = mail.outbox();
  private final Instant tomorrow = Instant.now().plus(Duration.ofDays(1));

  @Test
  void aReminderLeavesAtItsTimeAndNotMuchLater() {
    remind();
    mail.assertNothingSent();
    mail.advance(Duration.ofHours(25));
    mail.assertSent().count(1);
  }

  @Test
  void aReminderThatCouldNotLeaveInTimeDoesNotLeave() {
    remind();
    mail.advance(Duration.ofHours(24 + 7));
    mail.assertNothingSent();
  }

  @Test
  void aReminderThatNobodyNeedsAnyMoreIsCancelled() {
    Receipt reminder = remind();
    CancelResult result = outbox.cancel(reminder.id());

    assertThat(result).isEqualTo(CancelResult.CANCELLED);
    mail.advance(Duration.ofHours(25));
    mail.assertNothingSent();
  }

  private Receipt remind() {
    return outbox.send(
        Email.to("ada@example.com")
            .template("order-confirmed", Map.of("id", 42))
            .idempotencyKey("order-42-reminder")
            .sendAt(tomorrow)
            .expireAfter(Duration.ofHours(6)) // counted from then
            .build());
  }
}
