package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.callback.HttpCallback;
import dev.outbox.email.Email;
import dev.outbox.settings.ProcessingSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One slow receiver does not hold up the others. */
@Timeout(120)
class SlowReceiverTest {

  private static final int EACH = 2_500;

  private final Receiver slow = new Receiver();
  private final Receiver fast = new Receiver();
  private final InMemoryStore store = new InMemoryStore();

  SlowReceiverTest() throws IOException {
    slow.delay(Duration.ofMillis(200));
  }

  @AfterEach
  void close() {
    slow.close();
    fast.close();
  }

  @Test
  void theFastOnesCallbacksAreDoneWhileTheSlowOnesStillRun() {
    List<Email> emails =
        IntStream.range(0, 2 * EACH)
            .mapToObj(
                i ->
                    Mails.to("ada@example.com")
                        .callbackUrl((i % 2 == 0 ? slow : fast).url("/" + i))
                        .build())
            .toList();
    try (Outbox outbox = outbox()) {
      outbox.sendAll(emails);

      await().atMost(Duration.ofSeconds(60)).until(() -> fast.calls().size() == EACH);
      assertThat(slow.calls()).as("calls of the slow one by then").hasSizeLessThan(EACH / 2);

      await().atMost(Duration.ofSeconds(60)).until(() -> store.stats().isEmpty());
    }
    for (Receiver receiver : List.of(slow, fast)) {
      assertThat(receiver.calls())
          .extracting(call -> call.headers().get("idempotency-key"))
          .doesNotHaveDuplicates()
          .hasSize(EACH);
    }
  }

  private Outbox outbox() {
    return Outbox.builder(store)
        .transport(new RecordingTransport())
        .defaultFrom("shop@example.com")
        .callback(HttpCallback.builder().allow("127.0.0.1").build())
        .processing(
            ProcessingSettings.DEFAULT.callbackWorkers(64).pollInterval(Duration.ofMillis(100)))
        .build()
        .start();
  }
}
