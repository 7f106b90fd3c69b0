package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.callback.CallbackVerifier;
import dev.outbox.callback.HttpCallback;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.testkit.Receiver.Call;
import dev.outbox.testkit.Receiver.Reply;
import dev.outbox.testsupport.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a real HTTP server is told, and what its answers make of an email. */
@Timeout(60)
class HttpCallbackTest {

  private static final String WORDS = Receiver.WORDS;
  private static final String SECRET = "a secret of 16 bytes or more";
  private static final String NEXT = "the secret that comes next";

  private final LogLines log = new LogLines();
  private final Receiver receiver = new Receiver();
  private final TestOutbox mail =
      TestOutbox.with(
          builder ->
              builder
                  .callback(HttpCallback.builder().secrets(SECRET, NEXT).allow("127.0.0.1").build())
                  .callbackUrl(receiver.url("/told?by=outbox")));
  private final Outbox outbox = mail.outbox();

  HttpCallbackTest() throws IOException {}

  @AfterEach
  void close() {
    Paths.checkAll(outbox);
    receiver.close();
    log.close();
  }

  @Test
  void aReceiverIsToldWhatBecameOfAnEmail() {
    EmailId id = outbox.send(Mails.to("ada@example.com").requestId("order \"42\"").build()).id();
    mail.process();

    assertThat(receiver.calls()).hasSize(1);
    Call call = receiver.calls().get(0);
    Instant settled = Objects.requireNonNull(Mails.summary(mail, id).timeline().settled());
    assertThat(call.method()).isEqualTo("POST");
    assertThat(call.path()).isEqualTo("/told?by=outbox");
    assertThat(call.headers())
        .containsEntry("host", receiver.url("").getAuthority())
        .containsEntry("content-type", "application/json")
        .containsEntry("idempotency-key", id + "-SENT-0");
    assertThat(call.body().toUtf8())
        .isEqualTo(
            """
            {"id":"%s","code":"TRAVELING","status":"SENT","failure":null,"reached_at":"%s",\
            "reason":"250 2.0.0 ok","attempts":0,"request_id":"order \\"42\\""}"""
                .formatted(id, settled));
    told(id).wasAcknowledged("thanks");
  }

