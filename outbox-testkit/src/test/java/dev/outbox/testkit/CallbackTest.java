package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.OutboxBuilder;
import dev.outbox.callback.CallbackNotice;
import dev.outbox.callback.CallbackResult;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.email.State;
import dev.outbox.retry.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a host is told, and how often. */
class CallbackTest {

  private final FakeHost host = new FakeHost();
  private final TestOutbox mail =
      TestOutbox.with(builder -> Mails.templates(builder).callback(host));
  private final Outbox outbox = mail.outbox();

  @AfterEach
  void everyHistoryIsAPath() {
    Paths.checkAll(outbox);
  }

  @Test
  void aSentEmailIsToldOnceAndThenArchived() {
    EmailId id = outbox.send(FakeHost.email().requestId("order-42").build()).id();
    mail.process();
    mail.advance(Duration.ofDays(1));
    mail.process();

    assertThat(host.notices()).hasSize(1);
    CallbackNotice notice = host.notices().get(0);
    EmailSummary email = Mails.summary(mail, id);
    assertThat(notice.url()).isEqualTo(FakeHost.URL);
    assertThat(notice.id()).isEqualTo(id);
    assertThat(notice.outcome()).isEqualTo(State.SENT);
    assertThat(notice.code()).isNull();
    assertThat(notice.reason()).isEqualTo("250 2.0.0 ok");
    assertThat(notice.reachedAt()).isEqualTo(email.timeline().settled());
    assertThat(notice.generation()).isZero();
    assertThat(notice.requestId()).isEqualTo("order-42");
    assertThat(email.state()).isEqualTo(State.SENT_ACKNOWLEDGED);
    assertThat(email.archived()).isTrue();
    assertThat(outbox.stats().states()).isEmpty();
    assertThat(Paths.path(outbox, id))
        .containsExactly(
            State.ACCEPTED,
            State.INTAKING,
            State.PROCESSING,
            State.SENT,
            State.CALLING_SENT_CALLBACK,
            State.SENT_ACKNOWLEDGED);
  }

