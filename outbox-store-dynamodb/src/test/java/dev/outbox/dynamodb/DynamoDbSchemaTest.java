package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.testsupport.LocalDynamo;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

class DynamoDbSchemaTest {

  private final DynamoDbClient client = LocalDynamo.client();
  private final OtherTables others = new OtherTables(client);

  @Test
  void tablesIndexesAndTimesToLiveAreMadeOnce() {
    DynamoDbSchema schema = DynamoDbSchema.of("schema-test");

    schema.create(client);
    schema.create(client);

    assertThat(
            client.describeTable(d -> d.tableName("schema-test")).table().globalSecondaryIndexes())
        .extracting(GlobalSecondaryIndexDescription::indexName)
        .containsExactlyInAnyOrder("QueueIndex", "DayIndex");
    assertThat(
            client
                .describeTimeToLive(d -> d.tableName("schema-test-log"))
                .timeToLiveDescription()
                .timeToLiveStatus())
        .isEqualTo(TimeToLiveStatus.ENABLED);
  }

  @Test
  void manyNodesMakeThemAtOnce() throws Exception {
    ExecutorService nodes = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 5; round++) {
        DynamoDbSchema schema = DynamoDbSchema.of("schema-race-" + round);
        CyclicBarrier start = new CyclicBarrier(8);
        Callable<Boolean> node =
            () -> {
              start.await();
              schema.create(client);
              return true;
            };
        for (Future<Boolean> made : nodes.invokeAll(Collections.nCopies(8, node))) {
          assertThat(made.get()).isTrue();
        }
      }
    } finally {
      nodes.shutdownNow();
    }
  }

  @Test
  void theSameIsPrintedAsCloudFormation() {
    assertThat(DynamoDbSchema.of("mail").cloudFormation())
        .isEqualTo(
            """
            AWSTemplateFormatVersion: '2010-09-09'
            Resources:
              OutboxEmails:
                Type: AWS::DynamoDB::Table
                DeletionPolicy: Retain
                UpdateReplacePolicy: Retain
                Properties:
                  TableName: mail
                  BillingMode: PAY_PER_REQUEST
                  AttributeDefinitions:
                    - AttributeName: Id
                      AttributeType: S
                    - AttributeName: Status
                      AttributeType: S
                    - AttributeName: Queue
                      AttributeType: S
                    - AttributeName: Due
                      AttributeType: S
                    - AttributeName: Day
                      AttributeType: S
                  KeySchema:
                    - AttributeName: Id
                      KeyType: HASH
                    - AttributeName: Status
                      KeyType: RANGE
                  GlobalSecondaryIndexes:
                    - IndexName: QueueIndex
                      KeySchema:
                        - AttributeName: Queue
                          KeyType: HASH
                        - AttributeName: Due
                          KeyType: RANGE
                      Projection:
                        ProjectionType: INCLUDE
                        NonKeyAttributes:
                          - Token
                          - Size
                          - Created
                    - IndexName: DayIndex
                      KeySchema:
                        - AttributeName: Day
                          KeyType: HASH
                        - AttributeName: Id
                          KeyType: RANGE
                      Projection:
                        ProjectionType: KEYS_ONLY
                  TimeToLiveSpecification:
                    AttributeName: TTL
                    Enabled: true
              OutboxLog:
                Type: AWS::DynamoDB::Table
                DeletionPolicy: Retain
                UpdateReplacePolicy: Retain
                Properties:
                  TableName: mail-log
                  BillingMode: PAY_PER_REQUEST
                  AttributeDefinitions:
                    - AttributeName: CreatedDate
                      AttributeType: S
                    - AttributeName: ID
                      AttributeType: S
                  KeySchema:
                    - AttributeName: CreatedDate
                      KeyType: HASH
                    - AttributeName: ID
                      KeyType: RANGE
                  TimeToLiveSpecification:
                    AttributeName: Expires
                    Enabled: true
            """);
  }

  @Test
  void aTableThatCannotBeUsedIsRefusedWithTheDifference() {
    DynamoDbSchema schema = DynamoDbSchema.of("schema-other");
    others.make("schema-other", List.of("Id", "Status"));
    assertThatThrownBy(() -> schema.create(client))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("table schema-other: has no index QueueIndex");

    others.make("schema-keys", List.of("Email", "Status"));
    assertThatThrownBy(() -> DynamoDbSchema.of("schema-keys").create(client))
        .hasMessage("table schema-keys: want the keys [Id, Status], has [Email, Status]");

    others.make(
        "schema-projection",
        List.of("Id", "Status"),
        OtherTables.index("QueueIndex", "Queue", "Due", ProjectionType.KEYS_ONLY),
        OtherTables.index("DayIndex", "Day", "Id", ProjectionType.KEYS_ONLY));
    assertThatThrownBy(() -> DynamoDbSchema.of("schema-projection").create(client))
        .hasMessage(
            "table schema-projection, index QueueIndex: does not project [Created, Size, Token]");

    others.make(
        "schema-index",
        List.of("Id", "Status"),
        OtherTables.index("QueueIndex", "Due", "Queue", ProjectionType.ALL),
        OtherTables.index("DayIndex", "Day", "Id", ProjectionType.KEYS_ONLY));
    assertThatThrownBy(() -> DynamoDbSchema.of("schema-index").create(client))
        .hasMessage(
            "table schema-index, index QueueIndex: want the keys [Queue, Due], has [Due, Queue]");
  }

  @Test
  void moreThanIsNeededWillDo() {
    others.make(
        "schema-more",
        List.of("Id", "Status"),
        OtherTables.index("QueueIndex", "Queue", "Due", ProjectionType.ALL),
        OtherTables.index("DayIndex", "Day", "Id", ProjectionType.ALL),
        OtherTables.index("Another", "Status", "Id", ProjectionType.ALL));

    DynamoDbSchema.of("schema-more").create(client);
  }

  @Test
  void aTimeToLiveByAnotherAttributeIsRefused() {
    others.make("schema-ttl-log", List.of("CreatedDate", "ID"));
    client.updateTimeToLive(
        update ->
            update
                .tableName("schema-ttl-log")
                .timeToLiveSpecification(live -> live.attributeName("Created").enabled(true)));

    assertThatThrownBy(() -> DynamoDbSchema.of("schema-ttl").create(client))
        .hasMessage("table schema-ttl-log: want the time to live in Expires, is in Created");
  }

  @Test
  @SuppressWarnings("NullAway") // What hosts without NullAway may hand in.
  void badSettingsAreRefusedByName() {
    DynamoDbStore.Builder builder = DynamoDbStore.builder(client);
    assertThatThrownBy(() -> builder.table(null)).hasMessageContaining("table: want");
    assertThatThrownBy(() -> DynamoDbStore.builder(null)).hasMessage("client");
    assertThatThrownBy(() -> builder.retention(null)).hasMessage("retention");
    assertThatThrownBy(() -> new DynamoDbSchema("same", "same"))
        .hasMessage("logTable: want another table than table, is same");
    assertThatThrownBy(() -> DynamoDbSchema.of("a: b")).hasMessageContaining("table: want");
    DynamoDbStore.Builder same = DynamoDbStore.builder(client).table("mail").logTable("mail");
    assertThatThrownBy(same::build).hasMessage("logTable: want another table than table, is mail");
    try (DynamoDbStore store = DynamoDbStore.builder(client).table("mail").build()) {
      assertThatThrownBy(() -> store.transaction(null)).hasMessage("writes");
      assertThatThrownBy(() -> store.transaction(List.of()))
          .hasMessage("writes: want a list that can grow, as an ArrayList");
    }
    assertThatThrownBy(() -> builder.table("a b")).hasMessageContaining("table: want");
    assertThatThrownBy(() -> builder.logTable("x")).hasMessageContaining("logTable: want");
    assertThatThrownBy(() -> builder.shards(0)).hasMessage("shards: want 1 to 256, is 0");
    assertThatThrownBy(() -> builder.logShards(300)).hasMessage("logShards: want 1 to 256, is 300");
    assertThatThrownBy(() -> builder.parallelism(0)).hasMessageContaining("parallelism: want");
    assertThatThrownBy(() -> builder.clockSkew(Duration.ofSeconds(-1)))
        .hasMessageContaining("clockSkew: want");
    assertThatThrownBy(builder::build).hasMessage("table: not set, nor is EMAIL_OUTBOX_TABLE");
  }
}
