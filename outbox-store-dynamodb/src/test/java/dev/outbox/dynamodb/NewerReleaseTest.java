package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutcomeDetails;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * This release beside a later one. There is no row of versions here: an item may have more than
 * this release knows, and loses nothing when this release writes it.
 */
class NewerReleaseTest extends LocalStore {

  private static final AttributeValue LATER =
      AttributeValues.text("what only a later release knows");

  @Test
  void whatALaterReleaseHasAddedStaysThroughEveryChangeAndIntoTheLog() {
    EmailId id = stored.waiting(Mail.email());
    client.updateItem(
        update ->
            update
                .tableName(tables.name())
                .key(AttributeValues.key(id.toString(), "_META"))
                .updateExpression("SET Later = :later")
                .expressionAttributeValues(Map.of(":later", LATER)));

    Claim wired = stored.onTheWire();
    store.complete(
        List.of(Completion.released(wired, Duration.ZERO, OutcomeDetails.of("closing"))));
    assertThat(tables.emails())
        .filteredOn(item -> item.containsKey("Later"))
        .as("the email after a claim and its release")
        .singleElement()
        .satisfies(item -> assertThat(item).containsEntry("Later", LATER));
    store.complete(List.of(Completion.sent(stored.onTheWire(), OutcomeDetails.NONE, false)));

    assertThat(tables.log())
        .as("the email in the log")
        .singleElement()
        .satisfies(item -> assertThat(item).containsEntry("Later", LATER));
    assertThat(store.find(id).orElseThrow().summary().archived()).isTrue();
  }
}