  @Test
  void aFailedEmailIsToldWithTheRelaysWords() {
    mail.transport().answer(Mails.each(Map.of("ada@example.com", Status.REFUSED)));
    EmailId id = outbox.send(FakeHost.email().build()).id();
    mail.process();
    mail.process();

    assertThat(host.notices()).hasSize(1);
    CallbackNotice notice = host.notices().get(0);
    assertThat(notice.outcome()).isEqualTo(State.FAILED);
    assertThat(notice.code()).isEqualTo(FailureCode.REFUSED);
    assertThat(notice.reason()).isEqualTo("reply for 1");
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.FAILED_ACKNOWLEDGED);
    assertThat(Mails.summary(mail, id).archived()).isFalse();
    assertThat(Paths.path(outbox, id))
        .endsWith(State.FAILED, State.CALLING_FAILED_CALLBACK, State.FAILED_ACKNOWLEDGED);
  }

  @Test
  void anInvalidEmailIsToldInGeneralWordsOnly() {
    EmailId id =
        outbox
            .send(
                Email.to("ada@example.com")
                    .template("welcome", Map.of("name", "Ada"))
                    .callbackUrl(FakeHost.URL)
                    .build())
            .id();
    mail.process();
    mail.process();

    assertThat(host.notices()).hasSize(1);
    CallbackNotice notice = host.notices().get(0);
    assertThat(notice.outcome()).isEqualTo(State.INVALID);
    assertThat(notice.reason()).isEqualTo("the email could not be sent");
    assertThat(Mails.summary(mail, id).reason()).contains("code");
    assertThat(Paths.path(outbox, id))
        .containsExactly(
            State.ACCEPTED,
            State.INTAKING,
            State.INVALID,
            State.CALLING_INVALID_CALLBACK,
            State.INVALID_ACKNOWLEDGED);
  }

  @Test
  void anInternalErrorStaysInTheHouse() {
    mail.transport()
        .answer(
            envelope -> {
              throw new IllegalStateException("jdbc:mysql://secret");
            });
    TestOutbox once =
        TestOutbox.with(
            builder ->
                builder.transport(mail.transport()).callback(host).retries(RetryPolicy.never()));
    once.outbox().send(FakeHost.email().build());
    once.process();

    assertThat(host.notices().get(0).reason()).isEqualTo("the email could not be sent");
  }

  @Test
  void anEmailWithoutUrlIsNotTold() {
    outbox.send(Mails.plain());
    mail.process();

    assertThat(host.notices()).isEmpty();
    assertThat(outbox.stats().states()).isEmpty();
  }

  @Test
  void aNodeWithoutACallbackLeavesTheTellingToOthers() {
    try (Outbox silent =
        Outbox.builder(mail.store())
            .transport(new RecordingTransport())
            .defaultFrom("a@example.com")
            .build()) {
      EmailId id = silent.send(FakeHost.email().build()).id();
      silent.processDue();
      assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT);
      assertThat(Mails.summary(mail, id).archived()).isFalse();

      mail.process();

      assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT_ACKNOWLEDGED);
    }
  }

  @Test
  void anOutboxThatSendsAndHasAUrlForAllNeedsACallback() {
    OutboxBuilder builder =
        Outbox.builder(mail.store()).transport(new RecordingTransport()).callbackUrl(FakeHost.URL);

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("callback: missing, but callbackUrl is set");
    builder.callback(host).build().close();
  }

  @Test
  void theStateWhileTheHostIsBeingToldIsCalling() {
    host.answer(
        notice -> {
          assertThat(Mails.summary(mail, notice.id()).state())
              .isEqualTo(State.CALLING_SENT_CALLBACK);
          assertThat(Mails.summary(mail, notice.id()).owner()).isNotNull();
          return new CallbackResult.Acknowledged(null);
        });
    EmailId id = outbox.send(FakeHost.email().build()).id();
    mail.process();

    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT_ACKNOWLEDGED);
  }

  @Test
  void theCallbacksWordsAreInTheHistoryAndNotAmongTheEmailsOwn() {
    mail.transport().answer(RecordingTransport::refuse);
    EmailId id = outbox.send(FakeHost.email().build()).id();
    host.beDown();
    mail.process();
    EmailSummary before = Mails.summary(mail, id);
    host.answer(notice -> new CallbackResult.Acknowledged("thanks"));
    mail.advance(Duration.ofSeconds(5));
    mail.process();

    EmailSummary after = Mails.summary(mail, id);
    for (EmailSummary email : List.of(before, after)) {
      assertThat(email.response()).isEqualTo("550 5.1.1 no such mailbox");
      assertThat(email.reason()).isEqualTo("a recipient was refused: 550 5.1.1 no such mailbox");
      assertThat(email.code()).isEqualTo(FailureCode.REFUSED);
    }
    assertThat(after.timeline().settled()).isEqualTo(before.timeline().settled());
    assertThat(outbox.history(id))
        .extracting(HistoryEntry::detail)
        .containsSubsequence("550 5.1.1 no such mailbox", "the host's own words", "thanks");
    assertThat(outbox.history(id))
        .extracting(HistoryEntry::reason)
        .containsSubsequence("HTTP 503", "acknowledged");
  }

  @Test
  void cancellingTellsTheHost() {
    EmailId id = outbox.send(FakeHost.email().build()).id();
    outbox.cancel(id);
    mail.process();

    assertThat(host.notices()).hasSize(1);
    assertThat(host.notices().get(0).code()).isEqualTo(FailureCode.CANCELLED);
    assertThat(Paths.path(outbox, id))
        .containsExactly(
            State.ACCEPTED, State.FAILED, State.CALLING_FAILED_CALLBACK, State.FAILED_ACKNOWLEDGED);
  }

  @Test
  void aRequeuedEmailIsToldAgainInANewGeneration() {
    mail.transport().answerNext(RecordingTransport::refuse);
    EmailId id = outbox.send(FakeHost.email().build()).id();
    mail.process();
    outbox.requeue(id);
    mail.process();

    assertThat(host.notices())
        .extracting(CallbackNotice::outcome, CallbackNotice::generation)
        .containsExactly(tuple(State.FAILED, 0), tuple(State.SENT, 1));
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT_ACKNOWLEDGED);
  }

  @Test
  void aStartedOutboxTellsThemAll() {
    InMemoryStore store = new InMemoryStore();
    try (Outbox started =
        Outbox.builder(store)
            .transport(new RecordingTransport())
            .defaultFrom("a@example.com")
            .callbackUrl(FakeHost.URL)
            .callback(host)
            .build()
            .start()) {
      started.sendAll(Mails.many(200));

      await().until(() -> store.stats().isEmpty());
      assertThat(host.notices())
          .extracting(CallbackNotice::id)
          .doesNotHaveDuplicates()
          .hasSize(200);
    }
  }
}
