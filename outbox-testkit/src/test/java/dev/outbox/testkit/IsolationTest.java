package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.OutboxBuilder;
import dev.outbox.email.Address;
import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailLimits;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.Receipt;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.email.State;
import dev.outbox.monitoring.NodeStatus;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoredValueLimits;
import dev.outbox.template.Templates;
import dev.outbox.testsupport.LogLines;
import dev.outbox.transport.DeliveryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An email that cannot be stored, recorded or moved on does not stop the others. */
class IsolationTest {

  private final InMemoryStore store = new InMemoryStore();
  private final Faults faults = new Faults(store);
  private final WireTap wire = new WireTap();

  @Test
  void aRenderedSubjectThatIsTooLongIsInvalidBeforeDeliveryAndNamesTheLimit() {
    TestOutbox mail = mail();
    EmailId fits = send(mail, "N".repeat(StoredValueLimits.SUBJECT - 2));
    EmailId tooLong = send(mail, "N".repeat(StoredValueLimits.SUBJECT - 1));

    mail.process();

    assertThat(Mails.summary(mail, fits).state()).isEqualTo(State.SENT);
    EmailSummary invalid = Mails.summary(mail, tooLong);
    assertThat(invalid.state()).isEqualTo(State.INVALID);
    assertThat(invalid.reason()).contains("subject", "1001 characters", "limit of 1000");
    assertThat(wire.offers()).extracting(WireTap.Offer::id).containsExactly(fits);
  }

