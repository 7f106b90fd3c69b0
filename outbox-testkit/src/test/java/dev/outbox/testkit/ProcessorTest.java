package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProcessorTest {

  @Test
  void aStartedOutboxSendsEverything() {
    InMemoryStore store = new InMemoryStore();
    RecordingTransport transport = new RecordingTransport();
    try (Outbox outbox =
        Outbox.builder(store)
            .nodeName("every-email")
            .transport(transport)
            .defaultFrom("shop@example.com")
            .build()) {
      outbox.start();
      outbox.sendAll(
          IntStream.range(0, 5_000)
              .mapToObj(i -> Email.to("a" + i + "@example.com").subject("s").text("t").build())
              .toList());
      await().atMost(Duration.ofSeconds(30)).until(() -> transport.sent().size() == 5_000);
      await().until(() -> store.stats().isEmpty());
    }
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().startsWith("outbox-every-email"));
  }
}