  @Test
  void aFailureIsToldWithItsCode() {
    mail.transport().answer(RecordingTransport::refuse);
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();

    Call call = receiver.calls().get(0);
    assertThat(call.body().toUtf8())
        .contains(
            "\"code\":\"DISPATCH-ERROR\",\"status\":\"FAILED\",\"failure\":\"REFUSED\"",
            "\"reason\":\"550 5.1.1 no such mailbox\",\"attempts\":1,\"request_id\":null");
    assertThat(call.headers()).containsEntry("idempotency-key", id + "-FAILED-0");
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.FAILED_ACKNOWLEDGED);
  }

  @Test
  void aCallIsSignedWithEverySecret() {
    outbox.send(Mails.plain());
    mail.process();

    Call call = receiver.calls().get(0);
    for (String secret : new String[] {SECRET, NEXT}) {
      assertThat(isGenuine(secret, call.headers().get("idempotency-key"), call)).isTrue();
    }
    assertThat(isGenuine("a secret of somebody else", call.headers().get("idempotency-key"), call))
        .isFalse();
  }

  @Test
  void aRecordedCallCannotBeReplayedUnderAnotherKey() {
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();

    Call call = receiver.calls().get(0);
    assertThat(isGenuine(SECRET, id + "-SENT-0", call)).isTrue();
    assertThat(isGenuine(SECRET, id + "-SENT-1", call)).isFalse();
    assertThat(isGenuine(SECRET, EmailId.next() + "-SENT-0", call)).isFalse();
  }

  private static boolean isGenuine(String secret, @Nullable String key, Call call) {
    return CallbackVerifier.of(secret)
        .verify(key, call.headers().get("outbox-signature"), call.body().toArray());
  }

  @Test
  void aHostMayHaveAFormOfItsOwn() {
    TestOutbox own =
        TestOutbox.with(
            builder ->
                builder
                    .callback(
                        HttpCallback.builder()
                            .allow("127.0.0.1")
                            .payload(notice -> "{\"mail\":\"" + notice.id() + "\"}")
                            .build())
                    .callbackUrl(receiver.url("")));
    EmailId id = own.outbox().send(Mails.plain()).id();
    own.process();

    Call call = receiver.calls().get(0);
    assertThat(call.path()).isEqualTo("/");
    assertThat(call.body().toUtf8()).isEqualTo("{\"mail\":\"" + id + "\"}");
    assertThat(call.headers()).as("without a secret").doesNotContainKey("outbox-signature");
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 299})
  void every2xxIsSuccess(int status) {
    String words = status == 204 ? null : WORDS;
    receiver.answer(call -> new Reply(status, Map.of(), status == 204 ? "" : WORDS));

    tell().wasAcknowledged(words);
  }

  @ParameterizedTest
  @ValueSource(ints = {409, 429, 500, 502, 503, 504, 599})
  void aReceiverThatCannotTakeItNowIsCalledAgain(int status) {
    receiver.answer(status);
    EmailId id = send();
    assertThat(told(id).isCalledAgain("HTTP " + status, WORDS)).isEqualTo(Duration.ofSeconds(5));

    receiver.answer(200);
    mail.advance(Duration.ofSeconds(5));
    mail.process();
    told(id).wasAcknowledged(WORDS);
    assertThat(receiver.calls()).hasSize(2);
    assertThat(keys().get(1)).as("a repeat is to be known as one").isEqualTo(keys().get(0));
    assertThat(receiver.calls().get(1).body()).isEqualTo(receiver.calls().get(0).body());
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 410, 413, 422, 451})
  void aReceiverThatDoesNotWantItIsNotCalledAgain(int status) {
    receiver.answer(status);
    EmailId id = send();
    mail.advance(Duration.ofDays(1));
    mail.process();

    told(id).wasGivenUp("HTTP " + status, WORDS);
    assertThat(receiver.calls()).hasSize(1);
    assertThat(outbox.stats().abandoned()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 301, 302, 303, 304, 307, 308})
  void aRedirectIsNotFollowed(int status) {
    String words = status == 304 ? null : WORDS;
    receiver.answer(
        call ->
            new Reply(
                status,
                Map.of("Location", receiver.url("/elsewhere").toString()),
                status == 304 ? "" : WORDS));
    EmailId id = send();
    mail.advance(Duration.ofDays(1));
    mail.process();

    told(id).wasGivenUp("HTTP " + status + ": redirects are not followed", words);
    assertThat(receiver.calls()).extracting(Call::path).containsExactly("/told?by=outbox");
  }

  @ParameterizedTest
  @ValueSource(ints = {409, 429, 503})
  void aReceiverMayAskForMoreTimeInSeconds(int status) {
    receiver.answer(call -> new Reply(status, Map.of("Retry-After", "120"), WORDS));

    assertThat(tell().isCalledAgain("HTTP " + status, WORDS)).isEqualTo(Duration.ofMinutes(2));
  }

  @ParameterizedTest
  @ValueSource(ints = {409, 429, 503})
  void aReceiverMayAskForMoreTimeWithADate(int status) {
    String inAnHour =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            Instant.now().plusSeconds(3_600).atOffset(ZoneOffset.UTC));
    receiver.answer(call -> new Reply(status, Map.of("Retry-After", inAnHour), WORDS));

    assertThat(tell().isCalledAgain("HTTP " + status, WORDS))
        .isCloseTo(Duration.ofHours(1), Duration.ofSeconds(30));
  }

  @Test
  void aRequeuedEmailsCallHasAKeyOfItsOwn() {
    mail.transport().answer(RecordingTransport::refuse);
    EmailId id = send();
    assertThat(outbox.requeue(id)).isTrue();
    mail.process();

    assertThat(keys()).containsExactly(id + "-FAILED-0", id + "-FAILED-1");
  }

  @Test
  void theEndOfEachRoundIsAnErrorLineWithIdAndStatusAndNothingOfTheBody() {
    receiver.answer(503);
    EmailId id = outbox.send(Mails.plain()).id();
    int calls = 0;
    while (Mails.summary(mail, id).due() != null) {
      mail.process();
      calls++;
      if (Mails.summary(mail, id).due() != null) {
        mail.advance(dueIn(id));
      }
    }

    assertThat(calls).isEqualTo(20);
    assertThat(receiver.calls()).hasSize(20);
    assertThat(log.of(Level.SEVERE))
        .hasSize(5)
        .allMatch(line -> line.contains(id.toString()) && line.contains("HTTP 503"))
        .noneMatch(line -> line.contains(WORDS));
    assertThat(log.of(Level.SEVERE).get(4)).contains("an operator has to act");
    assertThat(outbox.history(id)).filteredOn(entry -> WORDS.equals(entry.detail())).hasSize(20);
    EmailSummary email = Mails.summary(mail, id);
    assertThat(email.state()).isEqualTo(State.CALLING_SENT_CALLBACK);
    assertThat(email.archived()).isTrue();
    assertThat(outbox.stats().abandoned()).isEqualTo(1);
  }

  @Test
  void whatWasGivenUpIsFoundByAQueryAndWhatIsToBeCalledAgainLeftOut() {
    receiver.answer(503);
    send();
    receiver.answer(404);
    EmailId sent = send();
    mail.transport().answer(RecordingTransport::refuse);
    EmailId failed = send();

    EmailQuery query =
        EmailQuery.all()
            .states(
                State.CALLING_SENT_CALLBACK,
                State.CALLING_FAILED_CALLBACK,
                State.CALLING_INVALID_CALLBACK)
            .createdSince(mail.store().now().minus(Duration.ofDays(1)));
    assertThat(outbox.query(query, 100).emails())
        .hasSize(3)
        .filteredOn(email -> email.owner() == null && email.due() == null)
        .extracting(EmailSummary::id)
        .containsExactlyInAnyOrder(sent, failed);
    assertThat(outbox.stats().abandoned()).isEqualTo(2);
  }

  @Test
  void aReceiverThatIsNotAllowedIsNotCalled() {
    TestOutbox careful =
        TestOutbox.with(
            builder ->
                builder
                    .callback(HttpCallback.builder().build())
                    .callbackUrl(receiver.url("/told")));
    EmailId id = careful.outbox().send(Mails.plain()).id();
    careful.process();

    assertThat(receiver.calls()).isEmpty();
    Told.of(careful, id, log)
        .wasGivenUp(
            "the receiver was not called: its address is not public, and not allowed", null);
  }

  private EmailId send() {
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();
    return id;
  }

  private Told tell() {
    return told(send());
  }

  private Told told(EmailId id) {
    return Told.of(mail, id, log);
  }

  private List<String> keys() {
    return receiver.calls().stream()
        .map(call -> String.valueOf(call.headers().get("idempotency-key")))
        .toList();
  }

  private Duration dueIn(EmailId id) {
    return Duration.between(
        mail.store().now(), Objects.requireNonNull(Mails.summary(mail, id).due()));
  }
}
