package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.email.EmailQuery;
import dev.outbox.testkit.SentEmail;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Emails come in over HTTP, or are refused with the field at fault. */
class SendRoutesTest {

  private static final String SIMPLE =
      """
      {"to": "ada@example.com", "subject": "Order 42", "text": "Thank you."}""";

  private final App app = App.forAdmins();

  @BeforeEach
  void nothingIsStored() {
    assertThat(stored()).isZero();
  }

  @AfterEach
  void stop() {
    app.close();
  }

  @Test
  void anEmailIsStoredAndNamed() {
    Answer answer = app.post("/api/emails", SIMPLE).is(201);

    assertThat(answer.json().get("created").booleanValue()).isTrue();
    assertThat(answer.header("Location"))
        .isEqualTo("emails/" + answer.json().get("id").textValue());
    app.mail().assertSent().to("ada@example.com").subject("Order 42").textContains("Thank you.");
  }

  @Test
  void everyFieldReachesTheEmail() {
    app.post(
            "/api/emails",
            """
            {"from": "Shop <shop@example.com>", "to": ["ada@example.com", "Bob <bob@example.com>"],
             "cc": "carol@example.com", "bcc": ["dan@example.com"], "replyTo": "help@example.com",
             "template": "order", "data": {"id": 42, "price": 1.10}, "locale": "it",
             "headers": {"X-Campaign": "spring"}, "tags": ["orders"], "requestId": "r-1",
             "attachments": [{"fileName": "a.txt", "contentType": "text/plain", "content": "aGk="}],
             "priority": "HIGH", "expireAfter": "PT6H", "idempotencyKey": "k"}""")
        .is(201);
    app.mail().process();

    SentEmail sent = app.mail().transport().sent().get(0);
    assertThat(sent.message().subject()).isEqualTo("Ordine 42");
    assertThat(sent.message().text()).contains("1.10");
    assertThat(sent.message().recipients().all()).hasSize(4);
    assertThat(sent.message().attachments().get(0).content().toUtf8()).isEqualTo("hi");
    assertThat(sent.message().headers().get(0).name()).isEqualTo("X-Campaign");
    assertThat(sent.message().replyTo().get(0).email()).isEqualTo("help@example.com");
  }

  @Test
  void theSameKeyIsTheSameEmail() {
    JsonNode first = withKey("order-42", SIMPLE).is(201).json();
    JsonNode second = withKey("order-42", SIMPLE).is(200).json();

    assertThat(second.get("id")).isEqualTo(first.get("id"));
    assertThat(second.get("created").booleanValue()).isFalse();
    assertThat(stored()).isEqualTo(1);
  }

  @Test
  void theSameKeyForAnotherEmailIsAConflict() {
    JsonNode first = withKey("order-42", SIMPLE).is(201).json();

    JsonNode problem =
        withKey("order-42", SIMPLE.replace("42", "43")).problem(409, "idempotency-conflict");

    assertThat(problem.get("email")).isEqualTo(first.get("id"));
    assertThat(problem.get("field").textValue()).isEqualTo("idempotencyKey");
  }

  @Test
  void twoDifferentKeysInOneRequestAreRefused() {
    Answer answer = withKey("one", SIMPLE.replace("{", "{\"idempotencyKey\": \"two\", "));

    assertThat(answer.problem(422, "invalid-email").get("field").textValue())
        .isEqualTo("idempotencyKey");
  }

  @Test
  void aListGetsAnAnswerForEachEmail() {
    withKey("known", SIMPLE).is(201);
    withKey("taken", SIMPLE.replace("Order", "Other")).is(201);
    String known = SIMPLE.replace("{", "{\"idempotencyKey\": \"known\", ");
    String taken = SIMPLE.replace("{", "{\"idempotencyKey\": \"taken\", ");
    String bad = SIMPLE.replace("ada@example.com", "nobody");
    String unknownTemplate = "{\"to\": \"ada@example.com\", \"template\": \"missing\"}";

    JsonNode results = batch(SIMPLE, known, bad, taken, unknownTemplate).is(200).json();

    assertThat(results.findValuesAsText("status"))
        .containsSequence("201", "200", "422")
        .contains("409");
    JsonNode list = results.get("results");
    assertThat(list).hasSize(5);
    assertThat(list.get(2).at("/problem/field").textValue()).isEqualTo("to[0]");
    assertThat(list.get(3).at("/problem/status").intValue()).isEqualTo(409);
    assertThat(list.get(4).at("/problem/field").textValue()).isEqualTo("template");
    assertThat(stored()).isEqualTo(3);
  }

  @Test
  void aListWithAConflictAloneIsStoredInOneGo() {
    withKey("taken", SIMPLE.replace("Order", "Other")).is(201);
    String taken = SIMPLE.replace("{", "{\"idempotencyKey\": \"taken\", ");

    JsonNode results = batch(SIMPLE, taken, SIMPLE).is(200).json().get("results");

    assertThat(List.of(results.get(0), results.get(2)))
        .allSatisfy(each -> assertThat(each.get("status").intValue()).isEqualTo(201));
    assertThat(results.get(1).get("status").intValue()).isEqualTo(409);
  }

