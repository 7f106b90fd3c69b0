package dev.outbox.dynamodb;

import dev.outbox.content.ContentDirectory;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoreWriter;
import dev.outbox.testkit.OutboxStoreContract;
import dev.outbox.testkit.StoreFixture;
import dev.outbox.testsupport.LocalDynamo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The store contract against DynamoDB Local. */
class DynamoDbStoreTest extends OutboxStoreContract {

  /** Longer than any retention of the contract, which prunes what it wants to see pruned. */
  private static final RetentionSettings LONG =
      new RetentionSettings(years(30), years(30), years(30), years(30));

  private static final DynamoDbClient CLIENT = LocalDynamo.client();

  @TempDir static Path directory;

  private static Duration years(int count) {
    return Duration.ofDays(365L * count);
  }

  @Override
  protected StoreFixture open() {
    return new Fixture();
  }

  private static final class Fixture implements StoreFixture {

    private final LocalTables tables = new LocalTables(CLIENT);
    private final DynamoDbStore store = newStore();
    private final DynamoDbStore another = newStore();

    private DynamoDbStore newStore() {
      return DynamoDbStore.builder(CLIENT)
          .table(tables.name())
          .shards(2)
          .logShards(2)
          .retention(LONG)
          .largeContent(ContentDirectory.at(directory))
          .build();
    }

    @Override
    public OutboxStore store() {
      return store;
    }

    @Override
    public OutboxStore another() {
      return another;
    }

    @Override
    public void advance(Duration time) {
      tables.advance(time);
    }

    @Override
    public JoinedTransaction begin() {
      return new Joined(store);
    }

    @Override
    public void close() {
      store.close();
      another.close();
      tables.close();
    }
  }

  private static final class Joined implements StoreFixture.JoinedTransaction {

    private final List<TransactWriteItem> writes = new ArrayList<>();
    private final DynamoDbTransaction transaction;

    Joined(DynamoDbStore store) {
      this.transaction = store.transaction(writes);
    }

    @Override
    public StoreWriter writer() {
      return transaction;
    }

    @Override
    public void commit() {
      if (!writes.isEmpty()) {
        CLIENT.transactWriteItems(request -> request.transactItems(writes));
      }
      transaction.committed();
    }

    @Override
    public void rollback() {
      writes.clear();
    }
  }
}
