package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.email.EmailContent;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.NodeId;
import dev.outbox.email.Priority;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Completion;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.PriorityLane;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntakeTest {

  private final WireTap wire = new WireTap();
  private final TestOutbox mail =
      TestOutbox.with(builder -> Mails.templates(builder).transport(wire));
  private final Outbox outbox = mail.outbox();

  @AfterEach
  void everyHistoryIsAPath() {
    Paths.checkAll(outbox);
  }

  @Test
  void aPoisonRowDoesNotStopAThousandOthers() {
    outbox.sendAll(Mails.many(500));
    EmailId poison = insert("\u0000\u0001 not JSON at all");
    outbox.sendAll(Mails.many(500));

    mail.process();

    assertThat(wire.offers()).hasSize(1_000);
    EmailSummary invalid = Mails.summary(mail, poison);
    assertThat(invalid.state()).isEqualTo(State.INVALID);
    assertThat(invalid.reason()).contains("not JSON");
    assertThat(outbox.stats().sent()).isEqualTo(1_000);
    assertThat(outbox.stats().failed()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "7",
        "{}",
        "{\"v\":\"secret\"}",
        "{\"v\":-1}",
        "{\"v\":1}",
        "{\"v\":1,\"text\":7,\"replyTo\":[\"secret\"]}",
        "{\"v\":1,\"text\":\"t\",\"replyTo\":{\"secret\":\"secret\"}}",
        "{\"v\":1,\"text\":\"t\",\"attachments\":[{\"name\":\"secret\",\"type\":\"text/a\"}]}",
        "{\"v\":1,\"text\":\"t\",\"attachments\":[{\"name\":\"a/b\",\"content\":\"%%%\"}]}",
        "{\"v\":1,\"text\":\"t\",\"headers\":[{\"name\":\"secret secret\"}]}",
        "{\"v\":1,\"template\":\"\"}",
        "{\"v\":1,\"template\":\"welcome\",\"data\":[\"secret\"]}",
        "{\"v\":1,\"template\":\"welcome\",\"data\":\"secret\"}",
      })
  void whatCannotBeReadIsInvalidAndSaysWhyWithoutItsContent(String payload) {
    EmailId id = insert(payload);

    mail.process();

    EmailSummary email = Mails.summary(mail, id);
    assertThat(email.state()).isEqualTo(State.INVALID);
    assertThat(email.reason()).isNotBlank().doesNotContain("secret");
    assertThat(wire.offers()).isEmpty();
  }

  @Test
  void nestingThatWouldOverflowTheStackIsInvalid() {
    EmailId id = insert("{\"v\":1,\"data\":" + "[".repeat(100_000));

    mail.process();

    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.INVALID);
  }

  @Test
  void aNewerPayloadIsPutBackForTenMinutesAndIsThenInvalid() {
    EmailId id = insert("{\"v\":2,\"verse\":\"secret\"}");

    assertPutBackForTenMinutes(id);

    assertThat(Mails.summary(mail, id).reason()).contains("2").doesNotContain("secret");
  }

  @Test
  void anUnknownTemplateIsPutBackForTenMinutesAndIsThenInvalid() {
    assertPutBackForTenMinutes(insert(unknownTemplate()));
  }

  private void assertPutBackForTenMinutes(EmailId id) {
    Duration passed = Duration.ZERO;
    while (passed.compareTo(Duration.ofMinutes(10)) < 0) {
      mail.process();
      EmailSummary email = Mails.summary(mail, id);
      assertThat(email.state()).as("after %s", passed).isEqualTo(State.ACCEPTED);
      assertThat(email.due()).isAfter(mail.store().now());
      assertThat(email.progress().attempts()).isZero();
      mail.advance(Duration.ofSeconds(15));
      passed = passed.plusSeconds(15);
    }

    mail.advance(Duration.ofSeconds(30));
    mail.process();

    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.INVALID);
    assertThat(wire.offers()).isEmpty();
  }

  @Test
  void aNodeThatKnowsTheTemplateTakesWhatAnotherPutBack() {
    EmailId id =
        insert("{\"v\":1,\"template\":\"welcome\",\"data\":{\"name\":\"Ada\",\"code\":1}}");
    try (Outbox old =
        Outbox.builder(mail.store()).transport(wire).defaultFrom("a@example.com").build()) {
      old.processDue();
      assertThat(Mails.summary(mail, id).state()).isEqualTo(State.ACCEPTED);
    }

    mail.advance(Duration.ofMinutes(1));
    mail.process();

    assertThat(wire.offers()).hasSize(1);
  }

  @Test
  void anEmailPutBackDoesNotHoldUpOthers() {
    insert(unknownTemplate());
    outbox.sendAll(Mails.many(20));

    mail.process();

    assertThat(wire.offers()).hasSize(20);
  }

  @Test
  void aRequeueGivesAnUnknownTemplateItsTenMinutesAgain() {
    EmailId id = insert(unknownTemplate());
    assertPutBackForTenMinutes(id);

    assertThat(outbox.requeue(id)).isTrue();
    mail.process();

    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.ACCEPTED);
    assertThat(Mails.summary(mail, id).progress().generation()).isEqualTo(1);
  }

  @Test
  void aMissingVariableIsInvalidAndNamed() {
    EmailId id =
        outbox
            .send(Email.to("ada@example.com").template("welcome", Map.of("name", "secret")).build())
            .id();

    mail.process();

    EmailSummary email = Mails.summary(mail, id);
    assertThat(email.state()).isEqualTo(State.INVALID);
    assertThat(email.reason()).contains("code", "welcome").doesNotContain("secret");
  }

  @Test
  void aTemplatesSubjectIsStoredWithTheResult() {
    EmailId id =
        outbox.send(Email.to("ada@example.com").template("welcome", Mails.WELCOME).build()).id();
    assertThat(Objects.requireNonNull(Mails.summary(mail, id).addressesAndSubject()).subject())
        .isNull();

    mail.process();

    assertThat(Objects.requireNonNull(Mails.summary(mail, id).addressesAndSubject()).subject())
        .isEqualTo("Welcome, Ada");
  }

  @Test
  void anEmailMadeReadyByAnotherNodeIsSentWithThoseBytes() {
    EmailId id = outbox.send(Mails.plain()).id();
    Bytes bytes = Bytes.utf8("composed elsewhere");
    NodeId other = NodeId.incarnate("composer");
    Claim claim =
        mail.store()
            .claim(new ClaimRequest(other, State.ACCEPTED, Map.of(PriorityLane.NORMAL, 1), 1 << 20))
            .get(0);
    mail.store()
        .complete(
            List.of(
                Completion.postponed(claim, Duration.ofMinutes(1), OutcomeDetails.NONE, bytes)));

    mail.process();
    assertThat(wire.offers()).isEmpty();
    mail.advance(Duration.ofMinutes(1));
    mail.process();

    assertThat(wire.offers()).extracting(WireTap.Offer::bytes).containsExactly(bytes);
    assertThat(Paths.path(outbox, id))
        .containsExactly(State.ACCEPTED, State.INTAKING, State.READY, State.PROCESSING, State.SENT);
  }

  @Test
  void readyIsStoredWithTheComposedBytesOnlyWhenAnEmailMustWait() {
    wire.answer(RecordingTransport::defer);
    EmailId id = outbox.send(Mails.plain()).id();
    assertThat(content(id).composed()).isNull();

    mail.process();

    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.READY);
    assertThat(content(id).composed()).isEqualTo(wire.offers().get(0).bytes());
  }

  private EmailContent content(EmailId id) {
    return Objects.requireNonNull(outbox.find(id).orElseThrow().content());
  }

  private static String unknownTemplate() {
    return "{\"v\":1,\"template\":\"tomorrow\",\"data\":{}}";
  }

  private EmailId insert(String payload) {
    EmailId id = EmailId.next();
    Address ada = Address.parse("ada@example.com");
    mail.store()
        .insert(
            List.of(
                new NewEmail(
                    id,
                    new AddressesAndSubject(ada, Recipients.of(ada), "s"),
                    Priority.NORMAL,
                    null,
                    Set.of(),
                    null,
                    null,
                    null,
                    null,
                    Duration.ofDays(3),
                    Bytes.utf8(payload))));
    return id;
  }
}
