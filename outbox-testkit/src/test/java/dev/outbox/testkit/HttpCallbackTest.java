package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.callback.CallbackVerifier;
import dev.outbox.callback.HttpCallback;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.State;
import dev.outbox.testkit.Receiver.Call;
import dev.outbox.testkit.Receiver.Reply;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a real HTTP server is told, and what its answers make of an email. */
@Timeout(60)
class HttpCallbackTest {

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
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT_ACKNOWLEDGED);
    assertThat(last(id).reason()).isEqualTo("acknowledged");
    assertThat(last(id).detail()).isEqualTo("thanks");
    assertThat(log.of(Level.SEVERE)).isEmpty();
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
    String header = call.headers().get("outbox-signature");
    for (String secret : new String[] {SECRET, NEXT}) {
      assertThat(CallbackVerifier.of(secret).verify(header, call.body().toArray())).isTrue();
    }
    assertThat(
            CallbackVerifier.of("a secret of somebody else").verify(header, call.body().toArray()))
        .isFalse();
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
    receiver.answer(call -> new Reply(status, Map.of(), status == 204 ? "" : "fine"));
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();

    EmailSummary email = Mails.summary(mail, id);
    assertThat(email.state()).isEqualTo(State.SENT_ACKNOWLEDGED);
    assertThat(email.archived()).isTrue();
    assertThat(last(id).detail()).isEqualTo(status == 204 ? null : "fine");
  }

  @ParameterizedTest
  @ValueSource(ints = {409, 429, 500, 502, 503, 504, 599})
  void aReceiverThatCannotTakeItNowIsCalledAgain(int status) {
    receiver.answer(status);
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();

    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.CALLING_SENT_CALLBACK);
    assertThat(Mails.summary(mail, id).owner()).isNull();
    assertThat(dueIn(id)).isEqualTo(Duration.ofSeconds(5));
    assertThat(last(id).reason()).isEqualTo("HTTP " + status);
    assertThat(last(id).detail()).isEqualTo("words of the receiver");
    assertThat(log.of(Level.SEVERE)).isEmpty();

    receiver.answer(200);
    mail.advance(Duration.ofSeconds(5));
    mail.process();
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT_ACKNOWLEDGED);
    assertThat(receiver.calls()).hasSize(2);
    assertThat(receiver.calls().get(1).headers().get("idempotency-key"))
        .as("a repeat is to be known as one")
        .isEqualTo(receiver.calls().get(0).headers().get("idempotency-key"));
    assertThat(receiver.calls().get(1).body()).isEqualTo(receiver.calls().get(0).body());
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 410, 413, 422, 451})
  void aReceiverThatDoesNotWantItIsNotCalledAgain(int status) {
    receiver.answer(status);
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();
    mail.advance(Duration.ofDays(1));
    mail.process();

    assertThat(receiver.calls()).hasSize(1);
    EmailSummary email = Mails.summary(mail, id);
    assertThat(email.state()).isEqualTo(State.CALLING_SENT_CALLBACK);
    assertThat(email.archived()).isTrue();
    assertThat(last(id).reason()).isEqualTo("HTTP " + status);
    assertThat(last(id).detail()).isEqualTo("words of the receiver");
    assertOneErrorLine(id, "HTTP " + status);
    assertThat(outbox.stats().abandoned()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 301, 302, 303, 304, 307, 308})
  void aRedirectIsNotFollowed(int status) {
    receiver.answer(
        call ->
            new Reply(
                status,
                Map.of("Location", receiver.url("/elsewhere").toString()),
                status == 304 ? "" : "over there"));
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();
    mail.advance(Duration.ofDays(1));
    mail.process();

    assertThat(receiver.calls()).extracting(Call::path).containsExactly("/told?by=outbox");
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.CALLING_SENT_CALLBACK);
    assertThat(last(id).reason()).isEqualTo("HTTP " + status + ": redirects are not followed");
    assertOneErrorLine(id, "HTTP " + status);
  }

  @ParameterizedTest
  @ValueSource(ints = {409, 429, 503})
  void aReceiverMayAskForMoreTimeInSecondsOrWithADate(int status) {
    receiver.answer(call -> new Reply(status, Map.of("Retry-After", "120"), ""));
    EmailId seconds = outbox.send(Mails.plain()).id();
    mail.process();
    DateTimeFormatter http = DateTimeFormatter.RFC_1123_DATE_TIME;
    receiver.answer(
        call ->
            new Reply(
                status,
                Map.of(
                    "Retry-After",
                    http.format(Instant.now().plusSeconds(3_600).atOffset(ZoneOffset.UTC))),
                ""));
    EmailId date = outbox.send(Mails.plain()).id();
    mail.process();

    assertThat(dueIn(seconds)).isEqualTo(Duration.ofMinutes(2));
    assertThat(dueIn(date)).isCloseTo(Duration.ofHours(1), Duration.ofSeconds(30));
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
        .noneMatch(line -> line.contains("words of the receiver"));
    assertThat(log.of(Level.SEVERE).get(4)).contains("an operator has to look");
    assertThat(outbox.history(id))
        .filteredOn(entry -> "words of the receiver".equals(entry.detail()))
        .hasSize(20);
    EmailSummary email = Mails.summary(mail, id);
    assertThat(email.state()).isEqualTo(State.CALLING_SENT_CALLBACK);
    assertThat(email.archived()).isTrue();
    assertThat(outbox.stats().abandoned()).isEqualTo(1);
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
    assertThat(Mails.summary(careful, id).state()).isEqualTo(State.CALLING_SENT_CALLBACK);
    assertThat(careful.outbox().history(id))
        .last()
        .extracting(HistoryEntry::reason)
        .isEqualTo("the receiver was not called: its address is not public, and not allowed");
    assertOneErrorLine(id, "not allowed");
  }

  private void assertOneErrorLine(EmailId id, String words) {
    assertThat(log.of(Level.SEVERE))
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .contains(id.toString(), words)
                    .doesNotContain("words of the receiver", "example.com", "127.0.0.1"));
  }

  private HistoryEntry last(EmailId id) {
    var history = outbox.history(id);
    return history.get(history.size() - 1);
  }

  private Duration dueIn(EmailId id) {
    return Duration.between(
        mail.store().now(), Objects.requireNonNull(Mails.summary(mail, id).due()));
  }
}
