package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.testkit.RecordingTransport;
import dev.outbox.testsupport.LocalDynamo;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Trouble that passes loses nothing and makes nothing happen twice. */
class FaultTest {

  private final DynamoDbClient plain = LocalDynamo.client();
  private final LocalTables tables = new LocalTables(plain);
  private final NodeId node = NodeId.incarnate("one");

  @AfterEach
  void close() {
    tables.close();
  }

  private DynamoDbStore store(ExecutionInterceptor interceptor) {
    return DynamoDbStore.builder(LocalDynamo.client(interceptor)).table(tables.name()).build();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyEmailIsSentOnceThroughThrottlingConflictsAndLostAnswers(long seed) {
    Faults faults = new Faults(seed, 0.1);
    RecordingTransport relay = new RecordingTransport();
    try (DynamoDbStore store = store(faults)) {
      Outbox outbox =
          Outbox.builder(store).transport(relay).defaultFrom("shop@example.com").build();
      Set<EmailId> ids = new HashSet<>();
      for (int i = 0; i < 20; i++) {
        Email email =
            Email.to("ada@example.com")
                .subject("Order " + i)
                .text("Thank you.")
                .idempotencyKey("order-" + i)
                .build();
        ids.add(outbox.send(email).id());
        ids.add(outbox.send(email).id());
      }

      for (int pass = 0; pass < 20 && !store.stats().isEmpty(); pass++) {
        outbox.processDue();
      }
      faults.stop();

      assertThat(faults.refused()).as("requests refused").isPositive();
      assertThat(faults.unanswered()).as("requests without answer").isPositive();
      assertThat(ids).as("emails for 20 requests made twice").hasSize(20);
      assertThat(store.query(EmailQuery.all(), null, 100).emails())
          .hasSize(20)
          .allMatch(EmailSummary::archived, "is in the log");
      assertThat(relay.sent()).as("emails at the relay").hasSize(20);
      assertThat(tables.emails()).as("content left behind").noneMatch(i -> i.containsKey("Body"));
      outbox.close();
    }
  }

  @Test
  void aClaimWhoseAnswerWasLostIsStillTheCallers() {
    AfterEffect lost = new AfterEffect(BatchExecuteStatementRequest.class);
    try (DynamoDbStore store = store(lost)) {
      NewEmail email = Mail.email();
      store.insert(List.of(email));
      lost.arm();

      List<Claim> claims = store.claim(Mail.claim(node, State.ACCEPTED, 10));

      assertThat(claims).extracting(Claim::id).containsExactly(email.id());
      lost.arm();
      assertThat(store.beginDelivery(claims))
          .extracting(Claim::state)
          .containsOnly(State.PROCESSING);
      lost.assertStruck(2);
    }
  }

  @Test
  void aTransactionWhoseAnswerWasLostIsMadeOnce() {
    AfterEffect lost = new AfterEffect(TransactWriteItemsRequest.class);
    try (DynamoDbStore store = store(lost)) {
      NewEmail email = Mail.keyed("order-42");
      lost.arm();
      assertThat(store.insert(List.of(email)))
          .containsExactly(new InsertResult(email.id(), InsertResult.Status.CREATED));
      Claim claim = store.claim(Mail.claim(node, State.ACCEPTED, 10)).get(0);
      lost.arm();
      assertThat(
              store.complete(
                  List.of(
                      Completion.deferredToOtherNode(
                          claim, Duration.ZERO, OutcomeDetails.of("why")))))
          .containsExactly(CompletionResult.APPLIED);

      assertThat(store.history(email.id())).as("rows of history for one step").hasSize(1);
      lost.assertStruck(2);
    }
  }

  @Test
  void aLongListIsStoredWholeThoughEveryTransactionMeetsTrouble() {
    Faults faults = new Faults(7, 0.3);
    try (DynamoDbStore store = store(faults)) {
      List<NewEmail> emails =
          IntStream.range(0, 150).mapToObj(i -> Mail.keyed("order-" + i)).toList();

      assertThat(store.insert(emails))
          .isEqualTo(
              emails.stream()
                  .map(e -> new InsertResult(e.id(), InsertResult.Status.CREATED))
                  .toList());

      faults.stop();
      assertThat(store.query(EmailQuery.all(), null, 1_000).emails()).hasSize(150);
    }
  }

  /** Loses the answer of the next request of a kind, once it has taken effect. */
  private static final class AfterEffect implements ExecutionInterceptor {

    private final Class<?> kind;
    private boolean armed;
    private int struck;

    AfterEffect(Class<?> kind) {
      this.kind = kind;
    }

    synchronized void arm() {
      armed = true;
    }

    synchronized void assertStruck(int times) {
      assertThat(struck).as("answers lost").isEqualTo(times);
    }

    @Override
    public synchronized void afterExecution(
        Context.AfterExecution context, ExecutionAttributes executionAttributes) {
      if (armed && kind.isInstance(context.request())) {
        armed = false;
        struck++;
        throw ApiCallTimeoutException.create(1);
      }
    }
  }
}
