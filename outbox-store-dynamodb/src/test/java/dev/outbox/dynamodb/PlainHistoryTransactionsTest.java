package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoreException;
import dev.outbox.testsupport.LocalDynamo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** With the plain history, an email's row and the item of its state change together. */
class PlainHistoryTransactionsTest extends LocalStore {

  private final NewEmail email = Mail.email();

  /** Stops after each number of writes, as a process that is killed there. */
  @Test
  void aStepThatWasInterruptedLeavesRowAndStateInAgreement() {
    int writes = 1;
    for (boolean stopped = true; stopped; writes++) {
      NewEmail own = Mail.email();
      stopped = isStoppedAfter(writes, store -> life(store, own));
      assertAgreement(own.id(), writes);
      tables.emails().forEach(this::delete);
    }
    assertThat(writes).as("writes of a life").isGreaterThan(6);
  }

  private static void life(DynamoDbStore store, NewEmail email) {
    Stored stored = new Stored(store);
    store.insert(List.of(email));
    Claim wired = stored.onTheWire();
    store.complete(
        List.of(
            Completion.retry(wired, Duration.ZERO, OutcomeDetails.of("later"), email.payload())));
    Claim again = store.claim(Mail.claim(stored.node(), State.READY, 1)).get(0);
    store.complete(
        List.of(Completion.failed(again, FailureCode.REFUSED, OutcomeDetails.of("no"), null)));
    store.apply(OperatorAction.REQUEUE, List.of(email.id()));
    store.apply(OperatorAction.CANCEL, List.of(email.id()));
    store.apply(OperatorAction.ERASE, List.of(email.id()));
  }

  private boolean isStoppedAfter(int writes, Consumer<DynamoDbStore> work) {
    Stopping stopping = new Stopping(writes);
    try (DynamoDbClient stopped = LocalDynamo.client(stopping);
        DynamoDbStore plain =
            DynamoDbStore.builder(stopped).table(tables.name()).plainHistory(true).build()) {
      work.accept(plain);
      return false;
    } catch (StoreException e) {
      return true;
    }
  }

  private void assertAgreement(EmailId id, int writes) {
    Map<String, AttributeValue> meta = item(id, "_META");
    if (meta.isEmpty()) {
      assertThat(statuses(id)).as("items of an email that is not stored").isEmpty();
      return;
    }
    Map<String, AttributeValue> attributes = Objects.requireNonNull(meta.get("Attributes")).m();
    Map<String, AttributeValue> state = item(id, AttributeValues.needed(attributes, "Latest"));
    assertThat(state).as("item of the row's state after %d writes", writes).isNotEmpty();
    assertThat(Objects.requireNonNull(state.get("Attributes")).m().get("UpdatedAt"))
        .as("its time after %d writes", writes)
        .isEqualTo(attributes.get("UpdatedAt"));
    assertThat(plainItems(id))
        .as("times to live after %d writes", writes)
        .allMatch(each -> Objects.equals(each.get("TTL"), meta.get("TTL")));
  }

  @Test
  void aJoinedSendBringsTheItemOfItsStateInTheSameTransaction() {
    try (DynamoDbStore plain = open(builder -> builder.plainHistory(true))) {
      List<TransactWriteItem> writes = new ArrayList<>();
      plain.transaction(writes).insert(List.of(email));
      client.transactWriteItems(request -> request.transactItems(writes));

      assertThat(statuses(email.id())).contains("_META", "CONTENT", "ACCEPTED");
    }
  }

  @Test
  void aRequeueRemovesTheTimeToLiveFromEveryItem() {
    try (DynamoDbStore plain = open(builder -> builder.plainHistory(true))) {
      EmailId id = new Stored(plain).failed(email);
      assertThat(plainItems(id)).hasSize(4).allMatch(item -> item.containsKey("TTL"));

      plain.apply(OperatorAction.REQUEUE, List.of(id));

      assertThat(plainItems(id)).hasSize(4).noneMatch(item -> item.containsKey("TTL"));
    }
  }

