package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completed;
import dev.outbox.store.Completion;
import dev.outbox.store.ManualMove;
import dev.outbox.store.Moved;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.Report;
import dev.outbox.store.Retention;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items that another tool has stored are never written, whichever operation meets them. */
class ForeignItemsTest extends LocalStore {

  private static final Duration NO = Duration.ZERO;

  static Stream<Arguments> moves() {
    return Stream.of(ManualMove.values())
        .flatMap(
            move ->
                Stream.of(State.ACCEPTED, State.FAILED, State.SENT)
                    .map(state -> Arguments.of(move, state)));
  }

  @ParameterizedTest
  @MethodSource("moves")
  void aManualOperationDoesNotFindAnotherToolsEmail(ManualMove move, State state) {
    EmailId id = EmailId.next();
    Map<String, AttributeValue> item = plain(id, state);
    put(item);

    assertThat(store.move(move, List.of(id)))
        .containsExactly(new Moved(id, Moved.Status.NOT_FOUND, null));

    assertThat(tables.emails()).as("items after %s", move).containsExactly(item);
  }

  @Test
  void eraseOfAnotherToolsEmailAnswersFalse() {
    EmailId id = EmailId.next();
    put(plain(id, State.FAILED));
    try (Outbox outbox = Outbox.builder(store).build()) {
      assertThat(outbox.erase(id)).isFalse();
    }
  }

  @Test
  void aManualOperationBesideAnotherToolsEmailIsDone() {
    EmailId own = stored.waiting(Mail.email());
    EmailId foreign = EmailId.next();
    put(plain(foreign, State.ACCEPTED));

    assertThat(store.move(ManualMove.CANCEL, List.of(foreign, own)))
        .extracting(Moved::status)
        .containsExactly(Moved.Status.NOT_FOUND, Moved.Status.DONE);
  }

  @Test
  void aResultIsNotWrittenOverAnItemOfAnotherTool() {
    stored.waiting(Mail.email());
    Claim claim = stored.onTheWire();
    Map<String, AttributeValue> item = plain(claim.id(), State.PROCESSING);
    put(item);

    assertThat(store.complete(List.of(Completion.sent(claim, Report.NONE, false))))
        .containsExactly(Completed.LOST);

    assertThat(meta(claim.id())).isEqualTo(item);
    assertThat(tables.log()).isEmpty();
  }

  @Test
  void anItemOfAnotherToolIsNotReaped() {
    store.beat(stored.node());
    EmailId own = stored.waiting(Mail.email());
    stored.claimed();
    EmailId foreign = EmailId.next();
    Map<String, AttributeValue> item = plain(foreign, State.PROCESSING);
    item.put("Queue", Values.text(Partitions.owned(stored.node(), 0)));
    item.put("Due", Values.text("PROCESSING"));
    item.put("Owner", Values.text(stored.node().value()));
    item.put("Created", Values.text("2020-01-01"));
    put(item);

    assertThat(store.reap(stored.node(), 1, ReapPolicy.DEFAULT, 10))
        .extracting(reaped -> reaped.id())
        .containsExactly(own);

    assertThat(meta(foreign)).isEqualTo(item);
  }

  @Test
  void anItemOfAnotherToolIsNotClaimed() {
    EmailId foreign = EmailId.next();
    Map<String, AttributeValue> item = plain(foreign, State.ACCEPTED);
    item.put("Queue", Values.text("ACCEPTED#1"));
    item.put("Due", Values.text("NORMAL#2020-01-01T00:00:00.000000Z"));
    put(item);
    EmailId own = stored.waiting(Mail.email());

    assertThat(store.claim(Mail.claim(stored.node(), State.ACCEPTED, 10)))
        .extracting(Claim::id)
        .containsExactly(own);

    assertThat(meta(foreign)).isEqualTo(item);
  }

