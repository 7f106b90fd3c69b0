package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.testkit.RecordingTransport;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator does by hand. */
class ActionRoutesTest {

  private final App app = App.forAdmins();

  @AfterEach
  void stop() {
    app.close();
  }

  @Test
  void aFailedEmailIsRequeuedAndLeaves() {
    EmailId id = failed();

    assertThat(app.act("/api/emails/" + id + "/requeue").is(200).json().get("state").textValue())
        .isEqualTo("READY");

    app.mail().assertSent().to("ada@example.com");
    assertThat(
            app.act("/api/emails/" + id + "/requeue")
                .problem(409, "refused")
                .get("email")
                .textValue())
        .isEqualTo(id.toString());
  }

  @Test
  void aWaitingEmailIsCancelledAndASentOneIsNot() {
    EmailId waiting = send();
    app.act("/api/emails/" + waiting + "/cancel").is(200);
    assertThat(state(waiting)).isEqualTo(State.FAILED);

    EmailId sent = send();
    app.mail().process();
    app.act("/api/emails/" + sent + "/cancel").problem(409, "refused");
  }

  @Test
  void anErasedEmailHasNothingPersonalLeft() {
    EmailId id = failed();

    app.act("/api/emails/" + id + "/erase").is(200);

    Answer after = app.get("/api/emails/" + id).is(200);
    assertThat(after.json().get("erased").booleanValue()).isTrue();
    assertThat(after.json().get("requeuable").booleanValue()).isFalse();
    assertThat(after.text()).doesNotContain("ada@", "Order 42");
  }

  @Test
  void allThatFitAreRequeued() {
    EmailId ada = failed();
    app.mail().transport().answerNext(RecordingTransport::refuse);
    EmailId bob =
        app.outbox().send(Email.to("bob@example.com").subject("s").text("x").build()).id();
    app.mail().process();
    EmailId cancelled = send();
    app.outbox().cancel(cancelled);

    assertThat(requeueAll("{\"recipient\": \"bob@example.com\"}")).isEqualTo(1);
    assertThat(state(ada)).isEqualTo(State.FAILED);
    assertThat(state(bob)).isEqualTo(State.READY);
    assertThat(requeueAll("{\"state\": [\"FAILED\"]}")).isEqualTo(1);
    assertThat(state(cancelled)).isEqualTo(State.FAILED);
    assertThat(requeueAll("{\"code\": \"CANCELLED\"}")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"code\": 7}", "{\"code\": \"LOST\"}"})
  void aBadCriterionRequeuesNothing(String json) {
    failed();

    assertThat(
            app.post("/api/requeue", json).problem(422, "invalid-email").get("field").textValue())
        .startsWith("code");
  }

  @ParameterizedTest
  @ValueSource(strings = {"since", "before"})
  void aTimeThatNoStoreHasRequeuesNothing(String field) {
    EmailId id = failed();
    String json = "{\"%s\": \"+999999999-12-31T23:59:59Z\"}".formatted(field);

    assertThat(
            app.post("/api/requeue", json).problem(422, "invalid-email").get("field").textValue())
        .isEqualTo(field);
    assertThat(state(id)).isEqualTo(State.FAILED);
  }

  @Test
  void aMisspeltCriterionIsNotTakenForAll() {
    EmailId id = failed();

    assertThat(
            app.post("/api/requeue", "{\"recipent\": \"bob@example.com\"}")
                .problem(422, "invalid-email")
                .get("field")
                .textValue())
        .isEqualTo("recipent");
    assertThat(state(id)).isEqualTo(State.FAILED);
  }

  @Test
  void requeueingAllNeedsABody() {
    App.ask(app.request("/api/requeue").header(CsrfCheck.ACTION, "1").POST(BodyPublishers.noBody()))
        .problem(415, "not-json");
  }

  private int requeueAll(String json) {
    return app.post("/api/requeue", json).is(200).json().get("requeued").intValue();
  }

  private EmailId send() {
    return app.outbox()
        .send(Email.to("ada@example.com").subject("Order 42").text("x").build())
        .id();
  }

  private EmailId failed() {
    app.mail().transport().answerNext(RecordingTransport::refuse);
    EmailId id = send();
    app.mail().process();
    return id;
  }

  private State state(EmailId id) {
    return app.outbox().find(id).orElseThrow().summary().state();
  }
}
