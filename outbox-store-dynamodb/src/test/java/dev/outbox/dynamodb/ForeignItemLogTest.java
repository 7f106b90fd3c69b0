package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.NodeHeartbeat;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items of others in our tables are passed over, whatever they hold. */
class ForeignItemLogTest extends LocalStore {

  private static final String DUE = "NORMAL#2020-01-01T00:00:00.000000Z";

  private static LocalDate today() {
    return LocalDate.now(ZoneOffset.UTC);
  }

  static Stream<Map<String, String>> strangers() {
    return Stream.of(
        Map.of("Id", "garbage", "Status", "_META"),
        Map.of("Id", "garbage", "Status", "_META", "Day", today() + "#0"),
        Map.of("Id", "zzz", "Status", "x", "Day", today() + "#0"),
        Map.of("Id", EmailId.next().toString(), "Status", "_META"),
        Map.of("Id", EmailId.next().toString(), "Status", "_META", "Day", today() + "#0"),
        Map.of("Id", EmailId.next().toString(), "Status", "other", "Queue", "ACCEPTED#2"),
        Map.of(
            "Id",
            EmailId.next().toString().toUpperCase(Locale.ROOT),
            "Status",
            "_META",
            "Day",
            "x"),
        Map.of("Id", "garbage", "Status", "_META", "Queue", "ACCEPTED#2", "Due", DUE),
        Map.of("Id", "garbage", "Status", "_META", "Queue", "FAILED#0", "Due", "SETTLED#1"),
        Map.of("Id", "garbage", "Status", "x", "Queue", "KEPT#0", "Due", "SETTLED#1"),
        Map.of("Id", "NODES", "Status", "x"),
        Map.of("Id", "NODES", "Status", "NODE#"),
        Map.of("Id", "NODES", "Status", "NODE#me", "Beat", "often"),
        Map.of("Id", "NODES", "Status", "SHARDS", "QueueShards", "many", "LogShards", "none"),
        Map.of("Id", "DAYS", "Status", "zzz"),
        Map.of("Id", "DAYS", "Status", "0000"),
        Map.of("CreatedDate", today() + "#0", "ID", "garbage"),
        Map.of("CreatedDate", today() + "#0", "ID", EmailId.next().toString(), "Latest", "x"));
  }

  @ParameterizedTest
  @MethodSource("strangers")
  void theyStopNobody(Map<String, String> stranger) {
    put(stranger);
    EmailId sent = stored.sent(Mail.email());
    EmailId waiting = stored.waiting(Mail.email());

    assertThat(store.heartbeat(stored.node()))
        .extracting(NodeHeartbeat::node)
        .contains(stored.node());
    assertThat(store.query(EmailQuery.all(), null, 10).emails())
        .extracting(email -> email.id())
        .contains(sent, waiting);
    assertThat(store.log().list(null, 10).emails()).extracting(email -> email.id()).contains(sent);
    assertThat(store.log().count(today(), today())).isPositive();
    assertThat(store.stats()).containsKey(State.ACCEPTED);
    store.prune(RetentionSettings.DEFAULT, 10);
    assertThat(store.claim(Mail.claim(stored.node(), State.ACCEPTED, 10))).hasSize(1);
    assertThat(store.claimsOf(stored.node(), 10)).hasSize(1);
  }

  @Test
  void theyTakeNobodysTurn() {
    for (int i = 0; i < 60; i++) {
      put(Map.of("Id", "garbage" + i, "Status", "_META", "Queue", "ACCEPTED#" + i % 4, "Due", DUE));
    }
    store.insert(IntStream.range(0, 8).mapToObj(i -> Mail.email()).toList());

    assertThat(store.claim(Mail.claim(stored.node(), State.ACCEPTED, 10))).hasSize(8);
  }

  @Test
  void emailsOfAnotherToolTakeNoTurn() {
    for (int i = 0; i < 12; i++) {
      EmailId id = EmailId.next();
      put(Map.of("Id", id.toString(), "Status", "_META", "Queue", "ACCEPTED#" + i % 4, "Due", DUE));
    }
    EmailId good = stored.waiting(Mail.email());

    assertThat(store.claim(Mail.claim(stored.node(), State.ACCEPTED, 10)))
        .extracting(claim -> claim.id())
        .containsExactly(good);
  }

  @Test
  void rowsThatCannotBeClaimedDoNotStayInFront() {
    for (int i = 0; i < 12; i++) {
      Map<String, String> row = new HashMap<>();
      row.put("Id", EmailId.next().toString());
      row.put("Status", "_META");
      row.put("Queue", "ACCEPTED#" + i % 4);
      row.put("Due", DUE);
      row.put("Token", "words");
      row.put("Version", "words");
      put(row);
    }
    EmailId good = stored.waiting(Mail.email());

    store.claim(Mail.claim(stored.node(), State.ACCEPTED, 10));

    assertThat(store.claim(Mail.claim(stored.node(), State.ACCEPTED, 10)))
        .extracting(claim -> claim.id())
        .contains(good);
  }

  @Test
  void aStepOfHistoryThatCannotBeReadIsLeftOut() {
    EmailId id = stored.failed(Mail.email());
    put(Map.of("Id", id.toString(), "Status", "STATE#0000000009", "From", "NOWHERE"));

    assertThat(store.history(id)).hasSize(1);
  }

  @Test
  void aNumberOfShardsOutOfAllReasonIsNotBelieved() {
    client.putItem(
        put ->
            put.tableName(tables.name())
                .item(
                    Map.of(
                        "Id", AttributeValues.text("NODES"),
                        "Status", AttributeValues.text("SHARDS"),
                        "QueueShards", AttributeValue.fromNs(List.of("1000000000", "-1", "0.5")))));

    stored.waiting(Mail.email());

    assertThat(store.claim(Mail.claim(stored.node(), State.ACCEPTED, 10))).hasSize(1);
  }

  private void put(Map<String, String> texts) {
    Map<String, AttributeValue> item = new HashMap<>();
    texts.forEach((name, text) -> item.put(name, AttributeValues.text(text)));
    String table = texts.containsKey("ID") ? tables.logName() : tables.name();
    client.putItem(put -> put.tableName(table).item(item));
  }
}
