package dev.outbox.dynamodb;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** Compares a table that is there with what the store needs; more than that does no harm. */
final class SchemaValidator {

  private SchemaValidator() {}

  /**
   * Returns quietly if a table will do.
   *
   * @throws IllegalStateException that names the table and the difference
   */
  static void check(CreateTableRequest wanted, TableDescription found) {
    String name = wanted.tableName();
    checkKeys("table " + name, wanted.keySchema(), found.keySchema());
    for (GlobalSecondaryIndex index : wanted.globalSecondaryIndexes()) {
      GlobalSecondaryIndexDescription there =
          found.globalSecondaryIndexes().stream()
              .filter(each -> each.indexName().equals(index.indexName()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalStateException(
                          "table %s: has no index %s".formatted(name, index.indexName())));
      check("table %s, index %s".formatted(name, index.indexName()), index, there);
    }
    require(
        found.attributeDefinitions().containsAll(wanted.attributeDefinitions()),
        "table %s: want text as the type of all keys".formatted(name));
  }

  private static void check(
      String place, GlobalSecondaryIndex wanted, GlobalSecondaryIndexDescription found) {
    checkKeys(place, wanted.keySchema(), found.keySchema());
    Set<String> missing = new TreeSet<>(wanted.projection().nonKeyAttributes());
    missing.removeAll(found.projection().nonKeyAttributes());
    require(
        found.projection().projectionType() == ProjectionType.ALL || missing.isEmpty(),
        "%s: does not project %s".formatted(place, missing));
  }

  private static void checkKeys(
      String place, List<KeySchemaElement> wanted, List<KeySchemaElement> found) {
    require(
        wanted.equals(found),
        "%s: want the keys %s, has %s".formatted(place, names(wanted), names(found)));
  }

  /** Refuses a time to live by another attribute: waiting emails could be deleted by it. */
  static void checkTimeToLive(String table, String wanted, String found) {
    require(
        wanted.equals(found),
        "table %s: want the time to live in %s, is in %s".formatted(table, wanted, found));
  }

  private static List<String> names(List<KeySchemaElement> keys) {
    return keys.stream().map(KeySchemaElement::attributeName).toList();
  }

  private static void require(boolean holds, String difference) {
    if (!holds) {
      throw new IllegalStateException(difference);
    }
  }
}
