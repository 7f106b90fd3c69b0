package dev.outbox.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import dev.outbox.email.EmailId;
import dev.outbox.event.OutboxEvent;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventPublisherTest {

  private static final int BATCH_CAPACITY = 100_000;

  private final EmailId id = EmailId.next();
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final CountDownLatch firstBatches = new CountDownLatch(1 + BATCH_CAPACITY);
  private final CountDownLatch all = new CountDownLatch(1 + 2 * BATCH_CAPACITY);
  private final EventBus bus = new EventBus();
  private final EventPublisher publisher = new EventPublisher(bus);

  @AfterEach
  void stop() {
    goOn.countDown();
    publisher.stop(Duration.ofSeconds(10));
  }

  @Test
  void aBatchThatIsCutToOneEventGivesItsPlaceBack() throws InterruptedException {
    bus.register(this);
    publisher.start(Thread::new);
    publisher.post(new OutboxEvent.EmailAccepted(id));
    postAll(BATCH_CAPACITY - 1);
    postAll(2);
    goOn.countDown();
    assertThat(firstBatches.await(30, TimeUnit.SECONDS)).isTrue();

    postAll(BATCH_CAPACITY);

    assertThat(all.await(30, TimeUnit.SECONDS)).as("there is room for a full batch").isTrue();
  }

  private void postAll(int events) {
    publisher.postAll(Collections.nCopies(events, id), OutboxEvent.EmailAccepted::new);
  }

  @Subscribe
  void onAccepted(OutboxEvent.EmailAccepted event) throws InterruptedException {
    goOn.await(30, TimeUnit.SECONDS);
    firstBatches.countDown();
    all.countDown();
  }
}
