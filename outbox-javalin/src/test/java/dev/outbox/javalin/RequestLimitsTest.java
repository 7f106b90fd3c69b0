package dev.outbox.javalin;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.EmailQuery;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A request beyond a limit of its JSON is answered before the rest of it is sent. */
class RequestLimitsTest {

  private static final int ANNOUNCED = 16 << 20;
  private static final String SEND = "/api/emails";
  private static final String BATCH = "/api/emails/batch";

  private static final String SIMPLE =
      """
      {"to": "ada@example.com", "subject": "s", "text": "x"}""";

  private final App app = App.forAdmins();

  @AfterEach
  void stop() {
    app.close();
  }

  static Stream<Arguments> beginnings() {
    String digits = "1".repeat(300);
    String name = "n".repeat(2_000);
    String brackets = "[".repeat(200);
    String values = "1,".repeat(1_000_000);
    return Stream.of(
        tooLarge("emails", "1000 emails", BATCH, "{'emails': [" + "{},".repeat(1_001)),
        tooLarge("emails[0].data.a", "1000000", BATCH, "{'emails': [{'data': {'a': [" + values),
        tooLarge("data.a", "1000000", SEND, "{'data': {'a': [" + values),
        malformed("emails[0].data.a", "100 levels", BATCH, "{'emails': [{'data': {'a':" + brackets),
        malformed("data.a", "100 levels", SEND, "{'data': {'a': " + brackets),
        malformed("[0][0]", "100 levels", SEND, brackets),
        malformed("emails[1].data.a", "100", BATCH, "{'emails': [{}, {'data': {'a': " + digits),
        malformed("data.a", "100", SEND, "{'to': 'a@example.com', 'data': {'a': " + digits),
        malformed("data.a", "100", SEND, "{'data': {'a': -0." + digits),
        malformed("data.a", "100", SEND, "{'data': {'a': 1e" + digits),
        malformed("data.a[1]", "100", SEND, "{'data': {'a': ['" + digits + "', " + digits),
        malformed("emails[1].data", "500", BATCH, "{'emails': [{}, {'data': {'a': 1, '" + name),
        malformed("data", "500", SEND, "{'to': 'a@example.com', 'data': {'" + name),
        malformed("body", "500", SEND, "{'" + name));
  }

  private static Arguments tooLarge(String field, String limit, String path, String start) {
    return Arguments.of(413, "urn:outbox:too-large", field, limit, path, start);
  }

  private static Arguments malformed(String field, String limit, String path, String start) {
    return Arguments.of(400, "urn:outbox:malformed-request", field, limit, path, start);
  }

  @ParameterizedTest(name = "{4}: {2}, {3}")
  @MethodSource("beginnings")
  void aRequestBeyondALimitIsAnsweredBeforeItsRestIsSent(
      int status, String type, String field, String limit, String path, String start)
      throws IOException {
    try (RawPost post =
        new RawPost(app.uri("").getPort(), path, ANNOUNCED, Duration.ofSeconds(10))) {
      post.send(start.replace('\'', '"'));
      RawPost.Reply reply = post.reply();

      assertThat(reply.status()).as(reply.json().toString()).isEqualTo(status);
      assertThat(reply.json().get("type").textValue()).isEqualTo(type);
      assertThat(reply.json().get("field").textValue()).startsWith(field);
      assertThat(reply.json().get("detail").textValue()).contains(limit);
    }
    assertThat(app.outbox().query(EmailQuery.all(), 1).emails()).isEmpty();
  }

  /** Java's client sends all of a request before it reads the answer. */
  @Test
  void aClientThatSendsToTheEndGetsTheAnswer() {
    String email =
        "{\"to\": \"ada@example.com\", \"subject\": \"s\", \"text\": \"%s\"}"
            .formatted("x".repeat(1_000));
    String tooMany = "{\"emails\": [%s]}".formatted(String.join(",", nCopies(12_000, email)));

    assertThat(app.post(BATCH, tooMany).problem(413, "too-large").get("field").textValue())
        .isEqualTo("emails");
    String unknown = "{\"colour\": [%s]}".formatted(String.join(",", nCopies(12_000, email)));
    assertThat(app.post(BATCH, unknown).problem(422, "invalid-email").get("field").textValue())
        .isEqualTo("colour");
  }

  @Test
  void theRestOfARejectedRequestIsDiscardedAfterTheAnswer() throws IOException {
    String piece = "[".repeat(1 << 16);
    try (RawPost post =
        new RawPost(app.uri("").getPort(), SEND, ANNOUNCED, Duration.ofSeconds(10))) {
      post.send(piece);
      assertThat(post.reply().status()).isEqualTo(400);

      for (int sent = piece.length(); sent < ANNOUNCED; sent += piece.length()) {
        post.send(piece);
      }
      assertThat(post.rest()).as("after the answer").isEmpty();
    }
  }

  @Test
  void aClientThatNeverStopsSendingIsDisconnected() throws IOException {
    String piece = "[".repeat(10_000);
    try (App small = App.with(p -> p.bodyLimit(100_000).access(context -> AccessRole.ADMIN));
        RawPost post = new RawPost(small.uri("").getPort(), SEND, -1, Duration.ofSeconds(10))) {
      assertThatThrownBy(
              () -> {
                for (int sent = 0; sent < 64 << 20; sent += piece.length()) {
                  post.send(piece);
                }
              })
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void whatIsJustWithinTheLimitsIsRead() {
    String data =
        "{'number': %s, 'decimal': -0.%s, '%s': %s}"
            .formatted(
                "9".repeat(100), "9".repeat(90), "n".repeat(500), "[".repeat(31) + "]".repeat(31));

    app.post(
            SEND,
            "{'to': 'ada@example.com', 'template': 'order', 'data': %s}"
                .formatted(data)
                .replace('\'', '"'))
        .is(201);
  }

  @ParameterizedTest
  @ValueSource(ints = {101, 105})
  void aNumberOfOneDigitTooManyIsRejected(int digits) {
    String json = "{\"data\": {\"a\": [%s]}}".formatted("9".repeat(digits));

    assertThat(app.post(SEND, json).problem(400, "malformed-request").get("field").textValue())
        .isEqualTo("data.a[0]");
  }

  /** The limits are those of UTF-8. */
  @Test
  void jsonInAnotherEncodingIsRejected() {
    HttpRequest.Builder request =
        app.request(SEND)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(SIMPLE, StandardCharsets.UTF_16LE));

    App.ask(request).problem(400, "malformed-request");
  }

  @Test
  void aByteOrderMarkOfUtf8IsIgnored() {
    app.post(SEND, "\ufeff" + SIMPLE).is(201);
  }

  @Test
  void digitsInATextAreNoNumber() {
    String text = "1".repeat(100_000) + "\\\"" + "2".repeat(100_000);

    app.post(
            SEND,
            "{\"to\": \"ada@example.com\", \"subject\": \"s\", \"text\": \"%s\"}".formatted(text))
        .is(201);
  }

  @Test
  void aNameThatMayBeContentIsNotShownInThePlace() {
    String json = "{\"data\": {\"ada@example.com\": {\"a\": %s}}}".formatted("1".repeat(300));

    Answer answer = app.post(SEND, json);

    assertThat(answer.problem(400, "malformed-request").get("field").textValue())
        .isEqualTo("data.?.a");
  }
}
