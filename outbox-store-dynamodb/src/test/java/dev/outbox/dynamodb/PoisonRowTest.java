package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailDetails;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.State;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.ReapedEmail;
import dev.outbox.testkit.RecordingTransport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A row that somebody has spoilt ends as invalid, can be erased, and stops nobody. */
class PoisonRowTest extends LocalStore {

  private static final String SECRET = "countess-lovelace";
  private static final AttributeValue WORDS = AttributeValues.text(SECRET);
  private static final AttributeValue NUMBER = AttributeValue.fromN("-1.5");

  static Stream<Arguments> spoilt() {
    return Stream.of(
        Arguments.of("Attributes", null),
        Arguments.of("Attributes", WORDS),
        Arguments.of("Headline", WORDS),
        Arguments.of("Headline", AttributeValue.fromM(Map.of("From", WORDS))),
        Arguments.of("Priority", WORDS),
        Arguments.of("Priority", NUMBER),
        Arguments.of("Lane", WORDS),
        Arguments.of("Template", NUMBER),
        Arguments.of("Tags", WORDS),
        Arguments.of("RequestId", NUMBER),
        Arguments.of("CallbackUrl", AttributeValues.text("http://[broken " + SECRET)),
        Arguments.of("Key", NUMBER),
        Arguments.of("Created", null),
        Arguments.of("Created", WORDS),
        Arguments.of("Created", AttributeValue.fromN("1E+100")),
        Arguments.of("Deadline", null),
        Arguments.of("Deadline", WORDS),
        Arguments.of("Lifetime", WORDS),
        Arguments.of("Worker", NUMBER),
        Arguments.of("Code", WORDS),
        Arguments.of("Results", WORDS),
        Arguments.of("Progress", WORDS),
        Arguments.of("Version", null),
        Arguments.of("Version", WORDS),
        Arguments.of("Token", null),
        Arguments.of("Token", WORDS),
        Arguments.of("Token", NUMBER),
        Arguments.of("Size", WORDS),
        Arguments.of("Seq", WORDS),
        Arguments.of("Composed", WORDS),
        Arguments.of("PayloadFile", NUMBER),
        Arguments.of("CompletedTo", WORDS));
  }

  @ParameterizedTest(name = "{0} is {1}")
  @MethodSource("spoilt")
  void itEndsInvalidAndTheOthersAreSent(String attribute, @Nullable AttributeValue value) {
    RecordingTransport transport = new RecordingTransport();
    Outbox outbox = outbox(transport);
    outbox.send(mail());
    EmailId bad = outbox.send(mail()).id();
    outbox.send(mail());
    spoil(bad, attribute, value);

    assertThat(outbox.query(EmailQuery.all(), 10).emails()).as("what is listed").hasSize(3);
    assertThat(outbox.find(bad)).isPresent();
    assertThat(outbox.stats().states()).containsKey(State.ACCEPTED);
    outbox.processDue();
    outbox.processDue();

    assertThat(transport.sent()).as("good emails that were sent").hasSize(2);
    EmailDetails found = outbox.find(bad).orElseThrow();
    assertThat(found.summary().state()).isEqualTo(State.INVALID);
    assertThat(found.summary().reason()).containsAnyOf("cannot be read", "unreadable");
    assertThat(outbox.history(bad)).isNotEmpty();
    store.prune(RetentionSettings.DEFAULT, 10);
    assertThat(outbox.erase(bad)).as("whether it can be erased").isTrue();
    assertNothingPersonalIsLeft(bad);
    outbox.close();
  }

  @ParameterizedTest(name = "{0} is {1}")
  @MethodSource("spoilt")
  void itCanBeErasedWhileItWaits(String attribute, @Nullable AttributeValue value) {
    EmailId bad = stored.waiting(Mail.email());
    spoil(bad, attribute, value);

    assertThat(store.apply(OperatorAction.ERASE, List.of(bad)).get(0).status())
        .isEqualTo(ActionResult.Status.DONE);

    assertNothingPersonalIsLeft(bad);
    assertThat(store.claim(Mail.claim(stored.node(), State.ACCEPTED, 10))).isEmpty();
  }

  @ParameterizedTest(name = "{0} is {1}")
  @MethodSource("spoilt")
  void itIsReapedWithTheOthers(String attribute, @Nullable AttributeValue value) {
    stored.waiting(Mail.email());
    EmailId bad = stored.waiting(Mail.email());
    store.heartbeat(stored.node());
    store.claim(Mail.claim(stored.node(), State.ACCEPTED, 10));
    spoil(bad, attribute, value);

    assertThat(store.claimsOf(stored.node(), 10)).hasSize(2);
    assertThat(store.reap(stored.node(), 1, ReapPolicy.DEFAULT, 10))
        .extracting(ReapedEmail::to)
        .containsExactly(State.ACCEPTED, State.ACCEPTED);
  }

  @Test
  void whatCameWithItStaysForSomebodyToMendIt() {
    EmailId bad = stored.waiting(Mail.email());
    AttributeValue headline = meta(bad).get("Headline");
    spoil(bad, "Headline", WORDS);
    Claim claim = stored.claimed();
    assertThat(store.complete(List.of(Completion.invalid(claim, OutcomeDetails.of("unreadable")))))
        .containsExactly(CompletionResult.APPLIED);
    assertThat(meta(bad)).containsEntry("Headline", WORDS);

    spoil(bad, "Headline", headline);
    store.apply(OperatorAction.REQUEUE, List.of(bad));

    assertThat(stored.claimed().email().addressesAndSubject())
        .isEqualTo(Mail.email().addressesAndSubject());
  }