  @Test
  void aComposedMessageThatIsTooLargeIsInvalidBeforeDeliveryAndNamesTheLimit() {
    wire.compose(message -> Bytes.owned(new byte[StoredValueLimits.COMPOSED_BYTES + 1]));
    TestOutbox mail = mail();
    EmailId id = mail.outbox().send(Mails.plain()).id();

    mail.process();

    assertThat(wire.offers()).isEmpty();
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.INVALID);
    assertThat(Mails.summary(mail, id).reason()).contains("16777216 bytes", "limit of 16777215");
  }

  @Test
  void aSenderThatIsTooLongInItsStoredFormIsRejectedBeforeAnythingIsStored() {
    TestOutbox mail = mail();
    Address from = new Address("\"".repeat(200), "a".repeat(64), "b".repeat(60) + ".example.com");
    Email email =
        Email.to("ada@example.com").from(from.format()).subject("Hello").text("Hello").build();

    assertThatThrownBy(() -> mail.outbox().sendAll(List.of(Mails.plain(), email)))
        .isInstanceOfSatisfying(
            InvalidEmailException.class, e -> assertThat(e.field()).isEqualTo("emails[1].from"));
    assertThat(mail.outbox().stats().states()).isEmpty();
  }

  @Test
  void recipientsThatNotEveryStoreCanKeepAreRejectedBeforeAnythingIsStored() {
    TestOutbox mail =
        TestOutbox.with(builder -> builder.limits(EmailLimits.DEFAULT.recipients(10_000)));
    String[] many =
        IntStream.range(0, 2_000)
            .mapToObj(i -> "recipient-number-%d@a-domain.example.com".formatted(i))
            .toArray(String[]::new);

    assertThatThrownBy(() -> mail.outbox().send(Mails.to(many).build()))
        .isInstanceOfSatisfying(
            InvalidEmailException.class, e -> assertThat(e.field()).isEqualTo("recipients"));
    assertThat(mail.outbox().stats().states()).isEmpty();
  }

  @Test
  void aResultOfARecipientThatWasNotOfferedIsNotStored() {
    String foreign = "x".repeat(1_000_000) + "@example.com";
    wire.answer(
        envelope ->
            new DeliveryResult.Answered(
                List.of(
                    new RecipientResult(
                        envelope.recipients().get(0).email(), Status.ACCEPTED, "250 ok"),
                    new RecipientResult(foreign, Status.PENDING, "250 ok")),
                "250 ok"));
    TestOutbox mail = mail();
    EmailId id = mail.outbox().send(Mails.plain()).id();

    mail.process();

    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT);
    assertThat(Mails.summary(mail, id).recipients())
        .extracting(RecipientResult::recipient)
        .containsExactly("ada@example.com");
  }

  @Test
  void emailsThatCannotBeRecordedAreSentOnceAndTheOthersKeepTheirTexts() {
    try (LogLines log = new LogLines();
        Outbox outbox = outbox().build()) {
      List<EmailId> ids = ids(outbox.sendAll(Mails.many(500)));
      List<EmailId> bad = List.of(ids.get(0), ids.get(77), ids.get(499));
      faults.reject(
          "complete",
          each ->
              each instanceof Completion done
                  && bad.contains(done.id())
                  && done.report().response() != null);
      outbox.start();

      await().atMost(Duration.ofSeconds(20)).until(() -> store.stats().isEmpty());
      assertThat(wire.offers()).extracting(WireTap.Offer::id).doesNotHaveDuplicates().hasSize(500);
      assertThat(outbox.status()).isEqualTo(NodeStatus.RUNNING);
      assertThat(ids)
          .allSatisfy(
              id -> {
                EmailSummary email = store.find(id).orElseThrow().summary();
                assertThat(email.state()).isEqualTo(State.SENT);
                assertThat(email.response()).isEqualTo(bad.contains(id) ? null : "250 2.0.0 ok");
              });
      assertThat(log.of(Level.SEVERE)).hasSize(3);
      assertThat(bad)
          .allMatch(id -> log.of(Level.SEVERE).stream().anyMatch(line -> line.contains(id + ":")));
      await().until(() -> outbox.stats().inFlight() == 0);
    }
  }

  @Test
  void aDeferredEmailWhoseMessageCannotBeStoredIsRenderedAgainAndDeliveredOnce() {
    wire.answer(RecordingTransport::defer);
    faults.reject("complete", each -> each instanceof Completion done && done.composed() != null);
    TestOutbox mail = mail();
    Outbox outbox =
        Outbox.builder(faults.seen()).transport(wire).defaultFrom("a@b.example").build();
    EmailId id = outbox.send(Mails.plain()).id();
    outbox.processDue();
    EmailSummary waiting = store.find(id).orElseThrow().summary();
    assertThat(waiting.state()).isEqualTo(State.ACCEPTED);
    assertThat(waiting.progress().attempts()).isEqualTo(1);
    assertThat(waiting.due()).isAfter(store.now());

    wire.answer(RecordingTransport::accept);
    store.advance(Duration.ofDays(1));
    outbox.processDue();

    assertThat(store.find(id).orElseThrow().summary().state()).isEqualTo(State.SENT);
    assertThat(wire.offers()).hasSize(2);
    mail.close();
  }

  @Test
  void anEmailThatTheStoreDoesNotMoveOnWaitsAndTheOthersAreSent() {
    try (LogLines log = new LogLines()) {
      Outbox outbox = outbox().build();
      List<EmailId> ids = ids(outbox.sendAll(Mails.many(200)));
      EmailId bad = ids.get(123);
      faults.reject("beginDelivery", each -> each instanceof Claim claim && claim.id().equals(bad));

      outbox.processDue();

      assertThat(wire.offers()).hasSize(199);
      EmailSummary waiting = store.find(bad).orElseThrow().summary();
      assertThat(waiting.state()).isEqualTo(State.ACCEPTED);
      assertThat(waiting.due()).isAfter(store.now());
      assertThat(faults.callsOf("beginDelivery")).isLessThan(20);
      assertThat(log.of(Level.SEVERE))
          .satisfiesExactly(line -> assertThat(line).contains(bad.toString()));

      for (int i = 0; i < 25; i++) {
        store.advance(Duration.ofMinutes(1));
        outbox.processDue();
      }
      assertThat(store.find(bad).orElseThrow().summary().state()).isEqualTo(State.INVALID);
    }
  }

  @Test
  void emailsThatTheStoreRejectsAreNoOutageThoughNoOtherEmailProceeds() {
    try (LogLines log = new LogLines()) {
      Outbox outbox = outbox().build();
      outbox.sendAll(Mails.many(2));
      faults.reject("beginDelivery", each -> true);

      outbox.processDue();

      assertThat(log.of(Level.SEVERE))
          .hasSize(2)
          .noneMatch(line -> line.contains("processing paused"));
      assertThat(store.stats()).containsOnlyKeys(State.ACCEPTED);
    }
  }

  @Test
  void aStepToDeliveryThatNoEmailCanTakeIsAnOutageAndNoEmailIsInvalid() {
    Outbox outbox = outbox().build();
    List<EmailId> ids = ids(outbox.sendAll(Mails.many(200)));
    faults.before(
        "beginDelivery",
        () -> {
          throw new IllegalStateException("a defect");
        });
    outbox.processDue();
    assertThat(faults.callsOf("beginDelivery")).isLessThan(12);

    faults.beforeNothing();
    outbox.processDue();

    assertThat(wire.offers())
        .extracting(WireTap.Offer::id)
        .containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void anInterruptedStepToDeliveryIsNoOutage() {
    try (LogLines log = new LogLines()) {
      Outbox outbox = outbox().build();
      EmailId id = outbox.send(Mails.plain()).id();
      List<String> once = new ArrayList<>(List.of("once"));
      faults.before(
          "beginDelivery",
          () -> {
            if (!once.isEmpty()) {
              once.clear();
              throw new StoreException(StoreException.Reason.INTERRUPTED, "interrupted", null);
            }
          });

      outbox.processDue();

      assertThat(log.of(Level.SEVERE)).isEmpty();
      assertThat(store.find(id).orElseThrow().summary().state()).isEqualTo(State.SENT);
      assertThat(wire.offers()).hasSize(1);
    }
  }

  @Test
  void anInvalidEmailIsLoggedWithItsTemplateAndTheMissingVariable() {
    try (LogLines log = new LogLines()) {
      TestOutbox mail = mail();
      mail.outbox()
          .send(
              Email.to("ada@example.com").template("long-subject", Map.of("x", "secret")).build());

      mail.process();

      assertThat(log.of(Level.WARNING))
          .singleElement()
          .satisfies(
              line ->
                  assertThat(line)
                      .contains("is invalid", "long-subject", "s")
                      .containsPattern("\\bs\\b.*")
                      .doesNotContain("secret", "ada@"));
    }
  }

  private static EmailId send(TestOutbox mail, String text) {
    return mail.outbox()
        .send(Email.to("ada@example.com").template("long-subject", Map.of("s", text)).build())
        .id();
  }

  private TestOutbox mail() {
    return TestOutbox.with(
        builder -> builder.transport(wire).templates(Templates.classpath("isolation")));
  }

  private OutboxBuilder outbox() {
    return Outbox.builder(faults.seen())
        .transport(wire)
        .defaultFrom("shop@example.com")
        .lease(new LeaseSettings(Duration.ofMillis(100), Duration.ofSeconds(60)));
  }

  private static List<EmailId> ids(List<Receipt> receipts) {
    return receipts.stream().map(Receipt::id).map(Objects::requireNonNull).toList();
  }
}
