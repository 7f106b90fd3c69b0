package dev.outbox.dynamodb;

import dev.outbox.store.StoreException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** The client as the store uses it: in batches within the limits, with passing trouble repeated. */
final class DynamoDbRequests {

  /** How many items one transaction may write. */
  static final int TRANSACTION = 100;

  private static final int STATEMENTS = 25;
  private static final int READS = 100;
  private static final int WRITES = 25;

  private final DynamoDbClient client;
  private final ParallelRequests parallel;
  private final String tables;
  private final String statementsIn;

  DynamoDbRequests(DynamoDbClient client, ParallelRequests parallel, DynamoDbSettings settings) {
    this.client = client;
    this.parallel = parallel;
    this.tables = "tables %s and %s".formatted(settings.emails(), settings.log());
    this.statementsIn = "run statements in " + tables;
  }

  /** Reads an item as it is now. */
  Optional<Map<String, AttributeValue>> get(String table, Map<String, AttributeValue> key) {
    Map<String, AttributeValue> item =
        StoreRetry.read(
                "read an item of table " + table,
                () -> client.getItem(get -> get.tableName(table).key(key).consistentRead(true)))
            .item();
    return item.isEmpty() ? Optional.empty() : Optional.of(item);
  }

  /** Reads items as they are now, in any order; what is not there is missing. */
  List<Map<String, AttributeValue>> getAll(
      String table, Collection<Map<String, AttributeValue>> keys) {
    List<Map<String, AttributeValue>> distinct = List.copyOf(Map.copyOf(identity(keys)).keySet());
    return flat(parallel.each(parts(distinct, READS), part -> getPart(table, part)));
  }

  private static Map<Map<String, AttributeValue>, Boolean> identity(
      Collection<Map<String, AttributeValue>> keys) {
    Map<Map<String, AttributeValue>, Boolean> all = new HashMap<>();
    keys.forEach(key -> all.put(key, true));
    return all;
  }

  private List<Map<String, AttributeValue>> getPart(
      String table, List<Map<String, AttributeValue>> keys) {
    List<Map<String, AttributeValue>> items = new ArrayList<>();
    Map<String, KeysAndAttributes> left =
        Map.of(table, KeysAndAttributes.builder().keys(keys).consistentRead(true).build());
    for (int attempt = 0; !left.isEmpty(); attempt++) {
      Map<String, KeysAndAttributes> wanted = left;
      BatchGetItemResponse answer =
          StoreRetry.read(
              "read items of table " + table,
              () -> client.batchGetItem(get -> get.requestItems(wanted)));
      List<Map<String, AttributeValue>> found = answer.responses().getOrDefault(table, List.of());
      items.addAll(found);
      left = answer.unprocessedKeys();
      if (!left.isEmpty()) {
        // Some come because a request has its limit of size; none at all is throttling.
        attempt = found.isEmpty() ? attempt : -1;
        StoreRetry.pause("read items of table " + table, Math.max(attempt, 0), null);
      }
    }
    return items;
  }

  /** Reads one page. */
  QueryResponse page(Consumer<QueryRequest.Builder> query) {
    QueryRequest request = QueryRequest.builder().applyMutation(query).build();
    String index = request.indexName() == null ? "" : ", index " + request.indexName();
    return StoreRetry.read(
        "answer a query of table " + request.tableName() + index, () -> client.query(request));
  }

  /** Reads pages until there are no more, or enough. */
  List<Map<String, AttributeValue>> query(int limit, Consumer<QueryRequest.Builder> query) {
    List<Map<String, AttributeValue>> items = new ArrayList<>();
    Map<String, AttributeValue> from = Map.of();
    do {
      Map<String, AttributeValue> start = from;
      int wanted = limit - items.size();
      QueryResponse page =
          page(
              builder -> {
                query.accept(builder);
                builder.limit(Math.max(1, wanted));
                if (!start.isEmpty()) {
                  builder.exclusiveStartKey(start);
                }
              });
      items.addAll(page.items());
      from = page.lastEvaluatedKey();
    } while (!from.isEmpty() && items.size() < limit);
    return items;
  }

  void update(Consumer<UpdateItemRequest.Builder> update) {
    UpdateItemRequest request = UpdateItemRequest.builder().applyMutation(update).build();
    StoreRetry.run(
        "update an item of table " + request.tableName(), () -> client.updateItem(request));
  }

  void delete(String table, Map<String, AttributeValue> key) {
    StoreRetry.run(
        "delete an item of table " + table,
        () -> client.deleteItem(item -> item.tableName(table).key(key)));
  }

  /**
   * Writes all or nothing. A repetition after a lost answer carries the same token, and so changes
   * nothing.
   *
   * @return empty if all is written; else what was said about each item, one of which lost its
   *     condition
   */
  List<CancellationReason> transact(List<TransactWriteItem> items) {
    String token = UUID.randomUUID().toString();
    List<CancellationReason> refused = new ArrayList<>();
    try {
      return StoreRetry.run(
          "write a transaction to " + tables,
          () -> {
            try {
              client.transactWriteItems(
                  write -> write.transactItems(items).clientRequestToken(token));
              return List.of();
            } catch (TransactionCanceledException e) {
              if (e.cancellationReasons().stream()
                  .noneMatch(reason -> TransientErrors.LOST.equals(reason.code()))) {
                refused.addAll(e.cancellationReasons());
                throw e;
              }
              return e.cancellationReasons();
            }
          });
    } catch (StoreException e) {
      throw e.reason() == StoreException.Reason.REJECTED_DATA
          ? RejectedItemFinder.named(items, refused, e)
          : e;
    }
  }

