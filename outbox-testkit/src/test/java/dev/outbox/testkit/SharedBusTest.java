package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.eventbus.AsyncEventBus;
import com.google.common.eventbus.EventBus;
import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.Receipt;
import dev.outbox.event.SendEmail;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One request on a bus is one email, however many outboxes are registered there. */
class SharedBusTest {

  private final EventBus bus = new EventBus();
  private final InMemoryStore firstStore = new InMemoryStore();
  private final InMemoryStore secondStore = new InMemoryStore();

  @Test
  void aRequestToTwoOpenOutboxesIsStoredOnceByTheFirst() throws Exception {
    try (Outbox first = outbox(firstStore, bus);
        Outbox second = outbox(secondStore, bus)) {
      SendEmail request = post(bus);

      Receipt receipt = receipt(request);

      assertThat(first.find(receipt.id())).isPresent();
      assertThat(stored(second)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aClosedOutboxLeavesTheRequestToTheOpenOne(boolean isFirstClosed) throws Exception {
    try (Outbox first = outbox(firstStore, bus);
        Outbox second = outbox(secondStore, bus)) {
      Outbox closed = isFirstClosed ? first : second;
      Outbox open = isFirstClosed ? second : first;
      closed.close();

      Receipt receipt = receipt(post(bus));

      assertThat(open.find(receipt.id())).isPresent();
      assertThat(stored(closed)).isZero();
    }
  }

  @Test
  void theReceiptFailsIfEveryOutboxOnTheBusIsClosed() {
    Outbox first = outbox(firstStore, bus);
    Outbox second = outbox(secondStore, bus);
    first.close();
    second.close();

    SendEmail request = post(bus);

    assertRefused(request);
    assertThat(stored(first) + stored(second)).isZero();
  }

  @Test
  void anOutboxThatIsOpenedLaterTakesTheNextRequestOnly() throws Exception {
    outbox(firstStore, bus).close();
    SendEmail early = post(bus);
    try (Outbox later = outbox(secondStore, bus)) {
      SendEmail next = post(bus);

      assertThat(later.find(receipt(next).id())).isPresent();
      assertRefused(early);
      assertThat(stored(later)).isEqualTo(1);
    }
  }

  @Test
  void aRequestThatIsPostedTwiceIsOneEmail() throws Exception {
    try (Outbox outbox = outbox(firstStore, bus)) {
      SendEmail request = post(bus);
      bus.post(request);

      assertThat(receipt(request).created()).isTrue();
      assertThat(stored(outbox)).isEqualTo(1);
    }
  }

  @Test
  void aRequestPostedDuringCloseIsStoredOrFails() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int i = 0; i < 200; i++) {
        EventBus shared = new EventBus();
        InMemoryStore store = new InMemoryStore();
        Outbox outbox = outbox(store, shared);
        CyclicBarrier start = new CyclicBarrier(2);
        Future<SendEmail> posting =
            threads.submit(
                () -> {
                  start.await();
                  return post(shared);
                });
        Future<?> closing =
            threads.submit(
                () -> {
                  start.await();
                  outbox.close();
                  return null;
                });
        SendEmail request = posting.get(10, TimeUnit.SECONDS);
        closing.get(10, TimeUnit.SECONDS);

        int accepted =
            request
                .receipt()
                .handle((receipt, failure) -> failure == null ? 1 : 0)
                .toCompletableFuture()
                .get(1, TimeUnit.SECONDS);
        assertThat(stored(outbox)).isEqualTo(accepted);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void anAsynchronousBusStoresEachRequestOnceAndRefusesItOnceAllAreClosed() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      EventBus async = new AsyncEventBus(pool);
      Outbox first = outbox(firstStore, async);
      Outbox second = outbox(secondStore, async);
      List<SendEmail> requests = Mails.many(100).stream().map(SendEmail::new).toList();
      requests.forEach(async::post);
      for (SendEmail request : requests) {
        receipt(request);
      }
      assertThat(stored(first) + stored(second)).isEqualTo(100);

      first.close();
      second.close();
      assertRefused(post(async));
    } finally {
      pool.shutdownNow();
    }
  }

  private static SendEmail post(EventBus bus) {
    SendEmail request = new SendEmail(email());
    bus.post(request);
    return request;
  }

  private static Email email() {
    return Mails.plain();
  }

  private static Receipt receipt(SendEmail request) throws Exception {
    return request.receipt().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private static void assertRefused(SendEmail request) {
    assertThatThrownBy(() -> request.receipt().toCompletableFuture().get(1, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no open outbox");
  }

  private static int stored(Outbox outbox) {
    return outbox.query(EmailQuery.all(), 1_000).emails().size();
  }

  private static Outbox outbox(InMemoryStore store, EventBus bus) {
    return Outbox.builder(store).defaultFrom("a@example.com").eventBus(bus).build();
  }
}
