package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The method of a request is the one in its first line, and no header changes it. */
class MethodOverrideTest {

  private static final String EMAIL =
      """
      {"to": "ada@example.com", "subject": "s", "text": "x"}""";

  private final DevelopmentInbox inbox = new DevelopmentInbox();
  private final App app =
      App.with(
          builder -> builder.transport(inbox),
          p -> p.inbox(inbox).access(context -> AccessRole.ADMIN));

  private EmailId stored = EmailId.next();

  @BeforeEach
  void sendTwo() {
    app.outbox().send(Email.to("ada@example.com").subject("s").text("x").build());
    app.outbox().processDue();
    stored = app.outbox().send(Email.to("ada@example.com").subject("s").text("x").build()).id();
  }

  @AfterEach
  void stop() {
    app.close();
  }

  static Stream<Arguments> spellings() {
    return Stream.of(
            "X-HTTP-Method-Override",
            "x-http-method-override",
            "X-Http-Method-Override",
            "X-HTTP-METHOD-OVERRIDE",
            "X-HTTP-Method",
            "X-Method-Override")
        .flatMap(
            header ->
                Stream.of("POST", "post", "Post", " POST", "POST, GET", "DELETE", "delete")
                    .map(value -> Arguments.of(header, value)));
  }

  @ParameterizedTest
  @MethodSource("spellings")
  void aRequestThatReadsChangesNothing(String header, String value) {
    for (String method : List.of("GET", "HEAD")) {
      for (String path :
          List.of(
              "/api/emails", "/api/inbox", "/api/requeue", "/api/emails/" + stored + "/cancel")) {
        Answer answer = ask(method, path, header, value);
        assertThat(answer.status()).as("%s %s", method, path).isNotEqualTo(201);
      }
    }
    assertNothingHasChanged();
  }

  @Test
  void theOverrideIsNamedInTheAnswer() {
    assertThat(
            ask("GET", "/api/emails", "X-HTTP-Method-Override", "POST")
                .problem(400, "malformed-request")
                .get("detail")
                .textValue())
        .contains("X-HTTP-Method-Override");
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELETE", "GET", "HEAD", "PUT", "delete", "get"})
  void aPostIsNothingElse(String value) {
    Answer list = ask("POST", "/api/inbox", "X-HTTP-Method-Override", value);
    Answer send = ask("POST", "/api/emails", "X-HTTP-Method-Override", value);

    assertThat(list.status()).isIn(400, 404);
    assertThat(send.status()).isIn(400, 404);
    assertNothingHasChanged();
  }

  @Test
  void anOverrideOfAMethodWithItselfIsNone() {
    ask("POST", "/api/emails", "X-HTTP-Method-Override", "POST").is(201);
    ask("GET", "/api/emails", "X-HTTP-Method-Override", "GET").is(200);
  }

  @Test
  void aParameterIsNoMethodEither() {
    app.get("/api/emails?_method=POST").problem(400, "bad-parameter");
    assertNothingHasChanged();
  }

  private Answer ask(String method, String path, String header, String value) {
    return App.ask(
        app.request(path)
            .header(header, value)
            .header(CsrfCheck.ACTION, "1")
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(path.endsWith("requeue") ? "{}" : EMAIL)));
  }

  private void assertNothingHasChanged() {
    assertThat(app.outbox().query(EmailQuery.all(), 100).emails()).hasSize(2);
    assertThat(app.outbox().find(stored).orElseThrow().summary().state().isCancellable()).isTrue();
    assertThat(inbox.size()).isEqualTo(1);
  }
}
