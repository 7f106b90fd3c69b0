package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.OutboxStats;
import dev.outbox.email.Body;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.Receipt;
import dev.outbox.email.State;
import dev.outbox.monitoring.NodeStatus;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.StateCount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What can be asked about emails. */
class QueriesTest {

  private final TestOutbox mail = TestOutbox.with(Mails::templates);
  private final Outbox outbox = mail.outbox();

  @Test
  void anEmailIsFoundWithItsContentWhileThereIsAny() {
    EmailId id = outbox.send(Mails.plain()).id();
    assertThat(Objects.requireNonNull(outbox.find(id).orElseThrow().content()).body())
        .isEqualTo(new Body.Inline(null, "Body of Ada"));

    mail.process();

    assertThat(outbox.find(id).orElseThrow().content()).isNull();
    assertThat(Objects.requireNonNull(Mails.summary(mail, id).addressesAndSubject()).subject())
        .isEqualTo("Subject of Ada");
  }

  @Test
  void whatDoesNotExistIsNotFoundAndHasNoHistory() {
    assertThat(outbox.find(EmailId.next())).isEmpty();
    assertThat(outbox.history(EmailId.next())).isEmpty();
  }

  @Test
  void pagesShowEveryEmailOnceTheNewestFirst() {
    List<EmailId> sent = new ArrayList<>();
    outbox.sendAll(Mails.many(25)).stream().map(Receipt::id).forEach(sent::add);
    mail.process();
    outbox.sendAll(Mails.many(25)).stream().map(Receipt::id).forEach(sent::add);
    Collections.reverse(sent);

    List<EmailId> seen = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    EmailId after = null;
    do {
      EmailPage page = outbox.query(EmailQuery.all(), after, 20);
      page.emails().stream().map(EmailSummary::id).forEach(seen::add);
      sizes.add(page.emails().size());
      after = page.next();
    } while (after != null);

    assertThat(seen).isEqualTo(sent);
    assertThat(sizes).containsExactly(20, 20, 10);
  }

  @Test
  void queriesNarrowByWhatTheHostKnows() {
    Email order = Mails.to("Ada <ADA@example.com>").tag("orders").build();
    Email welcome =
        Email.to("cc@example.com")
            .bcc("ada@example.com")
            .template("welcome", Mails.WELCOME)
            .build();
    EmailId first = outbox.send(order).id();
    mail.process();
    mail.advance(Duration.ofHours(1));
    EmailId second = outbox.send(welcome).id();

    assertFound(EmailQuery.all().recipient("ada@example.com"), second, first);
    assertFound(EmailQuery.all().recipient("cc@example.com"), second);
    assertFound(EmailQuery.all().tag("orders"), first);
    assertFound(EmailQuery.all().template("welcome"), second);
    assertFound(EmailQuery.all().states(State.SENT), first);
    assertFound(EmailQuery.all().states(State.ACCEPTED, State.SENT), second, first);
    assertFound(EmailQuery.all().createdSince(mail.store().now()), second);
    assertFound(EmailQuery.all().createdBefore(mail.store().now()), first);
    assertFound(EmailQuery.all().tag("orders").template("welcome"));
  }

  private void assertFound(EmailQuery query, EmailId... ids) {
    assertThat(outbox.query(query, null, 10).emails())
        .as(query.toString())
        .extracting(EmailSummary::id)
        .containsExactly(ids);
  }

  @Test
  void aPageHasOneToAThousandEmails() {
    for (int limit : new int[] {0, -1, 1_001}) {
      assertThatThrownBy(() -> outbox.query(EmailQuery.all(), null, limit))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("limit")
          .hasMessageContaining(String.valueOf(limit));
    }
  }

  @Test
  void statsCountWhatWaitsAndHowLong() {
    outbox.sendAll(Mails.many(3));
    mail.advance(Duration.ofMinutes(10));
    outbox.send(
        Mails.to("ada@example.com").sendAt(mail.store().now().plus(Duration.ofHours(1))).build());

    OutboxStats stats = outbox.stats();

    assertThat(stats.states()).containsOnlyKeys(State.ACCEPTED);
    assertThat(stats.states().get(State.ACCEPTED))
        .isEqualTo(new StateCount(4, Duration.ofMinutes(10), Duration.ofMinutes(10)));
    assertThat(stats.status()).isEqualTo(NodeStatus.STOPPED);
    assertThat(stats.inFlight()).isZero();
  }

  @Test
  void statsCountWhatThisNodeHasDone() {
    outbox.sendAll(Mails.many(3));
    mail.process();
    mail.transport().answerNext(RecordingTransport::refuse);
    mail.transport().answerNext(RecordingTransport::defer);
    outbox.sendAll(Mails.many(2));
    outbox.send(Email.to("ada@example.com").template("welcome", Map.of("name", "Ada")).build());
    mail.process();

    OutboxStats stats = outbox.stats();

    assertThat(stats.sent()).isEqualTo(3);
    assertThat(stats.failed()).isEqualTo(2);
    assertThat(stats.states()).containsOnlyKeys(State.FAILED, State.INVALID, State.READY);
    assertThat(stats.states().values()).extracting(StateCount::count).containsOnly(1);
  }

  @Test
  void aCallbackIsNotCountedAsOneMoreEmailSent() {
    TestOutbox telling = TestOutbox.with(builder -> builder.callback(new FakeHost()));
    telling.outbox().send(FakeHost.email().build());
    telling.process();

    assertThat(telling.outbox().stats().sent()).isOne();
  }

  @Test
  void whatIsInWorkIsInFlight() {
    int[] seen = new int[1];
    mail.transport()
        .answer(
            envelope -> {
              seen[0] = outbox.stats().inFlight();
              return RecordingTransport.accept(envelope);
            });
    outbox.send(Mails.plain());
    mail.process();

    assertThat(seen[0]).isOne();
    assertThat(outbox.stats().inFlight()).isZero();
  }

  @Test
  void contentIsKeptForAsLongAsTheHostWants() {
    Duration month = Duration.ofDays(30);
    TestOutbox keeping =
        TestOutbox.with(
            builder ->
                builder.retention(new RetentionSettings(month, month, month, Duration.ofDays(1))));
    EmailId id = keeping.outbox().send(Mails.plain()).id();
    keeping.process();
    assertThat(keeping.outbox().find(id).orElseThrow().content()).isNotNull();

    keeping.advance(Duration.ofDays(1));
    keeping.process();

    assertThat(keeping.outbox().find(id).orElseThrow().content()).isNull();
  }

  @Test
  void whatIsSettledIsForgottenAfterItsRetention() {
    mail.transport().answerNext(RecordingTransport::refuse);
    EmailId failed = outbox.send(Mails.plain()).id();
    mail.process();
    EmailId sent = outbox.send(Mails.to("ada@example.com").idempotencyKey("k").build()).id();
    EmailId waiting =
        outbox
            .send(
                Mails.to("ada@example.com")
                    .sendAt(mail.store().now().plus(Duration.ofDays(99)))
                    .build())
            .id();
    mail.process();
    mail.advance(Duration.ofDays(30).minusMinutes(5));
    mail.process();
    assertThat(outbox.query(EmailQuery.all(), null, 10).emails()).hasSize(3);

    mail.advance(Duration.ofMinutes(5));
    mail.process();

    assertThat(outbox.find(failed)).isEmpty();
    assertThat(outbox.find(sent)).isEmpty();
    assertThat(outbox.find(waiting)).isPresent();
    assertThat(outbox.send(Mails.to("ada@example.com").idempotencyKey("k").build()).created())
        .isTrue();
  }
}
