package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.eventbus.EventBus;
import dev.outbox.Outbox;
import dev.outbox.callback.CallbackNotice;
import dev.outbox.callback.CallbackResult;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.event.OutboxEvent.CallbackAbandoned;
import dev.outbox.settings.CallbackSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.store.StateCount;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A host that does not answer is told again, and not for ever. */
class CallbackRetryTest {

  private final FakeHost host = new FakeHost();
  private final EventBus bus = new EventBus();
  private final EventLog events = EventLog.on(bus);
  private final TestOutbox mail =
      TestOutbox.with(
          builder ->
              builder
                  .callback(host)
                  .eventBus(bus)
                  .callbacks(
                      new CallbackSettings(2, Duration.ofSeconds(5), 3, Duration.ofHours(1))));
  private final Outbox outbox = mail.outbox();

  @AfterEach
  void everyHistoryIsAPath() {
    Paths.checkAll(outbox);
  }

  @Test
  void callsAreRepeatedInRoundsAndThenLeftToAnOperator() {
    host.beDown();
    EmailId id = outbox.send(FakeHost.email().build()).id();
    Instant start = mail.store().now();

    List<Long> calledAfter = callTimes(id, start);

    assertThat(calledAfter).containsExactly(0L, 5L, 10L, 3610L, 3615L, 3620L, 7220L, 7225L, 7230L);
    EmailSummary email = Mails.summary(mail, id);
    assertThat(email.state()).isEqualTo(State.CALLING_SENT_CALLBACK);
    assertThat(email.archived()).isTrue();
    assertThat(email.due()).isNull();
    assertThat(events.of(CallbackAbandoned.class))
        .containsExactly(new CallbackAbandoned(id, State.SENT));
  }

  /**
   * Lets days pass, from due time to due time; returns the seconds at which the host was called.
   */
  private List<Long> callTimes(EmailId id, Instant start) {
    List<Long> times = new ArrayList<>();
    int calls = host.notices().size();
    Instant due = start;
    while (due != null) {
      mail.process();
      if (host.notices().size() > calls) {
        assertThat(host.notices()).hasSize(calls + 1);
        calls++;
        times.add(Duration.between(start, mail.store().now()).toSeconds());
      }
      due = Mails.summary(mail, id).due();
      mail.advance(due == null ? Duration.ofDays(1) : Duration.between(mail.store().now(), due));
    }
    mail.process();
    assertThat(host.notices()).hasSize(calls);
    return times;
  }

  @Test
  void betweenTwoCallsTheStateRemainsCalling() {
    host.beDown();
    EmailId id = outbox.send(FakeHost.email().build()).id();
    mail.process();

    EmailSummary email = Mails.summary(mail, id);
    assertThat(email.state()).isEqualTo(State.CALLING_SENT_CALLBACK);
    assertThat(email.owner()).isNull();
    assertThat(email.archived()).isFalse();
    assertThat(events.of(CallbackAbandoned.class)).isEmpty();
  }

