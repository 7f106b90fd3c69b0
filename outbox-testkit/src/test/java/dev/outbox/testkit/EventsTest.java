package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.eventbus.EventBus;
import dev.outbox.Outbox;
import dev.outbox.callback.CallbackResult;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.email.State;
import dev.outbox.event.OutboxEvent;
import dev.outbox.event.OutboxEvent.CallbackAbandoned;
import dev.outbox.event.OutboxEvent.CallbackAcknowledged;
import dev.outbox.event.OutboxEvent.EmailAccepted;
import dev.outbox.event.OutboxEvent.EmailErased;
import dev.outbox.event.OutboxEvent.EmailFailed;
import dev.outbox.event.OutboxEvent.EmailInvalid;
import dev.outbox.event.OutboxEvent.EmailRequeued;
import dev.outbox.event.OutboxEvent.EmailRetryScheduled;
import dev.outbox.event.OutboxEvent.EmailSent;
import dev.outbox.event.SendEmail;
import dev.outbox.settings.CallbackSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventsTest {

  private static final URI TOLD = URI.create("https://host.example.com/told");

  private final EventBus bus = new EventBus();
  private final EventLog events = EventLog.on(bus);
  private volatile CallbackResult told = new CallbackResult.Acknowledged(null);
  private final TestOutbox mail =
      TestOutbox.with(
          builder ->
              Mails.templates(builder)
                  .eventBus(bus)
                  .callback(notice -> told)
                  .callbacks(new CallbackSettings(0, Duration.ZERO, 1, Duration.ZERO)));
  private final Outbox outbox = mail.outbox();

  @AfterEach
  void everyHistoryIsAPath() {
    Paths.checkAll(outbox);
  }

  @Test
  void aSentEmailIsAcceptedAndSent() {
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();

    assertThat(events.all()).containsExactly(new EmailAccepted(id), new EmailSent(id, 0));
  }

  @Test
  void aRepeatedRequestIsNotAcceptedAgain() {
    Email email = Mails.to("ada@example.com").idempotencyKey("k").build();
    outbox.send(email);
    outbox.send(email);

    assertThat(events.all()).hasSize(1);
  }

  @Test
  void aDeferredEmailTellsWhenItIsTriedAgain() {
    mail.transport().answerNext(RecordingTransport::defer);
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();
    mail.advance(Duration.ofMinutes(1));
    mail.process();

    assertThat(events.all())
        .containsExactly(
            new EmailAccepted(id),
            new EmailRetryScheduled(id, 1, Duration.ofMinutes(1)),
            new EmailSent(id, 1));
  }

  @Test
  void aRefusedEmailTellsWhatTheRelaySaidOfEachRecipient() {
    mail.transport().answer(Mails.each(Map.of("ada@example.com", Status.REFUSED)));
    EmailId id = outbox.send(Mails.to("ada@example.com", "bob@example.com").build()).id();
    mail.process();

    EmailFailed failed = events.of(EmailFailed.class).get(0);
    assertThat(failed.id()).isEqualTo(id);
    assertThat(failed.code()).isEqualTo(FailureCode.REFUSED);
    assertThat(failed.recipients())
        .extracting(RecipientResult::recipient, RecipientResult::status)
        .containsExactly(
            tuple("ada@example.com", Status.REFUSED), tuple("bob@example.com", Status.ACCEPTED));
  }

  @Test
  void anEmailThatCannotBeRenderedIsInvalid() {
    EmailId id =
        outbox
            .send(Email.to("ada@example.com").template("welcome", Map.of("name", "Ada")).build())
            .id();
    mail.process();

    assertThat(events.all()).containsExactly(new EmailAccepted(id), new EmailInvalid(id));
  }

  @Test
  void aRequeuedEmailIsTold() {
    mail.transport().answerNext(RecordingTransport::refuse);
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();
    outbox.requeue(id);
    mail.process();

    assertThat(events.all())
        .filteredOn(event -> !(event instanceof EmailFailed))
        .containsExactly(new EmailAccepted(id), new EmailRequeued(id), new EmailSent(id, 0));
  }

  @Test
  void aCancelledEmailIsToldAsFailed() {
    EmailId id = outbox.send(Mails.plain()).id();
    outbox.cancel(id);
    outbox.cancel(EmailId.next());
    EmailId sent = outbox.send(Mails.plain()).id();
    mail.process();
    outbox.cancel(sent);

    assertThat(events.of(EmailFailed.class))
        .containsExactly(new EmailFailed(id, FailureCode.CANCELLED, List.of()));
  }

  @Test
  void anErasedEmailIsTold() {
    EmailId id = outbox.send(Mails.plain()).id();
    outbox.erase(id);
    outbox.erase(EmailId.next());

    assertThat(events.all()).containsExactly(new EmailAccepted(id), new EmailErased(id));
  }

  @Test
  void aRequeueThatDidNotHappenIsNotTold() {
    EmailId id = outbox.send(Mails.plain()).id();
    outbox.requeue(id);
    outbox.requeue(EmailId.next());

    assertThat(events.of(EmailRequeued.class)).isEmpty();
  }

  @Test
  void aHostThatWasToldIsTold() {
    EmailId id = outbox.send(Mails.to("ada@example.com").callbackUrl(TOLD).build()).id();
    mail.process();

    assertThat(events.all())
        .containsExactly(
            new EmailAccepted(id), new EmailSent(id, 0), new CallbackAcknowledged(id, State.SENT));
  }

  @Test
  void aHostThatCannotBeToldIsAnEventForTheOperator() {
    told = new CallbackResult.Unavailable(null, "down", "secret words");
    mail.transport().answer(RecordingTransport::refuse);
    EmailId id = outbox.send(Mails.to("ada@example.com").callbackUrl(TOLD).build()).id();
    mail.process();

    assertThat(events.of(CallbackAbandoned.class))
        .containsExactly(new CallbackAbandoned(id, State.FAILED));
  }

  @Test
  void anOutcomeIsToldOnceAndNotAgainByItsCallback() {
    EmailId id = outbox.send(Mails.to("ada@example.com").callbackUrl(TOLD).build()).id();
    mail.process();
    mail.process();

    assertThat(events.of(id)).filteredOn(EmailSent.class::isInstance).hasSize(1);
  }

  @Test
  void eventsShowNothingPersonal() {
    Email email =
        Email.to("ada@example.com", "bob@example.com")
            .template("welcome", Mails.WELCOME)
            .callbackUrl(TOLD)
            .build();
    mail.transport().answerNext(Mails.each(Map.of("ada@example.com", Status.PENDING)));
    mail.transport().answerNext(Mails.each(Map.of("ada@example.com", Status.REFUSED)));
    EmailId id = outbox.send(email).id();
    mail.process();
    mail.advance(Duration.ofMinutes(1));
    mail.process();
    outbox.requeue(id);
    mail.process();

    assertThat(events.all()).hasSizeGreaterThan(5);
    for (OutboxEvent event : events.all()) {
      assertThat(event.toString()).doesNotContain(Mails.PERSONAL).contains(id.toString());
    }
    assertThat(new SendEmail(email).toString()).doesNotContain(Mails.PERSONAL);
    assertThat(List.of(new SendEmail(Mails.plain())).toString()).doesNotContain(Mails.PERSONAL);
  }
}
