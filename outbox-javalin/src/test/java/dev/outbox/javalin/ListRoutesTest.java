package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.testkit.RecordingTransport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists, searches and pages. */
class ListRoutesTest {

  private final App app = App.forAdmins();

  @AfterEach
  void stop() {
    app.close();
  }

  @Test
  void pagesGoFromTheNewestToTheOldestWithoutGapsOrRepeats() {
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      sent.add(0, send("u" + i + "@example.com").toString());
    }
    List<String> listed = new ArrayList<>();
    String cursor = "";
    int pages = 0;
    do {
      JsonNode page = app.get("/api/emails?limit=3" + cursor).is(200).json();
      page.get("emails").forEach(email -> listed.add(email.get("id").textValue()));
      cursor = page.get("next").isNull() ? "" : "&after=" + page.get("next").textValue();
      pages++;
    } while (!cursor.isEmpty());

    assertThat(listed).isEqualTo(sent);
    assertThat(pages).isEqualTo(3);
  }

  @Test
  void everyCriterionNarrows() {
    EmailId failed = failed("ada@example.com");
    EmailId templated =
        app.outbox()
            .send(
                Email.to("bob@example.com")
                    .template("order", Map.of("id", 1, "price", 2))
                    .tag("orders")
                    .build())
            .id();

    assertThat(ids("/api/emails?state=FAILED")).containsExactly(failed);
    assertThat(ids("/api/emails?state=FAILED,ACCEPTED")).containsExactly(templated, failed);
    assertThat(ids("/api/emails?state=FAILED&state=ACCEPTED")).containsExactly(templated, failed);
    assertThat(ids("/api/emails?code=REFUSED")).containsExactly(failed);
    assertThat(ids("/api/emails?code=EXPIRED")).isEmpty();
    assertThat(ids("/api/emails?recipient=BOB@example.com")).containsExactly(templated);
    assertThat(ids("/api/emails?template=order")).containsExactly(templated);
    assertThat(ids("/api/emails?tag=orders")).containsExactly(templated);
    assertThat(ids("/api/emails?since=2100-01-01T00:00:00Z")).isEmpty();
    assertThat(ids("/api/emails?before=2100-01-01T00:00:00Z")).hasSize(2);
  }

  @Test
  void failedAndInvalidHaveListsOfTheirOwn() {
    EmailId failed = failed("ada@example.com");
    EmailId invalid = app.outbox().send(Email.to("ada@example.com").template("order").build()).id();
    app.mail().process();

    assertThat(ids("/api/failed")).containsExactly(failed);
    assertThat(ids("/api/invalid")).containsExactly(invalid);
  }

  @Test
  void staleIsWhatShouldHaveLeftLongAgo() {
    Instant later = Instant.parse("2100-01-01T00:00:00Z");
    app.outbox().send(Email.to("b@example.com").subject("s").text("x").sendAt(later).build());
    EmailId stuck = send("a@example.com");

    assertThat(ids("/api/stale")).isEmpty();
    assertThat(ids("/api/stale?olderThan=-PT1M")).containsExactly(stuck);
    app.mail().process();
    assertThat(ids("/api/stale?olderThan=-PT1M")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "limit, /api/emails?limit=0",
    "limit, /api/emails?limit=1001",
    "limit, /api/emails?limit=many",
    "after, /api/emails?after=7",
    "state, /api/emails?state=LOST",
    "code, /api/emails?code=LOST",
    "recipient, /api/emails?recipient=nobody",
    "recipient, /api/emails?recipient=a@example.com%0d%0aBcc:eve@example.com",
    "since, /api/emails?since=yesterday",
    "template, /api/emails?template=a&template=b",
    "limit, /api/emails?limit=99999999999999999999",
    "since, /api/emails?since=%2B999999999-12-31T23:59:59Z",
    "since, /api/emails?since=-999999999-01-01T00:00:00Z",
    "before, /api/emails?before=9000-01-01T00:00:00Z",
    "before, /api/failed?before=1969-12-31T23:59:59Z",
    "olderThan, /api/stale?olderThan=long",
    "olderThan, /api/stale?olderThan=P999999999999D",
    "olderThan, /api/stale?olderThan=-P999999999999D",
    "olderThan, /api/stale?olderThan=PT-9223372036854775808S",
    "olderThan, /api/stale?olderThan=P3651D",
    "olderThan, /api/stale?olderThan=-P3651D",
    "stat, /api/emails?stat=FAILED",
    "stat, /api/emails?state=FAILED&stat=FAILED",
    "STATE, /api/emails?STATE=FAILED",
    "state, /api/failed?state=SENT",
    "state, /api/stale?state=SENT",
    "olderThan, /api/emails?olderThan=PT1M",
    "?, /api/emails?ada@example.com=x",
    "?, /api/emails?=x",
  })
  void aBadParameterIsNamed(String name, String path) {
    assertThat(app.get(path).problem(400, "bad-parameter").get("field").textValue())
        .isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/stale?olderThan=P3650D",
        "/api/stale?olderThan=-P3650D",
        "/api/emails?since=1970-01-01T00:00:00Z&before=8999-12-31T23:59:59Z"
      })
  void theFirstAndTheLastTimeThatCanBeNamedAreAccepted(String path) {
    app.get(path).is(200);
  }

  @Test
  void aPageOfAListIsOneQuestionToTheStore() {
    CountingStore store = new CountingStore();
    try (Outbox outbox = Outbox.builder(store.store()).defaultFrom("a@example.com").build()) {
      List<Email> many = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        many.add(Email.to("u" + i + "@example.com").subject("s").text("x").build());
      }
      outbox.sendAll(many);
      try (App host = App.around(outbox)) {
        String cursor = "";
        for (int page = 1; page <= 100; page++) {
          store.forget();
          JsonNode json = host.get("/api/emails?limit=50" + cursor).is(200).json();
          assertThat(json.get("emails")).hasSize(50);
          assertThat(store.questions()).as("page " + page).containsExactly("query 50");
          cursor = "&after=" + json.get("next").textValue();
        }
      }
    }
  }

  private EmailId send(String to) {
    return app.outbox().send(Email.to(to).subject("s").text("x").build()).id();
  }

  private EmailId failed(String to) {
    app.mail().transport().answerNext(RecordingTransport::refuse);
    EmailId id = send(to);
    app.mail().process();
    return id;
  }

  private List<EmailId> ids(String path) {
    List<EmailId> ids = new ArrayList<>();
    app.get(path)
        .is(200)
        .json()
        .get("emails")
        .forEach(email -> ids.add(EmailId.parse(email.get("id").textValue())));
    return ids;
  }
}
