package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.store.StoreException;
import dev.outbox.testsupport.MariaDbServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The database server dies under load and comes back. */
class ServerKilledTest {

  private static final int SENDERS = 4;
  private static final int EACH = 150;

  /** Few, because those who send run ahead of the deliveries and have to be at work by then. */
  private static final int DELIVERED_BEFORE = 50;

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Set<EmailId> delivered = ConcurrentHashMap.newKeySet();
  private final Set<EmailId> accepted = ConcurrentHashMap.newKeySet();
  private final AtomicInteger refused = new AtomicInteger();

  @Test
  void nothingIsLostAndProcessingResumesByItself() {
    ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
    Process restarted = null;
    try (MariaDbServer server = MariaDbServer.start(MariaDbServer.freshData(), 0);
        MySqlStore store = MySqlStore.builder(server.url(), "root", "").applySchema().build();
        Outbox outbox = outbox(store)) {
      List<CompletableFuture<Void>> sending = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        sending.add(CompletableFuture.runAsync(() -> send(outbox), senders));
      }
      await().atMost(PATIENCE).until(() -> delivered.size() >= DELIVERED_BEFORE);

      MariaDbServer.Killed killed = server.kill();
      int before = accepted.size();
      assertThat(before).as("accepted before the server died").isLessThan(SENDERS * EACH);
      assertThat(sending).as("senders at work").noneMatch(CompletableFuture::isDone);
      restarted = killed.restart();

      await().atMost(PATIENCE).until(() -> sending.stream().allMatch(CompletableFuture::isDone));
      sending.forEach(CompletableFuture::join);
      assertThat(accepted).as("accepted in all").hasSize(SENDERS * EACH);
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(delivered).containsAll(accepted));
      await().atMost(PATIENCE).until(() -> outbox.stats().states().isEmpty());
      assertThat(accepted)
          .as("each is in the log")
          .allMatch(id -> outbox.find(id).orElseThrow().summary().archived());
      assertThat(delivered.size() - accepted.size())
          .as("sent though the sender was told of trouble")
          .isBetween(0, refused.get());
    } finally {
      senders.shutdownNow();
      if (restarted != null) {
        restarted.destroyForcibly().onExit().join();
      }
    }
  }

  private Outbox outbox(MySqlStore store) {
    return Outbox.builder(store)
        .transport(new AcceptingTransport(Duration.ZERO, delivered::add))
        .defaultFrom("shop@example.com")
        .lease(new LeaseSettings(Duration.ofMillis(500), Duration.ofSeconds(6)))
        .build()
        .start();
  }

  private void send(Outbox outbox) {
    int stored = 0;
    while (stored < EACH) {
      try {
        accepted.add(
            outbox
                .send(Email.to("ada@example.com").subject("Order").text("Thank you").build())
                .id());
        stored++;
      } catch (StoreException e) {
        refused.incrementAndGet();
      }
    }
  }
}
