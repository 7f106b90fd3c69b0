package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoreException;
import dev.outbox.testkit.RecordingTransport;
import dev.outbox.testsupport.LocalDynamo;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** An outbox does not start on a store whose times to live come from another retention. */
class RetentionAgreementTest extends LocalStore {

  private static final RetentionSettings YEAR = RetentionSettings.DEFAULT.log(Duration.ofDays(365));

  @Test
  void anOutboxWithAnotherRetentionThanItsStoreDoesNotStart() {
    try (Outbox outbox = outbox(store, YEAR)) {
      assertThatThrownBy(outbox::start)
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.MISCONFIGURED))
          .hasMessageContaining("log")
          .hasMessageContaining("PT8760H")
          .hasMessageContaining("PT720H")
          .hasMessageContaining("Outbox.builder(…).retention(…)")
          .hasMessageContaining("DynamoDbStore.builder(…).retention(…)")
          .hasMessageNotContaining("failed");
      assertThatThrownBy(outbox::processDue).isInstanceOf(StoreException.class);
    }
  }

  @Test
  void anOutboxWithTheRetentionOfItsStoreStarts() {
    try (DynamoDbStore year = open(builder -> builder.retention(YEAR));
        Outbox outbox = outbox(year, YEAR.sentContent(Duration.ofDays(1)))) {
      outbox.start();
    }
  }

  @Test
  void anOutboxThatOnlyStoresNeedsNoRetention() {
    try (DynamoDbStore year = open(builder -> builder.retention(YEAR));
        Outbox outbox = Outbox.builder(year).build()) {
      assertThat(outbox.stats().states()).isEmpty();
    }
  }

  @Test
  void theRetentionIsComparedWithoutAskingDynamoDb() {
    URI nowhere = URI.create("http://127.0.0.1:" + LocalDynamo.freePort());
    try (DynamoDbClient lost = LocalDynamo.client(nowhere);
        DynamoDbStore away = DynamoDbStore.builder(lost).table("emails").build()) {
      assertThat(away.prune(RetentionSettings.DEFAULT, 0)).isZero();
    }
  }

  /** Only a setting that is wrong stops a start: an outage may end while the node runs. */
  @Test
  void anOutboxStartsOnAStoreThatCannotBeReachedYet() {
    InvocationHandler away =
        (proxy, method, arguments) -> {
          if (method.getName().equals("prune")) {
            throw new StoreException(StoreException.Reason.UNAVAILABLE, "away", null);
          }
          return method.invoke(store, arguments);
        };
    OutboxStore unreachable =
        (OutboxStore)
            Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, away);
    try (Outbox outbox = outbox(unreachable, RetentionSettings.DEFAULT)) {
      outbox.start();
    }
  }

  private static Outbox outbox(OutboxStore store, RetentionSettings retention) {
    return Outbox.builder(store)
        .transport(new RecordingTransport())
        .defaultFrom("shop@example.com")
        .retention(retention)
        .build();
  }
}
