package dev.outbox.dynamodb;

import java.util.List;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/**
 * The two tables with their indexes and times to live: made by a client with the right to, or
 * printed as CloudFormation for those who make tables otherwise.
 *
 * @param table the table of emails
 * @param logTable the table of the log
 */
public record DynamoDbSchema(String table, String logTable) {

  /** Refuses names that no table can have, and one table for both. */
  public DynamoDbSchema {
    TableNames.checked("table", table);
    TableNames.checked("logTable", logTable);
    TableNames.checkTwo(table, logTable);
  }

  /** Returns the schema with the log's usual name. */
  public static DynamoDbSchema of(String table) {
    return new DynamoDbSchema(table, table + "-log");
  }

  /**
   * Makes what is not there yet, billed by request, and waits until it can be used.
   *
   * @throws IllegalStateException if a table is there already and cannot be used, with the
   *     difference
   */
  public void create(DynamoDbClient client) {
    create(client, emails(), AttributeNames.TTL);
    create(client, log(), AttributeNames.EXPIRES);
  }

  private static void create(DynamoDbClient client, CreateTableRequest table, String ttl) {
    String name = table.tableName();
    try {
      client.createTable(table);
    } catch (ResourceInUseException e) {
      // It is there, or another node makes it right now.
    }
    client.waiter().waitUntilTableExists(wait -> wait.tableName(name));
    SchemaValidator.check(
        table, client.describeTable(describe -> describe.tableName(name)).table());
    enableTimeToLive(client, name, ttl);
  }

  private static void enableTimeToLive(DynamoDbClient client, String table, String attribute) {
    if (hasTimeToLive(client, table, attribute)) {
      return;
    }
    try {
      client.updateTimeToLive(
          update ->
              update
                  .tableName(table)
                  .timeToLiveSpecification(live -> live.attributeName(attribute).enabled(true)));
    } catch (DynamoDbException e) {
      // Another node may have been quicker.
      if (!hasTimeToLive(client, table, attribute)) {
        throw e;
      }
    }
  }

  private static boolean hasTimeToLive(DynamoDbClient client, String table, String attribute) {
    TimeToLiveDescription live =
        client.describeTimeToLive(describe -> describe.tableName(table)).timeToLiveDescription();
    boolean on =
        live.timeToLiveStatus() == TimeToLiveStatus.ENABLED
            || live.timeToLiveStatus() == TimeToLiveStatus.ENABLING;
    if (on) {
      SchemaValidator.checkTimeToLive(table, attribute, live.attributeName());
    }
    return on;
  }

  private CreateTableRequest emails() {
    return CreateTableRequest.builder()
        .tableName(table)
        .billingMode(BillingMode.PAY_PER_REQUEST)
        .attributeDefinitions(
            List.of(
                    AttributeNames.ID,
                    AttributeNames.STATUS,
                    AttributeNames.QUEUE,
                    AttributeNames.DUE,
                    AttributeNames.DAY)
                .stream()
                .map(DynamoDbSchema::text)
                .toList())
        .keySchema(key(AttributeNames.ID, AttributeNames.STATUS))
        .globalSecondaryIndexes(
            GlobalSecondaryIndex.builder()
                .indexName(AttributeNames.QUEUE_INDEX)
                .keySchema(key(AttributeNames.QUEUE, AttributeNames.DUE))
                .projection(
                    Projection.builder()
                        .projectionType(ProjectionType.INCLUDE)
                        .nonKeyAttributes(
                            AttributeNames.TOKEN, AttributeNames.SIZE, AttributeNames.CREATED)
                        .build())
                .build(),
            GlobalSecondaryIndex.builder()
                .indexName(AttributeNames.DAY_INDEX)
                .keySchema(key(AttributeNames.DAY, AttributeNames.ID))
                .projection(Projection.builder().projectionType(ProjectionType.KEYS_ONLY).build())
                .build())
        .build();
  }

  private CreateTableRequest log() {
    return CreateTableRequest.builder()
        .tableName(logTable)
        .billingMode(BillingMode.PAY_PER_REQUEST)
        .attributeDefinitions(text(AttributeNames.LOG_DAY), text(AttributeNames.LOG_ID))
        .keySchema(key(AttributeNames.LOG_DAY, AttributeNames.LOG_ID))
        .build();
  }

  private static AttributeDefinition text(String name) {
    return AttributeDefinition.builder()
        .attributeName(name)
        .attributeType(ScalarAttributeType.S)
        .build();
  }

  private static List<KeySchemaElement> key(String partition, String sort) {
    return List.of(
        KeySchemaElement.builder().attributeName(partition).keyType(KeyType.HASH).build(),
        KeySchemaElement.builder().attributeName(sort).keyType(KeyType.RANGE).build());
  }

  /** Returns both tables as a CloudFormation template in YAML. */
  public String cloudFormation() {
    return "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n"
        + resource("OutboxEmails", emails(), AttributeNames.TTL)
        + resource("OutboxLog", log(), AttributeNames.EXPIRES);
  }

  private static String resource(String name, CreateTableRequest table, String ttl) {
    String definitions =
        table.attributeDefinitions().stream()
            .map(
                each ->
                    "        - AttributeName: %s\n          AttributeType: %s\n"
                        .formatted(each.attributeName(), each.attributeTypeAsString()))
            .collect(Collectors.joining());
    String indexes =
        table.globalSecondaryIndexes().stream()
            .map(DynamoDbSchema::index)
            .collect(Collectors.joining());
    return """
          %s:
            Type: AWS::DynamoDB::Table
            DeletionPolicy: Retain
            UpdateReplacePolicy: Retain
            Properties:
              TableName: %s
              BillingMode: %s
              AttributeDefinitions:
        %s      KeySchema:
        %s%s      TimeToLiveSpecification:
                AttributeName: %s
                Enabled: true
        """
        .formatted(
            name,
            table.tableName(),
            table.billingModeAsString(),
            definitions,
            keySchema(table.keySchema(), "        "),
            indexes.isEmpty() ? "" : "      GlobalSecondaryIndexes:\n" + indexes,
            ttl);
  }

  private static String index(GlobalSecondaryIndex index) {
    Projection projection = index.projection();
    String included =
        projection.nonKeyAttributes().stream()
            .map("              - %s\n"::formatted)
            .collect(Collectors.joining());
    return "        - IndexName: %s\n          KeySchema:\n".formatted(index.indexName())
        + keySchema(index.keySchema(), "            ")
        + "          Projection:\n            ProjectionType: %s\n"
            .formatted(projection.projectionTypeAsString())
        + (included.isEmpty() ? "" : "            NonKeyAttributes:\n" + included);
  }

  private static String keySchema(List<KeySchemaElement> keys, String indent) {
    return keys.stream()
        .map(
            each ->
                "%s- AttributeName: %s\n%s  KeyType: %s\n"
                    .formatted(indent, each.attributeName(), indent, each.keyTypeAsString()))
        .collect(Collectors.joining());
  }
}