  @Test
  void aHostThatIsBackIsToldAndNoMore() {
    host.beDown();
    EmailId id = outbox.send(FakeHost.email().build()).id();
    mail.process();
    host.answer(notice -> new CallbackResult.Acknowledged(null));
    mail.advance(Duration.ofSeconds(5));
    mail.process();
    mail.advance(Duration.ofDays(1));
    mail.process();

    assertThat(host.notices()).hasSize(2);
    assertThat(host.notices().get(1)).isEqualTo(host.notices().get(0));
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT_ACKNOWLEDGED);
    assertThat(Mails.summary(mail, id).archived()).isTrue();
  }

  @Test
  void aHostMayAskForMoreTimeButNotForLess() {
    host.beDown(Duration.ofMinutes(3));
    EmailId patient = outbox.send(FakeHost.email().build()).id();
    mail.process();
    host.beDown(Duration.ofSeconds(1));
    EmailId hasty = outbox.send(FakeHost.email().build()).id();
    mail.process();

    assertThat(dueIn(patient)).isEqualTo(Duration.ofMinutes(3));
    assertThat(dueIn(hasty)).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void aHostThatAsksForTheEndOfTimeIsToldTheNextDay() {
    host.beDown(Duration.ofSeconds(Long.MAX_VALUE));
    EmailId id = outbox.send(FakeHost.email().build()).id();

    mail.process();

    assertThat(dueIn(id)).isEqualTo(Duration.ofDays(1));
  }

  private Duration dueIn(EmailId id) {
    return Duration.between(
        mail.store().now(), Objects.requireNonNull(Mails.summary(mail, id).due()));
  }

  @Test
  void aRejectedCallIsNotRepeated() {
    host.answer(notice -> new CallbackResult.Rejected("HTTP 410", "gone"));
    mail.transport().answer(RecordingTransport::refuse);
    EmailId id = outbox.send(FakeHost.email().build()).id();
    mail.process();
    mail.advance(Duration.ofDays(1));
    mail.process();

    assertThat(host.notices()).hasSize(1);
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.CALLING_FAILED_CALLBACK);
    assertThat(events.of(CallbackAbandoned.class))
        .containsExactly(new CallbackAbandoned(id, State.FAILED));
  }

  @Test
  void aFailedEmailCanBeRequeuedWhileItsHostCannotBeTold() {
    host.beDown();
    mail.transport().answerNext(RecordingTransport::refuse);
    EmailId id = outbox.send(FakeHost.email().build()).id();
    mail.process();
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.CALLING_FAILED_CALLBACK);

    assertThat(outbox.requeue(id)).isTrue();
    host.answer(notice -> new CallbackResult.Acknowledged(null));
    mail.process();

    assertThat(host.notices()).hasSize(2);
    CallbackNotice second = host.notices().get(1);
    assertThat(second.outcome()).isEqualTo(State.SENT);
    assertThat(second.generation()).isEqualTo(1);
  }

  @Test
  void aNewOutcomeHasAllItsCallsAgain() {
    host.beDown();
    mail.transport().answer(RecordingTransport::refuse);
    EmailId id = outbox.send(FakeHost.email().build()).id();
    callTimes(id, mail.store().now());
    assertThat(host.notices()).hasSize(9);

    outbox.requeue(id);
    callTimes(id, mail.store().now());

    assertThat(host.notices()).hasSize(18);
  }

  static Stream<Throwable> throwables() {
    return Stream.of(
        new IllegalStateException("a secret of ada@example.com"),
        new StackOverflowError(),
        new AssertionError("secret"),
        new IOException("secret"));
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void aThrowingCallbackIsAHostThatDoesNotAnswer(Throwable thrown) {
    host.answer(
        notice -> {
          throw Mails.<RuntimeException>sneaky(thrown);
        });
    EmailId id = outbox.send(FakeHost.email().build()).id();
    mail.process();

    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.CALLING_SENT_CALLBACK);
    assertThat(dueIn(id)).isEqualTo(Duration.ofSeconds(5));
    assertThat(outbox.history(id))
        .last()
        .satisfies(
            entry ->
                assertThat(entry.reason())
                    .contains(thrown.getClass().getSimpleName())
                    .doesNotContain(Mails.PERSONAL));
  }

  @Test
  @SuppressWarnings("NullAway") // the defect of a callback written without a null checker
  void aCallbackThatReturnsNothingIsAHostThatDoesNotAnswer() {
    host.answer(notice -> null);
    EmailId id = outbox.send(FakeHost.email().build()).id();
    mail.process();

    assertThat(dueIn(id)).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void hostsThatHangDoNotHoldUpSending() {
    InMemoryStore store = new InMemoryStore();
    RecordingTransport transport = new RecordingTransport();
    CountDownLatch morning = new CountDownLatch(1);
    host.answer(
        notice -> {
          try {
            morning.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return new CallbackResult.Acknowledged(null);
        });
    try (Outbox started =
        Outbox.builder(store)
            .transport(transport)
            .defaultFrom("a@example.com")
            .callbackUrl(FakeHost.URL)
            .callback(host)
            .build()
            .start()) {
      started.sendAll(Mails.many(2_000));

      await().atMost(Duration.ofSeconds(20)).until(() -> transport.sent().size() == 2_000);
      assertThat(host.notices()).as("three quarters of the threads").hasSizeLessThanOrEqualTo(12);
      morning.countDown();
    } finally {
      morning.countDown();
    }
  }

  @Test
  void closingGivesBackTheCallsThatWaitForAThread() {
    InMemoryStore store = new InMemoryStore();
    CountDownLatch morning = new CountDownLatch(1);
    host.answer(
        notice -> {
          try {
            morning.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return new CallbackResult.Acknowledged(null);
        });
    Outbox started =
        Outbox.builder(store)
            .transport(new RecordingTransport())
            .defaultFrom("a@example.com")
            .callbackUrl(FakeHost.URL)
            .callback(host)
            .nodeName("calling")
            .processing(ProcessingSettings.DEFAULT.callbackWorkers(1))
            .build()
            .start();
    started.sendAll(Mails.many(4));
    await().until(() -> calling(store) == 4);

    CompletableFuture<Void> closing = CompletableFuture.runAsync(started::close);
    await().until(() -> calling(store) == 1);
    morning.countDown();
    closing.orTimeout(20, TimeUnit.SECONDS).join();

    assertThat(host.notices()).hasSize(1);
    assertThat(store.stats()).containsOnlyKeys(State.SENT);
    assertThat(Objects.requireNonNull(store.stats().get(State.SENT)).count()).isEqualTo(3);
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("outbox-calling"));
  }

  private static int calling(InMemoryStore store) {
    StateCount count = store.stats().get(State.CALLING_SENT_CALLBACK);
    return count == null ? 0 : count.count();
  }
}
