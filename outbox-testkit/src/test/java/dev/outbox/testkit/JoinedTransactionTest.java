package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.common.eventbus.EventBus;
import dev.outbox.Enqueuer;
import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.Receipt;
import dev.outbox.event.OutboxEvent;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class JoinedTransactionTest {

  private final EventBus bus = new EventBus();
  private final EventLog events = EventLog.on(bus);
  private final TestOutbox mail =
      TestOutbox.with(builder -> Mails.templates(builder).eventBus(bus));
  private final Outbox outbox = mail.outbox();

  @Test
  void anEmailIsSeenAndToldOnlyAfterTheCommit() {
    InMemoryTransaction transaction = mail.store().begin();

    Receipt receipt = outbox.in(transaction).send(Mails.plain());
    mail.assertNothingSent();
    assertThat(outbox.find(receipt.id())).isEmpty();
    assertThat(events.all()).isEmpty();

    transaction.commit();
    assertThat(events.all()).containsExactly(new OutboxEvent.EmailAccepted(receipt.id()));
    mail.assertSent().count(1);
  }

  @Test
  void aRollbackLeavesNothing() {
    InMemoryTransaction transaction = mail.store().begin();
    Email email = Mails.to("ada@example.com").idempotencyKey("k").build();

    outbox.in(transaction).sendAll(List.of(email, Mails.plain()));
    transaction.rollback();

    mail.assertNothingSent();
    assertThat(outbox.query(EmailQuery.all(), null, 10).emails()).isEmpty();
    assertThat(events.all()).isEmpty();
    assertThat(outbox.send(email).created()).isTrue();
  }

  @Test
  void closingWithoutACommitLeavesNothingAndAfterACommitAll() {
    try (InMemoryTransaction transaction = mail.store().begin()) {
      outbox.in(transaction).send(Mails.plain());
    }
    assertThat(outbox.query(EmailQuery.all(), 10).emails()).isEmpty();

    try (InMemoryTransaction transaction = mail.store().begin()) {
      outbox.in(transaction).send(Mails.plain());
      transaction.commit();
    }
    assertThat(outbox.query(EmailQuery.all(), 10).emails()).hasSize(1);
  }

  @Test
  void theCommitWakesTheProcessorAndNothingBeforeIt() {
    InMemoryStore store = new InMemoryStore();
    RecordingTransport transport = new RecordingTransport();
    try (Outbox started =
        Outbox.builder(store)
            .transport(transport)
            .defaultFrom("shop@example.com")
            .processing(ProcessingSettings.DEFAULT.pollInterval(Duration.ofHours(1)))
            .build()
            .start()) {
      started.send(Mails.plain());
      await().until(() -> transport.sent().size() == 1 && store.stats().isEmpty());
      InMemoryTransaction transaction = store.begin();
      started.in(transaction).send(Mails.plain());
      assertThat(transport.sent()).hasSize(1);

      transaction.commit();

      await().until(() -> transport.sent().size() == 2);
    }
  }

  @Test
  void aKeyTakenMeanwhileFailsTheCommitAndNothingIsStored() {
    Email email = Mails.to("ada@example.com").idempotencyKey("k").build();
    InMemoryTransaction transaction = mail.store().begin();
    outbox.in(transaction).sendAll(List.of(Mails.plain(), email));
    outbox.send(email);

    assertThatThrownBy(transaction::commit).isInstanceOf(StoreException.class);

    assertThat(outbox.query(EmailQuery.all(), null, 10).emails()).hasSize(1);
    mail.assertSent().count(1);
  }

  @Test
  void theSameFrontDoorIsPassed() {
    Enqueuer joined = outbox.in(mail.store().begin());

    assertThatThrownBy(
            () -> joined.send(Email.to("ada@example.com").template("lost", Mails.WELCOME).build()))
        .isInstanceOfSatisfying(
            InvalidEmailException.class, e -> assertThat(e.field()).isEqualTo("template"));
  }
}
