package dev.outbox.dynamodb;

import dev.outbox.testsupport.LocalDynamo;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A test with fresh tables and stores on them. */
abstract class LocalStore {

  final DynamoDbClient client = LocalDynamo.client();
  final LocalTables tables = new LocalTables(client);
  final DynamoDbStore store = open(builder -> builder);
  final Stored stored = new Stored(store);

  DynamoDbStore open(UnaryOperator<DynamoDbStore.Builder> setup) {
    return setup.apply(DynamoDbStore.builder(client).table(tables.name())).build();
  }

  @AfterEach
  void close() {
    store.close();
    tables.close();
  }
}
