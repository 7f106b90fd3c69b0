package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.Completion;
import dev.outbox.store.InsertResult;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Times to live: on everything that is final, in step, and on nothing that waits. */
class TimeToLiveTest extends LocalStore {

  private static final long DAY = Duration.ofDays(1).toSeconds();

  @Test
  void nothingThatWaitsHasATimeToLive() {
    EmailId id = stored.waiting(Mail.keyed("order-42"));
    assertThat(ttls(id)).containsOnlyNulls();

    store.complete(
        List.of(
            Completion.deferredToOtherNode(
                stored.claimed(), Duration.ZERO, OutcomeDetails.of("not known"))));

    assertThat(ttls(id)).as("row, content and history").hasSize(3).containsOnlyNulls();
  }

  @Test
  void allItemsOfAFailedEmailEndTogetherAndItsKeyLater() {
    EmailId id = stored.waiting(Mail.keyed("order-42"));
    store.complete(
        List.of(
            Completion.deferredToOtherNode(
                stored.claimed(), Duration.ZERO, OutcomeDetails.of("not known"))));
    store.complete(List.of(Completion.invalid(stored.claimed(), OutcomeDetails.of("still not"))));

    List<Long> ttls = ttls(id);
    assertThat(ttls).as("row, content and two of history").hasSize(4).doesNotContainNull();
    assertThat(ttls).containsOnly(ttls.get(0));
    assertThat(ttls.get(0)).isBetween(now() + 30 * DAY - 60, now() + 30 * DAY + 60);
    assertThat(keyTtl()).isGreaterThan(ttls.get(0));
  }

  @Test
  void aRequeueTakesTheTimeToLiveAway() {
    EmailId id = stored.failed(Mail.keyed("order-42"));

    store.apply(OperatorAction.REQUEUE, List.of(id));

    assertThat(ttls(id)).as("row, content and two of history").hasSize(4).containsOnlyNulls();
    assertThat(keyTtl()).isGreaterThan(now() + 33 * DAY);
  }

  @Test
  void aSentEmailEndsWithItsLogAndItsKeyLater() {
    EmailId id = stored.waiting(Mail.keyed("order-42"));
    store.complete(
        List.of(
            Completion.deferredToOtherNode(
                stored.claimed(), Duration.ZERO, OutcomeDetails.of("not known"))));
    store.complete(List.of(Completion.sent(stored.onTheWire(), OutcomeDetails.NONE, false)));

    Long expires = Objects.requireNonNull(AttributeValues.ttlOf(tables.log().get(0)));
    assertThat(tables.log().get(0)).containsKey("Expires");
    assertThat(ttls(id)).as("history").containsExactly(expires);
    assertThat(keyTtl()).isGreaterThan(expires);
  }

  @Test
  void aKeyIsRenewedWhenItsEmailTakesLongerThanExpected() {
    EmailId id = stored.waiting(Mail.keyed("order-42"));
    tables.advance(Duration.ofDays(35));

    store.complete(List.of(Completion.sent(stored.onTheWire(), OutcomeDetails.NONE, false)));

    assertThat(keyTtl())
        .isGreaterThan(Objects.requireNonNull(AttributeValues.ttlOf(tables.log().get(0))));
    assertThat(store.insert(List.of(Mail.keyed("order-42"))))
        .containsExactly(new InsertResult(id, InsertResult.Status.EXISTING));
  }

  @Test
  void whatIsPastItsTimeIsGoneThoughItIsStillThere() {
    EmailId sent = stored.sent(Mail.keyed("sent"));
    EmailId failed = stored.failed(Mail.email());
    tables.advance(Duration.ofDays(31));

    assertThat(tables.log()).as("what DynamoDB has not deleted yet").hasSize(1);
    assertThat(store.find(sent)).isEmpty();
    assertThat(store.find(failed)).isEmpty();
    assertThat(store.history(failed)).isEmpty();
    assertThat(store.query(EmailQuery.all(), null, 10).emails()).isEmpty();
    tables.advance(Duration.ofDays(12));
    assertThat(store.insert(List.of(Mail.keyed("sent"))))
        .extracting(InsertResult::status)
        .containsExactly(InsertResult.Status.CREATED);
    assertThat(store.prune(RetentionSettings.DEFAULT, 100)).as("deleted by key").isEqualTo(2);
    assertThat(tables.log()).isEmpty();
  }

  @Test
  void theOldPlaceOfTheTimeToLiveIsReadToo() {
    String id = EmailId.next().toString();
    put(id, "_META", Map.of("Latest", text("SENT"), "UpdatedAt", text("2026-01-01T00:00:00Z")));
    assertThat(store.find(EmailId.parse(id))).isPresent();

    put(
        id,
        "_META",
        Map.of(
            "Latest",
            text("SENT"),
            "UpdatedAt",
            text("2026-01-01T00:00:00Z"),
            "TTL",
            AttributeValue.fromN(Long.toString(now() - 1))));

    assertThat(store.find(EmailId.parse(id))).isEmpty();
  }

  private void put(String id, String status, Map<String, AttributeValue> attributes) {
    client.putItem(
        put ->
            put.tableName(tables.name())
                .item(
                    Map.of(
                        "Id",
                        text(id),
                        "Status",
                        text(status),
                        "Attributes",
                        AttributeValue.fromM(attributes))));
  }

  private static AttributeValue text(String text) {
    return AttributeValue.fromS(text);
  }

  private List<Long> ttls(EmailId id) {
    return tables.emails().stream()
        .filter(item -> id.toString().equals(AttributeValues.textOf(item, "Id")))
        .map(AttributeValues::ttlOf)
        .toList();
  }

  private long keyTtl() {
    return tables.emails().stream()
        .filter(item -> AttributeValues.needed(item, "Id").startsWith("KEY#"))
        .map(item -> Objects.requireNonNull(AttributeValues.ttlOf(item)))
        .findFirst()
        .orElseThrow();
  }

  private static long now() {
    return Instant.now().getEpochSecond();
  }
}
