package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.eventbus.EventBus;
import dev.outbox.CancelResult;
import dev.outbox.Outbox;
import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.Receipt;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.email.State;
import dev.outbox.event.OutboxEvent.EmailRequeued;
import dev.outbox.retry.RetryPolicy;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.transport.DeliveryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What people can do to emails by hand. */
class MovesTest {

  private final EventBus bus = new EventBus();
  private final EventLog events = EventLog.on(bus);
  private final WireTap wire = new WireTap();
  private final TestOutbox mail =
      TestOutbox.with(
          builder ->
              Mails.templates(builder)
                  .transport(wire)
                  .eventBus(bus)
                  .retries(RetryPolicy.never())
                  .unknownOutcome(UnknownOutcomePolicy.HOLD));
  private final Outbox outbox = mail.outbox();

  @AfterEach
  void everyHistoryIsAPath() {
    Paths.checkAll(outbox);
  }

  @Test
  void aWaitingEmailCanBeCancelled() {
    EmailId id = outbox.send(Mails.plain()).id();

    assertThat(outbox.cancel(id)).isEqualTo(CancelResult.CANCELLED);
    assertThat(outbox.cancel(id)).as("again").isEqualTo(CancelResult.CANCELLED);
    mail.process();

    assertThat(wire.offers()).isEmpty();
    assertThat(Mails.summary(mail, id).code()).isEqualTo(FailureCode.CANCELLED);
    assertThat(Paths.path(outbox, id)).containsExactly(State.ACCEPTED, State.FAILED);
  }

  @Test
  void anEmailCancelledWhileItIsTakenInDropsOutBeforeTheWire() {
    EmailId id = outbox.send(Mails.plain()).id();
    List<CancelResult> answers = new ArrayList<>();
    wire.compose(
        message -> {
          answers.add(outbox.cancel(message.id()));
          return Bytes.utf8("x");
        });
    mail.process();

    assertThat(answers).containsExactly(CancelResult.CANCELLED);
    assertThat(wire.offers()).isEmpty();
    assertThat(Mails.summary(mail, id).code()).isEqualTo(FailureCode.CANCELLED);
    assertThat(outbox.stats().inFlight()).isZero();
  }

