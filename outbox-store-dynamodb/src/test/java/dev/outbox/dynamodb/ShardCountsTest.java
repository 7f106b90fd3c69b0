package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutcomeDetails;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The number of shards may be changed while emails are stored. */
class ShardCountsTest extends LocalStore {

  private static final int COUNT = 40;

  @ParameterizedTest
  @CsvSource({"1, 7", "7, 1", "4, 6"})
  void emailsStoredUnderOneNumberAreClaimedUnderAnother(int before, int after) {
    try (DynamoDbStore old = open(builder -> builder.shards(before));
        DynamoDbStore young = open(builder -> builder.shards(after))) {
      NodeId node = NodeId.incarnate("one");
      List<EmailId> ids = insert(old);
      List<Claim> claims = young.claim(Mail.claim(node, State.ACCEPTED, COUNT));

      assertThat(claims).extracting(Claim::id).containsExactlyInAnyOrderElementsOf(ids);
      old.heartbeat(NodeId.incarnate("old"));
      assertThat(old.claimsOf(node, COUNT)).as("held, as the other sees it").hasSize(COUNT);
      assertThat(Objects.requireNonNull(old.stats().get(State.INTAKING)).count()).isEqualTo(COUNT);
    }
  }

  @Test
  void aNodeThatRunsAlreadyLearnsOfMoreShardsByItsNextBeat() {
    try (DynamoDbStore old = open(builder -> builder.shards(1));
        DynamoDbStore young = open(builder -> builder.shards(8))) {
      NodeId node = NodeId.incarnate("old");
      old.heartbeat(node);
      List<EmailId> ids = insert(young);
      old.heartbeat(node);

      assertThat(old.claim(Mail.claim(node, State.ACCEPTED, COUNT)))
          .extracting(Claim::id)
          .containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  @Test
  void theLogIsFoundUnderEveryNumber() {
    List<EmailId> ids = new ArrayList<>();
    for (int count : new int[] {1, 5, 2}) {
      try (DynamoDbStore each = open(builder -> builder.logShards(count))) {
        ids.add(new Stored(each).sent(Mail.email()));
        ids.add(new Stored(each).sent(Mail.email()));
        ids.add(new Stored(each).failed(Mail.email()));
      }
    }
    try (DynamoDbStore last = open(builder -> builder.logShards(3))) {
      assertThat(ids).allMatch(id -> last.find(id).isPresent(), "is found");
      assertThat(last.query(EmailQuery.all(), null, 100).emails())
          .extracting(EmailSummary::id)
          .containsExactlyElementsOf(reversed(ids));
    }
  }

  @Test
  void emailsAreSpreadOverAllShards() {
    try (DynamoDbStore wide = open(builder -> builder.shards(4))) {
      NodeId node = NodeId.incarnate("one");
      insert(wide);
      assertThat(queues()).hasSize(4).allMatch(queue -> queue.startsWith("ACCEPTED#"));
      List<Claim> claims = wide.claim(Mail.claim(node, State.ACCEPTED, COUNT));
      assertThat(queues()).hasSize(4).allMatch(queue -> queue.startsWith("OWNER#"));

      wide.complete(
          wide.beginDelivery(claims).stream()
              .map(claim -> Completion.sent(claim, OutcomeDetails.NONE, false))
              .toList());
      assertThat(queues()).as("what the index holds of sent emails").isEmpty();
    }
  }

  private List<String> queues() {
    return tables.emails().stream()
        .filter(item -> item.containsKey("Queue"))
        .map(item -> AttributeValues.needed(item, "Queue"))
        .distinct()
        .toList();
  }

  private static List<EmailId> insert(DynamoDbStore store) {
    List<NewEmail> emails = Stream.generate(Mail::email).limit(COUNT).toList();
    store.insert(emails);
    return emails.stream().map(NewEmail::id).toList();
  }

  private static List<EmailId> reversed(List<EmailId> ids) {
    List<EmailId> reversed = new ArrayList<>(ids);
    Collections.reverse(reversed);
    return reversed;
  }
}
