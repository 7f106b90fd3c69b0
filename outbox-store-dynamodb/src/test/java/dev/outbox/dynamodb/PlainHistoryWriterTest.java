package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.OperatorAction;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The plain form, which tools of others write and read. */
class PlainHistoryWriterTest extends LocalStore {

  @Test
  void anEmailOfAnotherToolIsRead() {
    EmailId id = EmailId.next();
    put(id, "_META", "FAILED", "2026-01-01T10:00:02Z", "550 no such mailbox");
    put(id, "ACCEPTED", null, "2026-01-01T10:00:00Z", null);
    put(id, "PROCESSING", null, "2026-01-01T10:00:01Z", null);
    put(id, "FAILED", null, "2026-01-01T10:00:02Z", "550 no such mailbox");

    EmailSummary email = store.find(id).orElseThrow().summary();

    assertThat(email.state()).isEqualTo(State.FAILED);
    assertThat(email.reason()).isEqualTo("550 no such mailbox");
    assertThat(email.timeline().updated()).isEqualTo(Instant.parse("2026-01-01T10:00:02Z"));
    assertThat(store.history(id))
        .extracting(HistoryRecord::to)
        .containsExactly(State.ACCEPTED, State.PROCESSING, State.FAILED);
    assertThat(store.history(id).get(2).reason()).isEqualTo("550 no such mailbox");
  }

  @Test
  void anEmailOfAnotherToolWithoutTimesIsRead() {
    EmailId id = EmailId.next();
    client.putItem(
        put ->
            put.tableName(tables.name())
                .item(
                    Map.of(
                        "Id", AttributeValues.text(id.toString()),
                        "Status", AttributeValues.text("_META"),
                        "Attributes",
                            AttributeValue.fromM(Map.of("Latest", AttributeValues.text("SENT"))))));

    EmailSummary email = store.find(id).orElseThrow().summary();

    assertThat(email.state()).isEqualTo(State.SENT);
    assertThat(email.erased()).isTrue();
    assertThat(email.deadline())
        .isEqualTo(email.timeline().updated())
        .isEqualTo(email.timeline().created())
        .isEqualTo(PartitionKeys.timeOf(id));
  }

  @Test
  void theMetaItemIsWhatOthersKnow() {
    EmailId id = stored.failed(Mail.email());

    Map<String, AttributeValue> attributes = attributes(id, "_META");

    assertThat(AttributeValues.needed(attributes, "Latest")).isEqualTo("FAILED");
    assertThat(AttributeValues.needed(attributes, "Reason")).isEqualTo("no");
    assertThat(Instant.parse(AttributeValues.needed(attributes, "UpdatedAt")))
        .isBefore(Instant.now());
  }

  @Test
  void anItemForEachStateIsWrittenWhenAskedFor() {
    try (DynamoDbStore plain = open(builder -> builder.plainHistory(true))) {
      EmailId id = new Stored(plain).failed(Mail.email());

      assertThat(statuses(id)).contains("ACCEPTED", "INTAKING", "PROCESSING", "FAILED");
      assertThat(AttributeValues.needed(attributes(id, "FAILED"), "Reason")).isEqualTo("no");
      assertThat(item(id, "ACCEPTED").get("TTL")).isEqualTo(item(id, "_META").get("TTL"));
      assertThat(plain.history(id)).as("our own history").hasSize(1);

      plain.apply(OperatorAction.ERASE, List.of(id));
      assertThat(attributes(id, "FAILED")).doesNotContainKey("Reason");
    }
  }

  @Test
  void theHappyPathHasNoItemOfHistory() {
    EmailId id = stored.sent(Mail.email());

    assertThat(statuses(id)).as("items left in the table of emails").isEmpty();
  }

  private List<String> statuses(EmailId id) {
    return tables.emails().stream()
        .filter(item -> id.toString().equals(AttributeValues.textOf(item, "Id")))
        .map(item -> AttributeValues.needed(item, "Status"))
        .toList();
  }

  private Map<String, AttributeValue> attributes(EmailId id, String status) {
    return Objects.requireNonNull(item(id, status).get("Attributes")).m();
  }

  private Map<String, AttributeValue> item(EmailId id, String status) {
    return client
        .getItem(
            get -> get.tableName(tables.name()).key(AttributeValues.key(id.toString(), status)))
        .item();
  }

  private void put(
      EmailId id, String status, @Nullable String latest, String at, @Nullable String reason) {
    Map<String, AttributeValue> attributes = new HashMap<>();
    attributes.put("UpdatedAt", AttributeValue.fromS(at));
    if (latest != null) {
      attributes.put("Latest", AttributeValue.fromS(latest));
    }
    if (reason != null) {
      attributes.put("Reason", AttributeValue.fromS(reason));
    }
    Map<String, AttributeValue> item = new HashMap<>(AttributeValues.key(id.toString(), status));
    item.put("Attributes", AttributeValue.fromM(attributes));
    client.putItem(put -> put.tableName(tables.name()).item(item));
  }
}
