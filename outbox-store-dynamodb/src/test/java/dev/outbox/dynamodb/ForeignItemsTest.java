package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.ReapPolicy;
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
    return Stream.of(OperatorAction.values())
        .flatMap(
            move ->
                Stream.of(State.ACCEPTED, State.FAILED, State.SENT)
                    .map(state -> Arguments.of(move, state)));
  }

  @ParameterizedTest
  @MethodSource("moves")
  void aManualOperationDoesNotFindAnotherToolsEmail(OperatorAction move, State state) {
    EmailId id = EmailId.next();
    Map<String, AttributeValue> item = plain(id, state);
    put(item);

    assertThat(store.apply(move, List.of(id)))
        .containsExactly(new ActionResult(id, ActionResult.Status.NOT_FOUND, null));

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

    assertThat(store.apply(OperatorAction.CANCEL, List.of(foreign, own)))
        .extracting(ActionResult::status)
        .containsExactly(ActionResult.Status.NOT_FOUND, ActionResult.Status.DONE);
  }

  @Test
  void aResultIsNotWrittenOverAnItemOfAnotherTool() {
    stored.waiting(Mail.email());
    Claim claim = stored.onTheWire();
    Map<String, AttributeValue> item = plain(claim.id(), State.PROCESSING);
    put(item);

    assertThat(store.complete(List.of(Completion.sent(claim, OutcomeDetails.NONE, false))))
        .containsExactly(CompletionResult.LOST);

    assertThat(meta(claim.id())).isEqualTo(item);
    assertThat(tables.log()).isEmpty();
  }

  @Test
  void anItemOfAnotherToolIsNotReaped() {
    store.heartbeat(stored.node());
    EmailId own = stored.waiting(Mail.email());
    stored.claimed();
    EmailId foreign = EmailId.next();
    Map<String, AttributeValue> item = plain(foreign, State.PROCESSING);
    item.put("Queue", AttributeValues.text(PartitionKeys.owned(stored.node(), 0)));
    item.put("Due", AttributeValues.text("PROCESSING"));
    item.put("Owner", AttributeValues.text(stored.node().value()));
    item.put("Created", AttributeValues.text("2020-01-01"));
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
    item.put("Queue", AttributeValues.text("ACCEPTED#1"));
    item.put("Due", AttributeValues.text("NORMAL#2020-01-01T00:00:00.000000Z"));
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
    item.put("Queue", AttributeValues.text("ACCEPTED#1"));
    item.put("Due", AttributeValues.text("NORMAL#2020-01-01T00:00:00.000000Z"));
    item.put("Created", AttributeValues.text("2020-01-01"));
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
    item.put("Queue", AttributeValues.text("FAILED#1"));
    item.put("Due", AttributeValues.text("SETTLED#2020-01-01T00:00:00.000000Z"));
    item.put("Settled", AttributeValues.number(1));
    item.put("Created", AttributeValues.text("2020-01-01"));
    put(item);

    assertThat(store.prune(new RetentionSettings(NO, NO, NO, NO), 10)).isZero();

    assertThat(meta(foreign)).isEqualTo(item);
  }

  @Test
  void contentOfAnotherToolIsNotDropped() {
    EmailId foreign = EmailId.next();
    Map<String, AttributeValue> item = plain(foreign, State.SENT);
    item.put("Size", AttributeValues.number(5));
    put(item);
    Map<String, AttributeValue> content =
        new HashMap<>(AttributeValues.key(foreign.toString(), "CONTENT"));
    content.put("Queue", AttributeValues.text("KEPT#0"));
    content.put("Due", AttributeValues.text("SETTLED#2020-01-01T00:00:00.000000Z"));
    put(content);

    assertThat(store.prune(RetentionSettings.DEFAULT, 10)).isZero();

    assertThat(tables.emails()).contains(item, content);
  }

  @Test
  void anOperationOnAnotherToolsEmailIsLoggedOnce() {
    ForeignItemLog foreignItems = new ForeignItemLog();
    EmailId id = EmailId.next();

    assertThat(foreignItems.isNews("emails", id)).isTrue();
    assertThat(foreignItems.isNews("emails", id)).isFalse();
    assertThat(foreignItems.isNews("emails", EmailId.next())).isTrue();
  }

  @Test
  void anEntryOfAnotherToolInTheLogIsNeitherPrunedNorDeleted() {
    stored.sent(Mail.email());
    EmailId foreign = EmailId.next();
    Map<String, AttributeValue> item = new HashMap<>(ItemReader.logKey(foreign, today() + "#0"));
    item.put("Settled", AttributeValues.number(1));
    item.put("Attributes", AttributeValue.fromM(Map.of("Latest", AttributeValues.text("SENT"))));
    client.putItem(put -> put.tableName(tables.logName()).item(item));

    assertThat(store.prune(new RetentionSettings(NO, NO, NO, NO), 10)).as("own email").isEqualTo(1);
    assertThat(store.log().delete(foreign)).isFalse();
    assertThat(store.log().deleteAll(today(), 10)).isZero();

    assertThat(tables.log()).containsExactly(item);
  }

  private static LocalDate today() {
    return LocalDate.now(ZoneOffset.UTC);
  }

  private static Map<String, AttributeValue> plain(EmailId id, State state) {
    Map<String, AttributeValue> item = new HashMap<>(AttributeValues.key(id.toString(), "_META"));
    item.put(
        "Attributes",
        AttributeValue.fromM(
            Map.of(
                "Latest", AttributeValues.text(state.wireName()),
                "UpdatedAt", AttributeValues.text(Instant.now().toString()),
                "EmlFilePath", AttributeValues.text("/mnt/efs/mail.eml"))));
    item.put("Tenant", AttributeValues.text("another tool's own"));
    return item;
  }

  private void put(Map<String, AttributeValue> item) {
    client.putItem(put -> put.tableName(tables.name()).item(item));
  }

  private Map<String, AttributeValue> meta(EmailId id) {
    return client
        .getItem(
            get -> get.tableName(tables.name()).key(AttributeValues.key(id.toString(), "_META")))
        .item();
  }
}
