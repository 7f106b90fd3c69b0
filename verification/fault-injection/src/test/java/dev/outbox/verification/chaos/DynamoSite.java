package dev.outbox.verification.chaos;

import static org.awaitility.Awaitility.await;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import dev.outbox.Outbox;
import dev.outbox.dynamodb.DynamoDbSchema;
import dev.outbox.dynamodb.DynamoDbStore;
import dev.outbox.testsupport.LocalDynamo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** DynamoDB Local in a process of its own, with its data on disk. */
public final class DynamoSite implements DatabaseSite {

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final AttributeValue WORDS = AttributeValue.fromS("nobody can read this");

  /** What came with an email: a counter that cannot be read is mended by the next claim. */
  private static final List<String> SPOILT = List.of("Headline", "Priority", "Tags", "Lifetime");

  private final Path folder;
  private final Path data;
  private final int port = LocalDynamo.freePort();
  private final DynamoDbClient client;
  private ChildProcess server;

  /**
   * Starts a server and creates the tables of the chaos program.
   *
   * @param folder of its files and its log
   */
  public DynamoSite(Path folder) {
    this.folder = folder;
    this.data = data(folder);
    this.client = DynamoPlace.client(url(port));
    this.server = start();
    await().atMost(PATIENCE).until(this::answers);
    for (Line line : Line.values()) {
      DynamoDbSchema.of(line.table()).create(client);
    }
  }

  /** In memory, which survives a process that is killed, and is much faster than a disk. */
  private static Path data(Path folder) {
    try {
      return Files.isWritable(MEMORY) ? Files.createTempDirectory(MEMORY, "chaos") : folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ChildProcess start() {
    return ChildProcess.start(
        folder.resolve("dynamodb.log"),
        note -> {},
        List.of("-Xmx768m"),
        Map.of(),
        ServerRunner.class,
        "-dbPath",
        data.toString(),
        "-sharedDb",
        "-disableTelemetry",
        "-port",
        Integer.toString(port));
  }

  private boolean answers() {
    try {
      client.listTables();
      return true;
    } catch (SdkException e) {
      return false;
    }
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String url(int behind) {
    return "http://127.0.0.1:" + behind;
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void restart() {
    server = start();
    await().atMost(PATIENCE).until(this::answers);
  }

  @Override
  public void lock(Duration length) {
    throw new UnsupportedOperationException("there are no locks");
  }

  @Override
  public String poison(Line line, int choice) {
    try (DynamoDbStore store = DynamoDbStore.builder(client).table(line.table()).build()) {
      String id =
          Outbox.builder(store)
              .defaultFrom("shop@example.com")
              .build()
              .send(SqlPoison.email())
              .id()
              .toString();
      client.updateItem(
          update ->
              update
                  .tableName(line.table())
                  .key(
                      Map.of(
                          "Id", AttributeValue.fromS(id), "Status", AttributeValue.fromS("_META")))
                  .updateExpression("SET #a = :v")
                  .conditionExpression("attribute_not_exists(Preparing)")
                  .expressionAttributeNames(Map.of("#a", SPOILT.get(choice % SPOILT.size())))
                  .expressionAttributeValues(Map.of(":v", WORDS)));
      return id;
    }
  }

  @Override
  public long pending(Line line) {
    return DynamoTables.pending(client, line);
  }

  @Override
  public Tables read(Line line) {
    return DynamoTables.read(client, line);
  }

  @Override
  public void close() {
    client.close();
    server.kill();
    if (data.startsWith(MEMORY)) {
      clear();
    }
  }

  private void clear() {
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
