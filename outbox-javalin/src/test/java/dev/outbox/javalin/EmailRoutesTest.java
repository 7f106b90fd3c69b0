package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.email.Address;
import dev.outbox.email.Attachment;
import dev.outbox.email.Email;
import dev.outbox.email.EmailBuilder;
import dev.outbox.email.EmailId;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.testkit.RecordingTransport;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One email: its way, its content while there is any, and what is hidden from whom. */
class EmailRoutesTest {

  private final AtomicReference<AccessRole> access = new AtomicReference<>(AccessRole.ADMIN);
  private final App app = App.with(p -> p.access(context -> access.get()));

  @AfterEach
  void stop() {
    app.close();
  }

  @Test
  void anEmailIsToldWithItsWholeWay() {
    app.mail().transport().answerNext(RecordingTransport::defer);
    EmailId id = app.outbox().send(email().build()).id();
    app.mail().process();
    app.mail().transport().answerNext(RecordingTransport::refuse);
    app.mail().advance(Duration.ofDays(1));
    app.mail().process();

    JsonNode json = app.get("/api/emails/" + id).is(200).json();

    assertThat(json.get("state").textValue()).isEqualTo("FAILED");
    assertThat(json.get("code").textValue()).isEqualTo("REFUSED");
    assertThat(json.get("attempts").intValue()).isEqualTo(2);
    assertThat(json.at("/to/0/address").textValue()).isEqualTo("ada@example.com");
    assertThat(json.at("/to/0/name").textValue()).isEqualTo("Ada");
    assertThat(json.at("/recipients/0/reply").textValue()).startsWith("550");
    assertThat(json.get("requeuable").booleanValue()).isTrue();
    assertThat(json.get("cancellable").booleanValue()).isFalse();
    JsonNode history = json.get("history");
    assertThat(history.findValuesAsText("state"))
        .containsExactly("ACCEPTED", "INTAKING", "PROCESSING", "READY", "PROCESSING", "FAILED");
    assertThat(history.get(3).get("detail").textValue()).startsWith("450");
    assertThat(history.findValuesAsText("node").subList(1, 6))
        .as("nodes of all steps after ACCEPTED")
        .allSatisfy(node -> assertThat(node).startsWith("node~"));
  }

  @Test
  void theCallbacksQueryMayHoldATokenAndIsNotShown() {
    EmailId id =
        app.outbox()
            .send(email().callbackUrl(URI.create("https://example.com/hook?token=s3cret")).build())
            .id();

    Answer answer = app.get("/api/emails/" + id).is(200);

    assertThat(answer.json().get("callbackUrl").textValue())
        .isEqualTo("https://example.com/hook?…");
    assertThat(answer.text()).doesNotContain("s3cret");
  }

  @Test
  void addressesAreMaskedEverywhereForThoseWhoMayNotSeeThem() {
    app.mail().transport().answer(EmailRoutesTest::quoting);
    EmailId id =
        app.outbox()
            .send(
                email()
                    .cc("Carol <carol@example.com>")
                    .bcc("dan@example.com")
                    .subject("For ada@example.com")
                    .tag("ada@example.com")
                    .requestId("ada@example.com")
                    .build())
            .id();
    app.mail().process();

    for (AccessRole blind : new AccessRole[] {AccessRole.VIEWER, AccessRole.OPERATOR}) {
      access.set(blind);
      for (String path :
          new String[] {"/api/emails/" + id, "/api/emails", "/api/failed", "/api/failures"}) {
        assertThat(app.get(path).is(200).text())
            .as("%s %s", blind, path)
            .doesNotContainIgnoringCase("ada@")
            .doesNotContain("ADA", "<ada>", "Ada")
            .doesNotContainIgnoringCase("carol")
            .doesNotContainIgnoringCase("dan@");
      }
      assertThat(app.get("/api/emails/" + id).json().at("/to/0/address").textValue())
          .isEqualTo("a***@example.com");
      app.get("/api/emails/" + id + "/message").problem(403, "forbidden");
      app.get("/api/emails/" + id + "/html").problem(403, "forbidden");
      app.get("/api/emails/" + id + "/raw").problem(403, "forbidden");
    }
    access.set(AccessRole.AUDITOR);
    assertThat(app.get("/api/emails/" + id).text()).contains("ada@example.com", "Carol");
  }