  @Test
  void manyEmailsWithTheirStatesAreInsertedClaimedAndTakenOn() {
    try (DynamoDbStore plain = open(builder -> builder.plainHistory(true))) {
      List<NewEmail> emails = Stream.generate(Mail::email).limit(60).toList();
      Stored own = new Stored(plain);

      plain.insert(emails);
      List<Claim> claims = plain.claim(Mail.claim(own.node(), State.ACCEPTED, 60));

      assertThat(claims).hasSize(60);
      assertThat(plain.beginDelivery(claims)).hasSize(60);
      assertThat(statuses(claims.get(7).id())).contains("ACCEPTED", "INTAKING", "PROCESSING");
    }
  }

  @Test
  void aStepToDeliveryThatDynamoDbRejectsIsNotALostClaim() {
    AtomicBoolean rejects = new AtomicBoolean();
    ExecutionInterceptor rejecting =
        new ExecutionInterceptor() {
          @Override
          public void beforeExecution(
              Context.BeforeExecution context, ExecutionAttributes executionAttributes) {
            if (rejects.get()
                && context.request() instanceof TransactWriteItemsRequest write
                && write.toString().contains(email.id().toString())) {
              throw DynamoDbException.builder()
                  .statusCode(400)
                  .awsErrorDetails(AwsErrorDetails.builder().errorCode("NewException").build())
                  .build();
            }
          }
        };
    try (DynamoDbClient refusing = LocalDynamo.client(rejecting);
        DynamoDbStore plain =
            DynamoDbStore.builder(refusing).table(tables.name()).plainHistory(true).build()) {
      Stored own = new Stored(plain);
      plain.insert(List.of(email, Mail.email()));
      List<Claim> claims = plain.claim(Mail.claim(own.node(), State.ACCEPTED, 2));
      rejects.set(true);

      assertThatThrownBy(() -> plain.beginDelivery(claims))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.REJECTED_DATA))
          .hasMessageContaining(email.id().toString());

      List<Claim> other = claims.stream().filter(each -> !each.id().equals(email.id())).toList();
      assertThat(plain.beginDelivery(other)).as("the same step again").hasSize(1);
    }
  }

  private List<Map<String, AttributeValue>> plainItems(EmailId id) {
    Set<String> states =
        List.of(State.values()).stream().map(State::wireName).collect(Collectors.toSet());
    return tables.emails().stream()
        .filter(item -> id.toString().equals(AttributeValues.textOf(item, "Id")))
        .filter(item -> states.contains(AttributeValues.needed(item, "Status")))
        .toList();
  }

  private List<String> statuses(EmailId id) {
    return tables.emails().stream()
        .filter(item -> id.toString().equals(AttributeValues.textOf(item, "Id")))
        .map(item -> AttributeValues.needed(item, "Status"))
        .toList();
  }

  private Map<String, AttributeValue> item(EmailId id, String status) {
    return client
        .getItem(
            get -> get.tableName(tables.name()).key(AttributeValues.key(id.toString(), status)))
        .item();
  }

  private void delete(Map<String, AttributeValue> item) {
    client.deleteItem(
        delete ->
            delete
                .tableName(tables.name())
                .key(
                    AttributeValues.key(
                        AttributeValues.needed(item, "Id"),
                        AttributeValues.needed(item, "Status"))));
  }

  /** Refuses every write that follows after some. */
  private static final class Stopping implements ExecutionInterceptor {

    private final AtomicInteger left;

    Stopping(int writes) {
      this.left = new AtomicInteger(writes);
    }

    @Override
    public void beforeExecution(
        Context.BeforeExecution context, ExecutionAttributes executionAttributes) {
      boolean writes =
          context.request() instanceof TransactWriteItemsRequest
              || context.request() instanceof BatchExecuteStatementRequest
              || context.request() instanceof BatchWriteItemRequest;
      if (writes && left.getAndDecrement() <= 0) {
        throw DynamoDbException.builder()
            .awsErrorDetails(AwsErrorDetails.builder().errorCode("AccessDeniedException").build())
            .message("stopped")
            .build();
      }
    }
  }
}
