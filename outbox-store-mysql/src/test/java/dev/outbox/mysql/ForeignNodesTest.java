package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.NewEmail;
import dev.outbox.store.NodeHeartbeat;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.testsupport.LogLines;
import dev.outbox.testsupport.MariaDbServer;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names of nodes that are none of ours, in the tables of nodes and of history. */
class ForeignNodesTest {

  private final NodeId node = NodeId.incarnate("node");
  private final Jdbi direct = Jdbi.create(MariaDbServer.shared().url(), "root", "");
  private MySqlStore store;

  @BeforeEach
  void open() {
    store =
        MySqlStore.builder(MariaDbServer.shared().url(), "root", "")
            .tablePrefix("foreign_")
            .applySchema()
            .build();
    direct.useHandle(
        handle ->
            List.of("emails", "log", "statuses", "nodes")
                .forEach(table -> handle.execute("DELETE FROM foreign_" + table)));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aMalformedNameDoesNotFailHeartbeatsAndIsLoggedOnce() {
    direct.useHandle(
        handle ->
            handle.execute("INSERT INTO foreign_nodes (node, beat) VALUES ('', 1), ('web 1', 7)"));
    try (LogLines lines = new LogLines(NodeOperations.class)) {
      for (int i = 1; i <= 3; i++) {
        assertThat(store.heartbeat(node)).containsExactly(new NodeHeartbeat(node, i));
      }
      assertThat(lines.messages(Level.SEVERE))
          .hasSize(2)
          .anyMatch(line -> line.contains("'web 1'"));
    }
  }

  @Test
  void aMalformedNameInTheHistoryIsLeftOut() {
    NewEmail email = Samples.email();
    store.insert(List.of(email));
    Claim claim = store.beginDelivery(Samples.claim(store, node, 1)).get(0);
    store.complete(
        List.of(
            Completion.retry(
                claim,
                Duration.ofHours(1),
                OutcomeDetails.of("busy"),
                dev.outbox.email.Bytes.utf8("x"))));
    direct.useHandle(handle -> handle.execute("UPDATE foreign_statuses SET node = 'web 1'"));

    List<HistoryRecord> history = store.history(email.id());

    assertThat(history).hasSize(1);
    assertThat(history.get(0).to()).isEqualTo(State.READY);
    assertThat(history.get(0).node()).isNull();
  }
}