  @Test
  void whatIsInNoStateThatWeKnowIsLeftToThoseWhoDo() {
    EmailId newer = stored.waiting(Mail.email());
    spoil(
        newer,
        "Attributes",
        AttributeValue.fromM(Map.of("Latest", AttributeValues.text("PAUSED"))));
    spoil(newer, "Queue", AttributeValues.text("PAUSED#0"));

    assertThat(store.query(EmailQuery.all(), null, 10).emails()).hasSize(1);
    assertThat(store.claim(Mail.claim(stored.node(), State.ACCEPTED, 10))).isEmpty();
    assertThat(store.apply(OperatorAction.REQUEUE, List.of(newer)).get(0).status())
        .isEqualTo(ActionResult.Status.REFUSED);
    assertThat(store.apply(OperatorAction.CANCEL, List.of(newer)).get(0).status())
        .isEqualTo(ActionResult.Status.REFUSED);
    assertThat(meta(newer)).containsEntry("Queue", AttributeValues.text("PAUSED#0"));
    assertThat(store.apply(OperatorAction.ERASE, List.of(newer)).get(0).status())
        .isEqualTo(ActionResult.Status.DONE);
    assertNothingPersonalIsLeft(newer);
  }

  @Test
  void aSpoiltEntryOfTheLogIsListedPrunedAndErased() {
    EmailId good = stored.sent(Mail.email());
    EmailId bad = stored.sent(Mail.email());
    spoilLogged(
        bad, "Attributes", AttributeValue.fromM(Map.of("Latest", AttributeValues.text("PAUSED"))));
    spoilLogged(bad, "Headline", WORDS);

    assertThat(store.log().list(null, 10).emails()).hasSize(2);
    assertThat(store.query(EmailQuery.all(), null, 10).emails()).hasSize(2);
    assertThat(store.history(bad)).isEmpty();
    assertThat(store.apply(OperatorAction.ERASE, List.of(bad)).get(0).status())
        .isEqualTo(ActionResult.Status.DONE);
    assertNothingPersonalIsLeft(bad);
    assertThat(store.find(good).orElseThrow().summary().erased()).isFalse();
    assertThat(store.prune(new RetentionSettings(NO, NO, NO, NO), 10)).isEqualTo(2);
  }

  private static final Duration NO = Duration.ZERO;

  @Test
  void twoLiveNodesSendAllOthersAndGiveItUp() {
    RecordingTransport transport = new RecordingTransport();
    try (Outbox one = outbox(transport);
        Outbox two = outbox(transport)) {
      for (int i = 0; i < 30; i++) {
        one.send(mail());
      }
      EmailId unreadable = one.send(mail()).id();
      spoil(unreadable, "Headline", AttributeValue.fromM(Map.of("From", WORDS)));
      EmailId stateless = one.send(mail()).id();
      spoil(stateless, "Attributes", null);

      one.start();
      two.start();

      await().atMost(Duration.ofSeconds(30)).until(() -> transport.sent().size() == 30);
      await()
          .until(
              () ->
                  Stream.of(unreadable, stateless)
                      .allMatch(
                          id -> one.find(id).orElseThrow().summary().state() == State.INVALID));
    }
  }

  private Outbox outbox(RecordingTransport transport) {
    return Outbox.builder(store)
        .transport(transport)
        .defaultFrom("shop@example.com")
        .lease(new LeaseSettings(Duration.ofMillis(200), Duration.ofSeconds(30)))
        .build();
  }

  private static Email mail() {
    return Email.to(SECRET + "@example.com").subject("Dear " + SECRET).text(SECRET).build();
  }

  private void spoil(EmailId id, String name, @Nullable AttributeValue value) {
    change(tables.name(), AttributeValues.key(id.toString(), "_META"), name, value);
  }

  private void spoilLogged(EmailId id, String name, @Nullable AttributeValue value) {
    Map<String, AttributeValue> key = ItemReader.logKey(id, PartitionKeys.day(id, 1));
    change(tables.logName(), key, name, value);
  }

  private void change(
      String table, Map<String, AttributeValue> key, String name, @Nullable AttributeValue value) {
    client.updateItem(
        update -> {
          update
              .tableName(table)
              .key(key)
              .expressionAttributeNames(Map.of("#name", name))
              .updateExpression(value == null ? "REMOVE #name" : "SET #name = :value");
          if (value != null) {
            update.expressionAttributeValues(Map.of(":value", value));
          }
        });
  }

  private Map<String, AttributeValue> meta(EmailId id) {
    return client
        .getItem(
            get -> get.tableName(tables.name()).key(AttributeValues.key(id.toString(), "_META")))
        .item();
  }

  private void assertNothingPersonalIsLeft(EmailId id) {
    assertThat(Stream.concat(tables.emails().stream(), tables.log().stream()))
        .filteredOn(item -> item.toString().contains(id.toString()))
        .as("items of the email")
        .isNotEmpty()
        .noneMatch(item -> item.containsKey("Body") || item.containsKey("Headline"))
        .noneMatch(item -> item.toString().contains(SECRET));
  }
}