  @Test
  void anEmailOnTheWireOrSettledCannotBeCancelled() {
    List<CancelResult> answers = new ArrayList<>();
    wire.answer(
        envelope -> {
          answers.add(outbox.cancel(envelope.id()));
          return RecordingTransport.accept(envelope);
        });
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();
    answers.add(outbox.cancel(id));

    assertThat(answers).containsExactly(CancelResult.TOO_LATE, CancelResult.TOO_LATE);
    assertThat(outbox.cancel(EmailId.next())).isEqualTo(CancelResult.NOT_FOUND);
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT);
  }

  @Test
  void onlyWhatFailedCanBeRequeued() {
    EmailId waiting = outbox.send(Mails.plain()).id();
    assertThat(outbox.requeue(waiting)).isFalse();
    mail.process();
    assertThat(outbox.requeue(waiting)).as("sent").isFalse();
    assertThat(outbox.requeue(EmailId.next())).as("unknown").isFalse();
    assertThat(wire.offers()).hasSize(1);
  }

  @Test
  void anInvalidEmailCanBeRequeued() {
    EmailId id =
        outbox
            .send(Email.to("ada@example.com").template("welcome", Map.of("name", "Ada")).build())
            .id();
    mail.process();

    assertThat(outbox.requeue(id)).isTrue();
    mail.process();

    assertThat(Mails.summary(mail, id).progress().generation()).isEqualTo(1);
    assertThat(Paths.path(outbox, id))
        .containsExactly(
            State.ACCEPTED,
            State.INTAKING,
            State.INVALID,
            State.ACCEPTED,
            State.INTAKING,
            State.INVALID);
  }

  @Test
  void aCancelledEmailCanBeRequeuedByName() {
    EmailId id = outbox.send(Mails.plain()).id();
    outbox.cancel(id);

    assertThat(outbox.requeue(id)).isTrue();
    mail.process();

    assertThat(Paths.path(outbox, id))
        .containsExactly(
            State.ACCEPTED,
            State.FAILED,
            State.ACCEPTED,
            State.INTAKING,
            State.PROCESSING,
            State.SENT);
  }

  @Test
  void requeueingEverythingLeavesAloneWhatNobodyWantsSentAgain() {
    Map<FailureCode, EmailId> failed = oneOfEach();
    wire.answer(RecordingTransport::accept);

    int requeued = outbox.requeueAll(EmailQuery.all());

    assertThat(requeued).isEqualTo(3);
    assertThat(events.of(EmailRequeued.class)).hasSize(3);
    assertThat(code(failed, FailureCode.REFUSED)).isNull();
    assertThat(code(failed, FailureCode.ATTEMPTS)).isNull();
    for (FailureCode code :
        List.of(FailureCode.CANCELLED, FailureCode.EXPIRED, FailureCode.OUTCOME_UNKNOWN)) {
      assertThat(code(failed, code)).isEqualTo(code);
    }
  }

  @Test
  void whatTheQueryNamesIsRequeued() {
    Map<FailureCode, EmailId> failed = oneOfEach();

    for (FailureCode code :
        List.of(FailureCode.CANCELLED, FailureCode.EXPIRED, FailureCode.OUTCOME_UNKNOWN)) {
      assertThat(outbox.requeueAll(EmailQuery.all().codes(code))).as("%s", code).isEqualTo(1);
      assertThat(code(failed, code)).isNull();
    }
    assertThat(code(failed, FailureCode.REFUSED)).isEqualTo(FailureCode.REFUSED);
  }

  /** Makes an email fail for each reason but a worker's death, an invalid one and a sent one. */
  private Map<FailureCode, EmailId> oneOfEach() {
    outbox.send(Email.to("ada@example.com").template("welcome", Map.of("name", "Ada")).build());
    EmailId expired =
        outbox.send(Mails.to("old@example.com").expireAfter(Duration.ofMinutes(1)).build()).id();
    mail.advance(Duration.ofMinutes(1));
    EmailId refused = outbox.send(Mails.to("refused@example.com").build()).id();
    EmailId attempts = outbox.send(Mails.to("deferred@example.com").build()).id();
    EmailId unknown = outbox.send(Mails.to("unknown@example.com").build()).id();
    EmailId cancelled = outbox.send(Mails.to("cancelled@example.com").build()).id();
    outbox.send(Mails.to("sent@example.com").build());
    outbox.cancel(cancelled);
    wire.answer(
        envelope ->
            switch (envelope.recipients().get(0).local()) {
              case "refused" -> RecordingTransport.refuse(envelope);
              case "deferred" -> RecordingTransport.defer(envelope);
              case "unknown" -> new DeliveryResult.Unknown("lost");
              default -> RecordingTransport.accept(envelope);
            });
    mail.process();
    Map<FailureCode, EmailId> failed =
        Map.of(
            FailureCode.EXPIRED, expired,
            FailureCode.REFUSED, refused,
            FailureCode.ATTEMPTS, attempts,
            FailureCode.OUTCOME_UNKNOWN, unknown,
            FailureCode.CANCELLED, cancelled);
    failed.forEach((code, id) -> assertThat(Mails.summary(mail, id).code()).isEqualTo(code));
    return failed;
  }

  private @Nullable FailureCode code(Map<FailureCode, EmailId> failed, FailureCode code) {
    return Mails.summary(mail, Objects.requireNonNull(failed.get(code))).code();
  }

  @Test
  void requeueingEverythingTakesMoreThanAPage() {
    wire.answer(RecordingTransport::refuse);
    outbox.sendAll(Mails.many(1_234));
    mail.process();
    wire.answer(RecordingTransport::accept);

    assertThat(outbox.requeueAll(EmailQuery.all().states(State.FAILED))).isEqualTo(1_234);
    mail.process();

    assertThat(outbox.stats().states()).isEmpty();
  }

  @Test
  void erasingTakesAllPersonalDataAwayAndKeepsTheKey() {
    wire.answer(Mails.each(Map.of("ada@example.com", Status.REFUSED)));
    Email email = Mails.to("ada@example.com").idempotencyKey("k").requestId("r").build();
    EmailId id = outbox.send(email).id();
    mail.process();

    assertThat(outbox.erase(id)).isTrue();
    assertThat(outbox.erase(id)).as("again").isTrue();

    EmailSummary erased = Mails.summary(mail, id);
    assertThat(erased.erased()).isTrue();
    assertThat(erased.addressesAndSubject()).isNull();
    assertThat(erased.response()).isNull();
    assertThat(erased.recipients()).isEmpty();
    assertThat(outbox.find(id).orElseThrow().content()).isNull();
    assertThat(outbox.history(id)).extracting(HistoryEntry::detail).containsOnlyNulls();
    assertThat(outbox.requeue(id)).as("without content").isFalse();
    assertThat(outbox.send(email)).isEqualTo(new Receipt(id, false));
    assertThat(outbox.query(EmailQuery.all().recipient("ada@example.com"), null, 1).emails())
        .isEmpty();
  }

  @Test
  void erasingASentEmailWorksInTheLogToo() {
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();

    assertThat(outbox.erase(id)).isTrue();

    assertThat(Mails.summary(mail, id).erased()).isTrue();
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT);
  }

  @Test
  void erasingWhatWaitsCancelsIt() {
    EmailId id = outbox.send(Mails.plain()).id();

    assertThat(outbox.erase(id)).isTrue();
    mail.process();

    assertThat(wire.offers()).isEmpty();
    assertThat(Mails.summary(mail, id).code()).isEqualTo(FailureCode.CANCELLED);
  }

  @Test
  void anEmailOnTheWireIsNotErased() {
    List<Boolean> answers = new ArrayList<>();
    wire.answer(
        envelope -> {
          answers.add(outbox.erase(envelope.id()));
          return RecordingTransport.accept(envelope);
        });
    outbox.send(Mails.plain());
    mail.process();

    assertThat(answers).containsExactly(false);
    assertThat(outbox.erase(EmailId.next())).isFalse();
  }
}
