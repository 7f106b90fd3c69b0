package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.Outbox;
import dev.outbox.email.Address;
import dev.outbox.email.Attachment;
import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The development inbox catches what would have been sent. */
class InboxRoutesTest {

  private final DevelopmentInbox inbox =
      new DevelopmentInbox(3, address -> address.local().equals("bounce"));
  private final App app =
      App.with(
          builder -> builder.transport(inbox),
          p -> p.inbox(inbox).access(context -> AccessRole.ADMIN));
  private final Outbox outbox = app.outbox();

  @AfterEach
  void stop() {
    app.close();
  }

  @Test
  void whatWasSentIsFoundThere() {
    send("ada@example.com", "Order 42");

    JsonNode found = app.get("/api/inbox?to=ada@example.com").is(200).json();

    assertThat(found.get("total").intValue()).isEqualTo(1);
    assertThat(found.at("/emails/0/subject").textValue()).isEqualTo("Order 42");
    assertThat(found.at("/emails/0/to/0/address").textValue()).isEqualTo("ada@example.com");
    assertThat(app.get("/api/inbox?to=bob@example.com").json().get("emails")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "to=ADA@, 1",
    "to=example.com, 2",
    "from=shop, 0",
    "from=test@, 2",
    "subject=order, 1",
    "q=invoice, 1",
    "q=thank, 2",
    "q=nothing, 0",
    "to=ada&subject=invoice, 0",
    "limit=1, 2"
  })
  void itCanBeSearched(String query, int expected) {
    send("ada@example.com", "Order 42");
    send("bob@example.com", "Invoice 7");

    assertThat(app.get("/api/inbox?" + query).is(200).json().get("total").intValue())
        .isEqualTo(expected);
  }

  @Test
  void aCaughtEmailCanBeReadInEveryForm() {
    outbox.send(
        Email.to("Ada <ada@example.com>")
            .subject("Grüße")
            .text("Hello\n\nAda")
            .html("<script>alert(1)</script><p>Hello</p>")
            .header("X-Campaign", "spring")
            .attach(
                Attachment.of("ä.txt", "text/html", "<script>".getBytes(StandardCharsets.UTF_8)))
            .build());
    outbox.processDue();

    JsonNode json = app.get("/api/inbox/1").is(200).json();
    assertThat(json.at("/message/text").textValue()).isEqualTo("Hello\n\nAda");
    assertThat(json.at("/message/attachments/0/fileName").textValue()).isEqualTo("ä.txt");
    assertThat(json.get("headers").findValuesAsText("name"))
        .contains("From", "To", "Subject", "Message-ID", "X-Campaign");

    Answer html = app.get("/api/inbox/1/html").is(200);
    assertThat(html.header("Content-Security-Policy")).contains("default-src 'none'", "sandbox");

    assertThat(app.get("/api/inbox/1/raw").is(200).text())
        .contains("Subject: Grüße\r\n", "multipart/mixed", "\r\nHello\r\n\r\nAda\r\n");

    Answer file = app.get("/api/inbox/1/attachments/0").is(200);
    assertThat(file.header("Content-Type")).isEqualTo("application/octet-stream");
    assertThat(file.header("Content-Disposition"))
        .isEqualTo("attachment; filename*=UTF-8''%C3%A4.txt");
    app.get("/api/inbox/1/attachments/1").problem(404, "not-found");
    app.get("/api/inbox/1/attachments/-1").problem(404, "not-found");
    app.get("/api/inbox/2").problem(404, "not-found");
    app.get("/api/inbox/x").problem(404, "not-found");
  }

  @Test
  void itIsEmptiedAtOnceAndOnlyByThoseWhoMayAct() {
    send("ada@example.com", "Order 42");

    App.ask(app.request("/api/inbox").DELETE()).problem(403, "forbidden");
    assertThat(inbox.size()).isEqualTo(1);
    App.ask(app.request("/api/inbox").header(CsrfCheck.ACTION, "1").DELETE()).is(204);
    assertThat(inbox.size()).isZero();
  }

  @Test
  void theOldestMakesRoom() {
    for (int i = 1; i <= 4; i++) {
      send("ada@example.com", "Order " + i);
    }

    JsonNode found = app.get("/api/inbox").is(200).json();

    assertThat(found.get("emails").findValuesAsText("subject"))
        .containsExactly("Order 4", "Order 3", "Order 2");
    app.get("/api/inbox/1").problem(404, "not-found");
  }

  @Test
  void recipientsCanBeRefusedOnPurpose() {
    EmailId id = send("bounce@example.com", "Order 42");

    assertThat(inbox.size()).isZero();
    assertThat(outbox.find(id).orElseThrow().summary().state()).isEqualTo(State.FAILED);
    assertThat(outbox.find(id).orElseThrow().summary().code()).isEqualTo(FailureCode.REFUSED);
  }

  @Test
  void whoIsRefusedDoesNotSeeWhatOthersGet() {
    outbox.send(Email.to("ada@example.com", "bounce@example.com").subject("s").text("x").build());
    outbox.processDue();

    assertThat(inbox.list().get(0).envelope().recipients())
        .extracting(Address::email)
        .isEqualTo(List.of("ada@example.com"));
    assertThat(inbox.list().get(0).toString()).doesNotContain("ada@");
  }

  @Test
  void aClosedInboxTakesNothing() {
    inbox.close();

    assertThatThrownBy(outbox::start).hasMessageContaining("development inbox was closed");
    assertThat(
            inbox.deliver(
                new Envelope(
                    EmailId.next(),
                    Address.parse("shop@example.com"),
                    List.of(Address.parse("ada@example.com"))),
                Bytes.utf8("x"),
                () -> true))
        .isEqualTo(new DeliveryResult.NotSent());
    assertThat(inbox.size()).isZero();
  }

  private EmailId send(String to, String subject) {
    EmailId id = outbox.send(Email.to(to).subject(subject).text("Thank you.").build()).id();
    outbox.processDue();
    return id;
  }
}