  @Test
  void failuresShowNoAddressThatIsCutOff() {
    for (String reply : new String[] {"550 unknown <ad", "550 unknown <ada@"}) {
      app.mail()
          .transport()
          .answerNext(
              envelope ->
                  new DeliveryResult.Answered(
                      envelope.recipients().stream()
                          .map(each -> new RecipientResult(each.email(), Status.REFUSED, reply))
                          .toList(),
                      reply));
      app.outbox().send(email().build());
      app.mail().process();
    }

    assertThat(app.get("/api/failures").is(200).json().get("groups").findValuesAsText("text"))
        .isNotEmpty()
        .allSatisfy(
            words -> assertThat(words).startsWith("550 unknown").doesNotContain("<ad", "ada@"));
  }

  @Test
  void theContentCanBeReadWhileItExists() {
    byte[] logo = {1, 2, 3};
    EmailId id =
        app.outbox()
            .send(
                email()
                    .html("<script>alert(1)</script><img src=\"cid:logo\"><p>Hello</p>")
                    .attach(Attachment.inline("logo", "logo.png", "image/png", logo))
                    .header("X-Campaign", "spring")
                    .build())
            .id();

    JsonNode message = app.get("/api/emails/" + id + "/message").is(200).json();
    assertThat(message.get("subject").textValue()).isEqualTo("Order 42");
    assertThat(message.get("text").textValue()).isEqualTo("Thank you.");
    assertThat(message.get("html").booleanValue()).isTrue();
    assertThat(message.at("/attachments/0/fileName").textValue()).isEqualTo("logo.png");
    assertThat(message.at("/headers/0/name").textValue()).isEqualTo("Subject");

    Answer html = app.get("/api/emails/" + id + "/html").is(200);
    assertThat(html.header("Content-Security-Policy"))
        .contains("default-src 'none';", "img-src data:;")
        .endsWith("; sandbox")
        .doesNotContain("script-src", "http", "*");
    assertThat(html.header("X-Frame-Options")).isEqualTo("SAMEORIGIN");
    assertThat(html.text())
        .contains("data:image/png;base64," + Base64.getEncoder().encodeToString(logo));

    Answer raw = app.get("/api/emails/" + id + "/raw").is(200);
    assertThat(raw.header("Content-Type")).startsWith("text/plain");
    assertThat(raw.text()).contains("Order 42");
  }

  @Test
  void contentThatIsGoneSaysSo() {
    EmailId id = app.outbox().send(email().build()).id();
    app.mail().process();

    assertThat(app.get("/api/emails/" + id).json().get("content").booleanValue()).isFalse();
    for (String part : new String[] {"message", "html", "raw"}) {
      JsonNode problem = app.get("/api/emails/" + id + "/" + part).problem(404, "not-found");
      assertThat(problem.get("detail").textValue()).contains("content is gone");
    }
  }

  @Test
  void whatCannotBeRenderedSaysWhy() {
    EmailId id = app.outbox().send(Email.to("ada@example.com").template("order").build()).id();
    app.mail().process();

    JsonNode message = app.get("/api/emails/" + id + "/message").is(200).json();

    assertThat(message.get("problem").textValue()).contains("id");
    app.get("/api/emails/" + id + "/html").problem(404, "not-found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"7", "00000000-0000-7000-8000-000000000000", "..%2f..%2fetc", "%0d%0a"})
  void whatIsNoEmailIsNotFound(String id) {
    app.get("/api/emails/" + id).problem(404, "not-found");
    app.act("/api/emails/" + id + "/requeue").problem(404, "not-found");
    app.act("/api/emails/" + id + "/cancel").problem(404, "not-found");
    app.act("/api/emails/" + id + "/erase").problem(404, "not-found");
  }

  private static DeliveryResult quoting(Envelope envelope) {
    return new DeliveryResult.Answered(
        envelope.recipients().stream()
            .map(Address::email)
            .map(
                each ->
                    new RecipientResult(each, Status.REFUSED, "550 <" + each + ">: ADA unknown"))
            .toList(),
        "550 <ada@example.com>: user <ada> unknown");
  }

  private static EmailBuilder email() {
    return Email.to("Ada <ada@example.com>").subject("Order 42").text("Thank you.");
  }
}