  /** What became of a conditional update. */
  enum UpdateStatus {
    DONE,
    LOST,
    /** It does not fit the item: what is in there is not what we have written. */
    REFUSED,
    /** Its condition was not met, perhaps because an attempt whose answer was lost had made it. */
    DOUBTFUL;

    /** Returns whether it may have been made. */
    boolean mayBeMade() {
      return this == DONE || this == DOUBTFUL;
    }
  }

  /** What became of a conditional update, with the item after it if that was asked for. */
  record Updated(UpdateStatus fate, Map<String, AttributeValue> item) {}

  /**
   * Makes conditional updates of single items, each on its own, 25 to a request and several
   * requests at once.
   */
  List<Updated> statements(List<BatchStatementRequest> statements) {
    return flat(parallel.each(parts(statements, STATEMENTS), this::statementsPart));
  }

  private List<Updated> statementsPart(List<BatchStatementRequest> statements) {
    Updated[] results = new Updated[statements.size()];
    List<Integer> open = IntStream.range(0, statements.size()).boxed().toList();
    boolean repeated = false;
    for (int attempt = 0; !open.isEmpty(); attempt++) {
      List<BatchStatementRequest> request = open.stream().map(statements::get).toList();
      AtomicBoolean again = new AtomicBoolean(repeated);
      List<BatchStatementResponse> answers =
          StoreRetry.run(
              statementsIn,
              nth -> {
                again.compareAndSet(false, nth > 0);
                return client.batchExecuteStatement(batch -> batch.statements(request)).responses();
              });
      repeated = again.get();
      open = openAfter(open, answers, repeated, results);
      if (!open.isEmpty()) {
        StoreRetry.pause(statementsIn, attempt, null);
      }
    }
    return List.of(results);
  }

  private List<Integer> openAfter(
      List<Integer> asked,
      List<BatchStatementResponse> answers,
      boolean repeated,
      Updated[] results) {
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      BatchStatementResponse answer = answers.get(i);
      String code = answer.error() == null ? null : answer.error().codeAsString();
      if (code == null) {
        results[asked.get(i)] = new Updated(UpdateStatus.DONE, answer.item());
      } else if (TransientErrors.passes(code)) {
        open.add(asked.get(i));
      } else if (TransientErrors.LOST.equals(code)) {
        results[asked.get(i)] =
            new Updated(repeated ? UpdateStatus.DOUBTFUL : UpdateStatus.LOST, Map.of());
      } else if (TransientErrors.REFUSED.contains(code)) {
        results[asked.get(i)] = new Updated(UpdateStatus.REFUSED, Map.of());
      } else {
        throw new StoreException(
            ErrorClassifier.ofStatement(code),
            "DynamoDB did not %s: %s".formatted(statementsIn, ErrorHints.on(code)),
            null);
      }
    }
    return open;
  }

  /**
   * Makes updates of single items in transactions, each of which writes something else besides.
   *
   * <p>No fate is doubtful: a repetition carries the same token.
   */
  List<Updated> transactions(List<List<TransactWriteItem>> transactions) {
    return parallel.each(transactions, items -> new Updated(fate(items), Map.of()));
  }

  private UpdateStatus fate(List<TransactWriteItem> items) {
    try {
      return transact(items).isEmpty() ? UpdateStatus.DONE : UpdateStatus.LOST;
    } catch (StoreException e) {
      if (e.reason() == StoreException.Reason.REJECTED_DATA) {
        return UpdateStatus.REFUSED;
      }
      throw e;
    }
  }

  /** Puts and deletes without condition. */
  void write(String table, List<WriteRequest> writes) {
    parallel.each(parts(writes, WRITES), part -> writePart(table, part));
  }

  private int writePart(String table, List<WriteRequest> writes) {
    Map<String, List<WriteRequest>> left = Map.of(table, writes);
    for (int attempt = 0; !left.isEmpty(); attempt++) {
      Map<String, List<WriteRequest>> wanted = left;
      BatchWriteItemResponse answer =
          StoreRetry.run(
              "write items of table " + table,
              () -> client.batchWriteItem(write -> write.requestItems(wanted)));
      left = answer.unprocessedItems();
      if (!left.isEmpty()) {
        StoreRetry.pause("write items of table " + table, attempt, null);
      }
    }
    return writes.size();
  }

  static <T> List<List<T>> parts(List<T> all, int size) {
    List<List<T>> parts = new ArrayList<>();
    for (int start = 0; start < all.size(); start += size) {
      parts.add(all.subList(start, Math.min(all.size(), start + size)));
    }
    return parts;
  }

  private static <T> List<T> flat(List<List<T>> lists) {
    return lists.stream().flatMap(List::stream).toList();
  }
}
