package dev.outbox.dynamodb;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Tables that somebody has made otherwise. */
record OtherTables(DynamoDbClient client) {

  void make(String name, List<String> keys, GlobalSecondaryIndex... indexes) {
    Set<String> attributes = new TreeSet<>(keys);
    for (GlobalSecondaryIndex index : indexes) {
      index.keySchema().forEach(key -> attributes.add(key.attributeName()));
    }
    client.createTable(
        table ->
            table
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                    attributes.stream()
                        .map(
                            each ->
                                AttributeDefinition.builder()
                                    .attributeName(each)
                                    .attributeType(ScalarAttributeType.S)
                                    .build())
                        .toList())
                .keySchema(key(keys.get(0), keys.get(1)))
                .globalSecondaryIndexes(indexes.length == 0 ? null : List.of(indexes)));
  }

  static GlobalSecondaryIndex index(
      String name, String partition, String sort, ProjectionType projected) {
    return GlobalSecondaryIndex.builder()
        .indexName(name)
        .keySchema(key(partition, sort))
        .projection(projection -> projection.projectionType(projected))
        .build();
  }

  private static List<KeySchemaElement> key(String partition, String sort) {
    return List.of(
        KeySchemaElement.builder().attributeName(partition).keyType(KeyType.HASH).build(),
        KeySchemaElement.builder().attributeName(sort).keyType(KeyType.RANGE).build());
  }
}
