package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

class DynamoDbSchemaTest {

  private final DynamoDbClient client = LocalDynamo.client();

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
  void badSettingsAreRefusedByName() {
    DynamoDbStore.Builder builder = DynamoDbStore.builder(client);
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
