package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.Receipt;
import dev.outbox.testsupport.ChildJvm;
import dev.outbox.testsupport.MariaDbServer;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

/** Two processes on one database, of which one is killed while it works. */
class TwoProcessesTest {

  private static final int EMAILS = 2_000;
  private static final String PREFIX = "two_";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String url = MariaDbServer.shared().url();
  private final Jdbi database = Jdbi.create(url, "root", "");

  @Test
  void whatAKilledProcessHeldIsSentByTheOther() {
    try (MySqlStore store =
            MySqlStore.builder(url, "root", "").tablePrefix(PREFIX).applySchema().build();
        DeliveryPost post = new DeliveryPost();
        ChildJvm survivor = node(post, "survivor");
        ChildJvm victim = node(post, "victim")) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(post.nodes())
                      .as("%s %s", survivor.said(), victim.said())
                      .containsExactlyInAnyOrder("survivor", "victim"));
      List<EmailId> accepted = accept(store);

      await()
          .atMost(PATIENCE)
          .until(() -> post.deliveredBy("victim").size() == WorkerNode.BEFORE_HANGING);
      victim.kill();
      long killed = System.nanoTime();
      survivor.tell("");
      Set<EmailId> inFlight = heldByVictim();
      assertThat(inFlight).as("what the victim held when it was killed").isNotEmpty();
      assertThat(post.delivered()).as("deliveries at the time of death").hasSizeLessThan(EMAILS);

      await()
          .pollInterval(Duration.ofMillis(20))
          .atMost(PATIENCE)
          .until(() -> heldByVictim().size() < inFlight.size());
      assertThat(Duration.ofNanos(System.nanoTime() - killed))
          .as("time until the other node began to take over")
          .isLessThan(WorkerNode.LEASE.leaseDuration().plusSeconds(3));

      await().atMost(PATIENCE).until(() -> logged().size() == EMAILS);
      assertThat(survivor.isAlive()).isTrue();
      assertThat(logged()).containsExactlyInAnyOrderElementsOf(accepted);
      assertThat(ids("SELECT id FROM two_emails")).isEmpty();

      List<EmailId> deliveries = post.delivered().stream().map(DeliveryPost.Delivered::id).toList();
      assertThat(new HashSet<>(deliveries)).containsExactlyInAnyOrderElementsOf(accepted);
      assertThat(repeated(deliveries)).as("what was sent twice").isSubsetOf(inFlight);
      assertThat(repeated(post.deliveredBy("survivor"))).isEmpty();
      assertThat(repeated(post.deliveredBy("victim"))).isEmpty();
    }
  }

  private ChildJvm node(DeliveryPost post, String name) {
    return ChildJvm.start(WorkerNode.class, url, PREFIX, String.valueOf(post.port()), name);
  }

  private static List<EmailId> accept(MySqlStore store) {
    try (Outbox outbox = Outbox.builder(store).defaultFrom("shop@example.com").build()) {
      return outbox
          .sendAll(
              IntStream.range(0, EMAILS)
                  .mapToObj(
                      number ->
                          Email.to("ada@example.com")
                              .subject("Order " + number)
                              .text("Thank you")
                              .build())
                  .toList())
          .stream()
          .map(Receipt::id)
          .toList();
    }
  }

  private Set<EmailId> heldByVictim() {
    return new HashSet<>(ids("SELECT id FROM two_emails WHERE owner LIKE 'victim~%'"));
  }

  private List<EmailId> logged() {
    return ids("SELECT id FROM two_log WHERE status = 'SENT'");
  }

  private List<EmailId> ids(String query) {
    return database.withHandle(
        handle ->
            handle.createQuery(query).map((row, context) -> BinaryIds.id(row.getBytes(1))).list());
  }

  private static Set<EmailId> repeated(List<EmailId> ids) {
    Set<EmailId> repeated = new HashSet<>(ids);
    repeated.removeIf(id -> Collections.frequency(ids, id) < 2);
    return repeated;
  }
}