  @Test
  void aListOfNothingOrTooMuchIsRefused() {
    assertThat(batch().problem(422, "invalid-email").get("field").textValue()).isEqualTo("emails");
    String[] many = new String[1_001];
    Arrays.fill(many, "{}");
    assertThat(batch(many).problem(413, "too-large").get("field").textValue()).isEqualTo("emails");
  }

  @Test
  void aListOfAsManyEmailsAsAllowedIsStored() {
    String[] many = new String[1_000];
    Arrays.fill(many, SIMPLE);

    JsonNode results = batch(many).is(200).json().get("results");

    assertThat(results).hasSize(1_000);
    assertThat(results)
        .allSatisfy(each -> assertThat(each.get("status").intValue()).isEqualTo(201));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "body   | []",
        "body   | 7",
        "emails | {}",
        "emails | {'emails': null}",
        "emails | {'emails': {}}",
        "emails | {'emails': 'all'}",
        "colour | {'colour': 1}",
        "colour | {'emails': [{}], 'colour': 1}",
        "?      | {'emails': [{}], 'ada@x.y': 1}",
      })
  void aBatchThatIsNoListOfEmailsIsRefusedByName(String field, String json) {
    Answer answer = app.post("/api/emails/batch", json.replace('\'', '"'));

    assertThat(answer.problem(422, "invalid-email").get("field").textValue()).isEqualTo(field);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'emails': [EMAIL, EMAIL",
        "{'emails': [EMAIL]} x",
        "{'emails': [EMAIL]}}",
        "{'emails': [EMAIL], 'emails': [EMAIL]}",
        "{'emails': [EMAIL, {'to': 'a@example.com', 'to': 'b@example.com'}]}",
        "{'emails': [EMAIL, {'data': {'a': 1, 'a': 2}}]}"
      })
  void nothingOfABatchIsStoredThatIsMalformedAtItsEnd(String json) {
    app.post("/api/emails/batch", json.replace('\'', '"').replace("EMAIL", SIMPLE))
        .problem(400, "malformed-request");

    assertThat(stored()).isZero();
  }

  @Test
  void whatIsNoEmailIsRefusedAloneInABatch() {
    JsonNode results = batch("7", "null", "[]", SIMPLE).is(200).json().get("results");

    assertThat(results.findValuesAsText("status").stream().distinct()).contains("422", "201");
    assertThat(results.get(1).at("/problem/field").textValue()).isEqualTo("body");
    assertThat(results.get(3).get("status").intValue()).isEqualTo(201);
  }

  @Test
  void aNumberOutOfRangeIsRefusedAloneInABatch() {
    String huge =
        """
        {"to": "ada@example.com", "template": "order",
         "data": {"id": 1, "price": 1e99999999999999}}""";

    JsonNode results = batch(SIMPLE, huge, SIMPLE).is(200).json().get("results");

    assertThat(results.get(1).at("/problem/status").intValue()).isEqualTo(422);
    assertThat(results.get(1).at("/problem/field").textValue()).isEqualTo("data.price");
    assertThat(results.get(2).get("status").intValue()).isEqualTo(201);
  }

  @Test
  void aListHasNoKeyOfItsOwn() {
    Answer answer =
        App.ask(
            app.request("/api/emails/batch")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "k")
                .POST(BodyPublishers.ofString("{\"emails\": [" + SIMPLE + "]}")));

    answer.problem(422, "invalid-email");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "subject       | {'to': 'a@example.com', 'subject': 7, 'text': 'x'}",
        "to[1]         | {'to': ['a@example.com', 7], 'subject': 's', 'text': 'x'}",
        "to            | {'to': {}, 'subject': 's', 'text': 'x'}",
        "to            | {'subject': 's', 'text': 'x'}",
        "body          | {'to': 'a@example.com', 'subject': 's'}",
        "colour        | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'colour': 1}",
        "?             | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'ada@x.y': 1}",
        "data          | {'to': 'a@example.com', 'template': 'order', 'data': []}",
        "data          | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'data': {}}",
        "locale        | {'to': 'a@example.com', 'template': 'order', 'locale': 'no such!'}",
        "attachments   | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'attachments': {}}",
        "attachments[0].content | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'attachments': [{'fileName': 'a', 'contentType': 'a/b', 'content': '%'}]}",
        "attachments[0].fileName | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'attachments': [{'contentType': 'a/b', 'content': ''}]}",
        "attachments[0].path | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'attachments': [{'path': '/etc/passwd'}]}",
        "headers       | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'headers': []}",
        "callbackUrl   | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'callbackUrl': 'file:///x'}",
        "sendAt        | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'sendAt': 'soon'}",
        "expireAfter   | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'expireAfter': '6h'}",
        "priority      | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'priority': 'URGENT'}",
        "sendAt        | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'sendAt': '+999999999-12-31T23:59:59Z'}",
        "sendAt        | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'sendAt': '9000-01-01T00:00:00Z'}",
        "expireAfter   | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'expireAfter': 'P999999999999D'}",
        "expireAfter   | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'expireAfter': 'P-999999999999D'}",
        "expireAfter   | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'expireAfter': 'PT9999999999999999999H'}",
        "data.id       | {'to': 'a@example.com', 'template': 'order', 'data': {'id': 1e99999999999999}}",
        "data.id       | {'to': 'a@example.com', 'template': 'order', 'data': {'id': -1.5e99999999999999}}",
        "data.id       | {'to': 'a@example.com', 'template': 'order', 'data': {'id': 1e-99999999999999}}",
        "data.id       | {'to': 'a@example.com', 'template': 'order', 'data': {'id': 1e2147483647}}",
        "data.id       | {'to': 'a@example.com', 'template': 'order', 'data': {'id': 1e-2147483647}}",
        "data.id       | {'to': 'a@example.com', 'template': 'order', 'data': {'id': 1e1001}}",
        "data.list[1].price | {'to': 'a@example.com', 'template': 'order', 'data': {'list': [1, {'price': 1e99999999999999}]}}",
        "subject       | {'to': 'a@example.com', 'subject': 1e99999999999999, 'text': 'x'}",
        "to[0]         | {'to': [1e99999999999999], 'subject': 's', 'text': 'x'}",
        "to[0]         | {'to': '=?utf-8?q?a=40evil.com=3e?=@example.com', 'subject': 's', 'text': 'x'}",
        "cc[1]         | {'cc': ['a@example.com', 'a%b@example.com'], 'subject': 's', 'text': 'x'}",
        "bcc[0]        | {'bcc': ['a!b@example.com'], 'subject': 's', 'text': 'x'}",
        "replyTo[0]    | {'to': 'a@example.com', 'replyTo': '/etc/passwd@example.com', 'subject': 's', 'text': 'x'}",
        "from          | {'to': 'a@example.com', 'from': '\\u007c/bin/sh@example.com', 'subject': 's', 'text': 'x'}",
        "attachment.contentType | {'to': 'a@example.com', 'subject': 's', 'text': 'x', 'attachments': [{'fileName': 'a', 'contentType': 'message/External-Body', 'content': ''}]}",
        "template      | {'to': 'a@example.com', 'template': 'missing'}",
        "body          | []",
      })
  void whatCannotWorkIsRefusedByName(String field, String json) {
    JsonNode problem =
        app.post("/api/emails", json.replace('\'', '"')).problem(422, "invalid-email");

    assertThat(problem.get("field").textValue()).isEqualTo(field);
    assertThat(stored()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "from",
        "to",
        "cc",
        "bcc",
        "replyTo",
        "subject",
        "template",
        "locale",
        "idempotencyKey",
        "requestId",
        "tags",
        "callbackUrl",
        "sendAt",
        "expireAfter",
        "priority"
      })
  void aLineBreakIsRefusedInEveryField(String field) {
    String value = "x@example.com\\r\\nBcc: eve@example.com";
    String json =
        """
        {"to": "ada@example.com", %s "FIELD": "VALUE"}"""
            .formatted(field.equals("subject") ? "\"text\": \"x\"," : "")
            .replace("FIELD", field)
            .replace("VALUE", value);
    if (field.equals("to")) {
      json = "{\"to\": \"" + value + "\", \"subject\": \"s\", \"text\": \"x\"}";
    } else if (field.equals("locale")) {
      json = json.replace("{", "{\"template\": \"order\", ");
    } else if (!field.equals("template") && !field.equals("subject")) {
      json = json.replace("{", "{\"subject\": \"s\", \"text\": \"x\", ");
    }

    JsonNode problem = app.post("/api/emails", json).problem(422, "invalid-email");

    assertThat(problem.get("field").textValue()).startsWith(field);
    assertThat(problem.toString()).doesNotContain("eve");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'headers': {'X-A': 'a\\r\\nBcc: eve@example.com'}",
        "'headers': {'X-A\\r\\nBcc': 'eve@example.com'}",
        "'attachments': [{'fileName': 'a\\r\\nB: c', 'contentType': 'a/b', 'content': ''}]",
        "'attachments': [{'fileName': 'a', 'contentType': 'a/b\\r\\nB: c', 'content': ''}]",
        "'attachments': [{'fileName': 'a', 'contentType': 'a/b', 'content': '', 'contentId': 'a\\r\\nB: c'}]"
      })
  void aLineBreakIsRefusedInHeadersAndFiles(String part) {
    String json = "{'to': 'ada@example.com', 'subject': 's', 'text': 'x', %s}".formatted(part);

    app.post("/api/emails", json.replace('\'', '"')).problem(422, "invalid-email");
  }

  private Answer withKey(String key, String json) {
    return App.ask(
        app.request("/api/emails")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(json)));
  }

  private Answer batch(String... emails) {
    return app.post("/api/emails/batch", "{\"emails\": [" + String.join(",", emails) + "]}");
  }

  private int stored() {
    return app.outbox().query(EmailQuery.all(), 100).emails().size();
  }
}
