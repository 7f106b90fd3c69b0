package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.ReapPolicy;
import dev.outbox.testsupport.LocalDynamo;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** What happens between a store's look at a row and its write. */
class FenceTest extends LocalStore {

  private final Between between = new Between();
  private final DynamoDbStore slow =
      DynamoDbStore.builder(LocalDynamo.client(between)).table(tables.name()).build();

  @AfterEach
  void closeSlow() {
    slow.close();
  }

  @Test
  void aCancelBetweenLookAndWriteIsNotOverwritten() {
    EmailId id = stored.waiting(Mail.email());
    Claim claim = stored.claimed();
    between.next(() -> store.apply(OperatorAction.CANCEL, List.of(id)));

    assertThat(
            slow.complete(
                List.of(
                    Completion.deferredToOtherNode(
                        claim, Duration.ZERO, OutcomeDetails.of("later")))))
        .containsExactly(CompletionResult.LOST);

    assertThat(store.find(id).orElseThrow().summary().code()).isEqualTo(FailureCode.CANCELLED);
    assertThat(store.history(id)).as("rows of history, of the cancel alone").hasSize(1);
  }

  @Test
  void anEmailThatIsErasedBetweenLookAndWriteIsNotRequeued() {
    EmailId id = stored.failed(Mail.email());
    between.next(() -> store.apply(OperatorAction.ERASE, List.of(id)));

    assertThat(slow.apply(OperatorAction.REQUEUE, List.of(id)).get(0).status())
        .as("a requeue of what was erased meanwhile")
        .isEqualTo(ActionResult.Status.REFUSED);
    assertThat(store.find(id).orElseThrow().summary().erased()).isTrue();
  }

  @Test
  void aNodeThatBeatsBetweenLookAndWriteIsNotReaped() {
    EmailId id = stored.waiting(Mail.email());
    store.heartbeat(stored.node());
    Claim claim = stored.claimed();
    between.next(() -> store.heartbeat(stored.node()));

    assertThat(slow.reap(stored.node(), 1, ReapPolicy.DEFAULT, 10)).isEmpty();

    assertThat(store.find(id).orElseThrow().summary()).isEqualTo(claim.email());
  }

  /** Lets something happen just before the next transaction is sent. */
  private static final class Between implements ExecutionInterceptor {

    private final AtomicReference<Runnable> action = new AtomicReference<>(() -> {});

    void next(Runnable done) {
      action.set(done);
    }

    @Override
    public void beforeExecution(
        Context.BeforeExecution context, ExecutionAttributes executionAttributes) {
      if (context.request() instanceof TransactWriteItemsRequest) {
        action.getAndSet(() -> {}).run();
      }
    }
  }
}