  /** The index shows a creation time, so that only the item itself says that it is not ours. */
  @Test
  void anItemWithACreationTimeOfAnotherToolIsNotClaimed() {
    EmailId foreign = EmailId.next();
    Map<String, AttributeValue> item = plain(foreign, State.ACCEPTED);
    item.put("Queue", Values.text("ACCEPTED#1"));
    item.put("Due", Values.text("NORMAL#2020-01-01T00:00:00.000000Z"));
    item.put("Created", Values.text("2020-01-01"));
    put(item);
    EmailId own = stored.waiting(Mail.email());

    assertThat(store.claim(Mail.claim(stored.node(), State.ACCEPTED, 10)))
        .extracting(Claim::id)
        .containsExactly(own);

    assertThat(meta(foreign)).isEqualTo(item);
  }

  @Test
  void anItemOfAnotherToolIsNotPruned() {
    EmailId foreign = EmailId.next();
    Map<String, AttributeValue> item = plain(foreign, State.FAILED);
    item.put("Queue", Values.text("FAILED#1"));
    item.put("Due", Values.text("SETTLED#2020-01-01T00:00:00.000000Z"));
    item.put("Settled", Values.number(1));
    item.put("Created", Values.text("2020-01-01"));
    put(item);

    assertThat(store.prune(new Retention(NO, NO, NO, NO), 10)).isZero();

    assertThat(meta(foreign)).isEqualTo(item);
  }

  @Test
  void contentOfAnotherToolIsNotDropped() {
    EmailId foreign = EmailId.next();
    Map<String, AttributeValue> item = plain(foreign, State.SENT);
    item.put("Size", Values.number(5));
    put(item);
    Map<String, AttributeValue> content = new HashMap<>(Values.key(foreign.toString(), "CONTENT"));
    content.put("Queue", Values.text("KEPT#0"));
    content.put("Due", Values.text("SETTLED#2020-01-01T00:00:00.000000Z"));
    put(content);

    assertThat(store.prune(Retention.DEFAULT, 10)).isZero();

    assertThat(tables.emails()).contains(item, content);
  }

  @Test
  void anOperationOnAnotherToolsEmailIsLoggedOnce() {
    Strangers strangers = new Strangers();
    EmailId id = EmailId.next();

    assertThat(strangers.isNews("emails", id)).isTrue();
    assertThat(strangers.isNews("emails", id)).isFalse();
    assertThat(strangers.isNews("emails", EmailId.next())).isTrue();
  }

  @Test
  void anEntryOfAnotherToolInTheLogIsNeitherPrunedNorDeleted() {
    stored.sent(Mail.email());
    EmailId foreign = EmailId.next();
    Map<String, AttributeValue> item = new HashMap<>(Rows.logKey(foreign, today() + "#0"));
    item.put("Settled", Values.number(1));
    item.put("Attributes", AttributeValue.fromM(Map.of("Latest", Values.text("SENT"))));
    client.putItem(put -> put.tableName(tables.logName()).item(item));

    assertThat(store.prune(new Retention(NO, NO, NO, NO), 10)).as("own email").isEqualTo(1);
    assertThat(store.log().delete(foreign)).isFalse();
    assertThat(store.log().deleteAll(today(), 10)).isZero();

    assertThat(tables.log()).containsExactly(item);
  }

  private static LocalDate today() {
    return LocalDate.now(ZoneOffset.UTC);
  }

  private static Map<String, AttributeValue> plain(EmailId id, State state) {
    Map<String, AttributeValue> item = new HashMap<>(Values.key(id.toString(), "_META"));
    item.put(
        "Attributes",
        AttributeValue.fromM(
            Map.of(
                "Latest", Values.text(state.wireName()),
                "UpdatedAt", Values.text(Instant.now().toString()),
                "EmlFilePath", Values.text("/mnt/efs/mail.eml"))));
    item.put("Tenant", Values.text("another tool's own"));
    return item;
  }

  private void put(Map<String, AttributeValue> item) {
    client.putItem(put -> put.tableName(tables.name()).item(item));
  }

  private Map<String, AttributeValue> meta(EmailId id) {
    return client
        .getItem(get -> get.tableName(tables.name()).key(Values.key(id.toString(), "_META")))
        .item();
  }
}
