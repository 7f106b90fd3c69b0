package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.OperatorAction;
import dev.outbox.testsupport.LocalDynamo;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** The index is behind the table; nothing but a lost condition comes of it. */
class LaggingIndexTest extends LocalStore {

  @Test
  void anEmailThatWasClaimedMeanwhileIsOnlyALostCondition() {
    Behind behind = new Behind();
    NodeId late = NodeId.incarnate("late");
    try (DynamoDbStore blind =
        DynamoDbStore.builder(LocalDynamo.client(behind)).table(tables.name()).build()) {
      EmailId id = stored.waiting(Mail.email());
      behind.remember = true;
      blind.claim(Mail.claim(late, State.READY, 10));
      assertThat(blind.stats()).containsOnlyKeys(State.ACCEPTED);
      Claim claim = stored.claimed();
      behind.replay = true;

      assertThat(blind.claim(Mail.claim(late, State.ACCEPTED, 10))).isEmpty();

      assertThat(store.find(id).orElseThrow().summary()).isEqualTo(claim.email());
      store.apply(OperatorAction.CANCEL, List.of(id));
      assertThat(blind.claim(Mail.claim(late, State.ACCEPTED, 10))).isEmpty();
      assertThat(store.find(id).orElseThrow().summary().state()).isEqualTo(State.FAILED);
    }
  }

  /** Answers queries of the index as it did before. */
  private static final class Behind implements ExecutionInterceptor {

    private final Map<String, SdkResponse> before = new ConcurrentHashMap<>();
    volatile boolean remember;
    volatile boolean replay;

    @Override
    public SdkResponse modifyResponse(
        Context.ModifyResponse context, ExecutionAttributes executionAttributes) {
      if (!(context.request() instanceof QueryRequest query) || query.indexName() == null) {
        return context.response();
      }
      String queue = AttributeValues.needed(query.expressionAttributeValues(), ":queue");
      if (replay) {
        return before.getOrDefault(queue, context.response());
      }
      if (remember) {
        before.put(queue, context.response());
      }
      return context.response();
    }
  }
}
