package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.NodeId;
import dev.outbox.testsupport.ChildJvm;
import dev.outbox.testsupport.LocalDynamo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes on one table, one of which is killed without warning. */
class TwoProcessesTest {

  private static final int EMAILS = 200;

  private final LocalTables tables = new LocalTables(LocalDynamo.client());
  private final DynamoDbStore store =
      DynamoDbStore.builder(LocalDynamo.client()).table(tables.name()).build();
  private final List<ChildJvm> processes = new ArrayList<>();

  @TempDir Path directory;

  @AfterEach
  void close() {
    processes.forEach(ChildJvm::close);
    store.close();
  }

  @Test
  void allEmailsAreSentThoughOneOfTwoProcessesIsKilled() {
    Outbox outbox = Outbox.builder(store).defaultFrom("shop@example.com").build();
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    ChildJvm victim = start(first);
    start(second);
    NodeId watcher = NodeId.incarnate("watcher");
    await().atMost(Duration.ofSeconds(60)).until(() -> store.heartbeat(watcher).size() == 3);
    store.deregister(watcher);
    outbox.sendAll(
        IntStream.range(0, EMAILS)
            .mapToObj(
                i -> Email.to("ada@example.com").subject("Order " + i).text("Thank you.").build())
            .toList());
    await().atMost(Duration.ofSeconds(60)).until(() -> lines(first).size() > 5);

    victim.kill();
    int killedAfter = lines(first).size();

    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(store.query(EmailQuery.all(), null, EMAILS + 1).emails())
                    .hasSize(EMAILS)
                    .allMatch(EmailSummary::archived, "is in the log"));
    assertThat(killedAfter).as("sent by the one that was killed").isBetween(1, EMAILS - 1);
    List<String> sent = new ArrayList<>(lines(first));
    sent.addAll(lines(second));
    assertThat(new TreeSet<>(sent)).as("emails at the relay").hasSize(EMAILS);
    outbox.close();
  }

  private ChildJvm start(Path sent) {
    ChildJvm process =
        ChildJvm.start(
            ProcessorMain.class,
            LocalDynamo.endpoint().toString(),
            tables.name(),
            sent.toString(),
            sent.getFileName().toString());
    processes.add(process);
    return process;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
