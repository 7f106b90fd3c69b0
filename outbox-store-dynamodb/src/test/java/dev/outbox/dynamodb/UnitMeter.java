package dev.outbox.dynamodb;

import dev.outbox.testsupport.LocalDynamo;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * Counts request units. Reads are what DynamoDB Local says they consumed. Of writes it tells too
 * little (nothing about statements, and wrong numbers about transactions), so they are counted by
 * the published rules from what each item and each index entry was before and is after.
 */
final class UnitMeter implements ExecutionInterceptor {

  private static final ExecutionAttribute<Map<Place, Map<String, AttributeValue>>> BEFORE =
      new ExecutionAttribute<>("before");
  private static final Map<String, List<String>> INDEXES =
      Map.of(
          AttributeNames.QUEUE,
          List.of("Queue", "Due", "Id", "Status", "Token", "Size", "Created"),
          AttributeNames.DAY,
          List.of("Day", "Id", "Status"));

  private final DynamoDbClient plain = LocalDynamo.client();
  private final String emails;
  private final LongAdder writes = new LongAdder();
  private final DoubleAdder reads = new DoubleAdder();
  private final AtomicInteger writeRequests = new AtomicInteger();
  private final AtomicInteger readRequests = new AtomicInteger();

  UnitMeter(String emails) {
    this.emails = emails;
  }

  /** What was counted since the last time. */
  record Units(long writes, double reads, int writeRequests, int readRequests) {}

  Units take() {
    return new Units(
        writes.sumThenReset(),
        reads.sumThenReset(),
        writeRequests.getAndSet(0),
        readRequests.getAndSet(0));
  }

  /** One item of one table. */
  private record Place(String table, Map<String, AttributeValue> key) {}

  @Override
  public SdkRequest modifyRequest(
      Context.ModifyRequest context, ExecutionAttributes executionAttributes) {
    SdkRequest request = context.request();
    ReturnConsumedCapacity total = ReturnConsumedCapacity.TOTAL;
    if (request instanceof QueryRequest query) {
      return query.toBuilder().returnConsumedCapacity(total).build();
    }
    if (request instanceof GetItemRequest get) {
      return get.toBuilder().returnConsumedCapacity(total).build();
    }
    return request instanceof BatchGetItemRequest get
        ? get.toBuilder().returnConsumedCapacity(total).build()
        : request;
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes executionAttributes) {
    executionAttributes.putAttribute(BEFORE, look(places(context.request())));
  }

  @Override
  public void afterExecution(
      Context.AfterExecution context, ExecutionAttributes executionAttributes) {
    if (context.response() instanceof QueryResponse answer) {
      read(answer.consumedCapacity(), ((QueryRequest) context.request()).consistentRead());
    } else if (context.response() instanceof GetItemResponse answer) {
      read(answer.consumedCapacity(), ((GetItemRequest) context.request()).consistentRead());
    } else if (context.response() instanceof BatchGetItemResponse answer) {
      reads.add(answer.consumedCapacity().stream().mapToDouble(c -> c.capacityUnits()).sum());
      reads.add(missing((BatchGetItemRequest) context.request(), answer));
      readRequests.incrementAndGet();
    } else {
      written(context.request(), executionAttributes.getAttribute(BEFORE));
    }
  }

  /** Looking for an item that is not there costs a unit too, which DynamoDB Local forgets. */
  private static int missing(BatchGetItemRequest request, BatchGetItemResponse answer) {
    int wanted = request.requestItems().values().stream().mapToInt(k -> k.keys().size()).sum();
    return wanted - answer.responses().values().stream().mapToInt(List::size).sum();
  }

  /** Reading nothing costs as much as reading little. */
  private void read(ConsumedCapacity consumed, @Nullable Boolean consistent) {
    reads.add(Math.max(Boolean.TRUE.equals(consistent) ? 1 : 0.5, consumed.capacityUnits()));
    readRequests.incrementAndGet();
  }

  private void written(SdkRequest request, Map<Place, Map<String, AttributeValue>> before) {
    Set<Place> places = places(request);
    Map<Place, Map<String, AttributeValue>> after = look(places);
    int factor = request instanceof TransactWriteItemsRequest ? 2 : 1;
    for (Place place : places) {
      Map<String, AttributeValue> old = before.getOrDefault(place, Map.of());
      Map<String, AttributeValue> now = after.getOrDefault(place, Map.of());
      writes.add(factor * units(Math.max(size(old), size(now))));
      if (place.table.equals(emails)) {
        INDEXES.forEach((key, projected) -> writes.add(index(key, projected, old, now)));
      }
    }
    writeRequests.incrementAndGet();
  }

  /** An entry that moves is deleted and put; one whose attributes stay costs nothing. */
  private static long index(
      String key,
      List<String> projected,
      Map<String, AttributeValue> old,
      Map<String, AttributeValue> now) {
    Map<String, AttributeValue> before = entry(key, projected, old);
    Map<String, AttributeValue> after = entry(key, projected, now);
    if (before.equals(after)) {
      return 0;
    }
    boolean moves =
        projected.subList(0, 2).stream()
            .anyMatch(name -> !Objects.equals(before.get(name), after.get(name)));
    long deleted = before.isEmpty() || !moves ? 0 : units(size(before));
    return deleted + (after.isEmpty() ? 0 : units(size(after)));
  }

  private static Map<String, AttributeValue> entry(
      String key, List<String> projected, Map<String, AttributeValue> item) {
    Map<String, AttributeValue> entry = new HashMap<>(item);
    entry.keySet().retainAll(projected);
    return item.containsKey(key) ? entry : Map.of();
  }

  private Set<Place> places(SdkRequest request) {
    Set<Place> places = new LinkedHashSet<>();
    if (request instanceof TransactWriteItemsRequest transaction) {
      transaction.transactItems().forEach(item -> places.add(place(item)));
    } else if (request instanceof BatchExecuteStatementRequest batch) {
      batch
          .statements()
          .forEach(
              statement ->
                  statement.parameters().stream()
                      .filter(value -> value.s() != null && value.s().length() == 36)
                      .forEach(
                          id ->
                              places.add(new Place(emails, AttributeValues.key(id.s(), "_META")))));
    }
    return places;
  }

  private Place place(TransactWriteItem item) {
    if (item.put() != null) {
      Map<String, AttributeValue> key = new HashMap<>(item.put().item());
      key.keySet()
          .retainAll(
              item.put().tableName().equals(emails)
                  ? List.of("Id", "Status")
                  : List.of("CreatedDate", "ID"));
      return new Place(item.put().tableName(), key);
    }
    return item.delete() != null
        ? new Place(item.delete().tableName(), item.delete().key())
        : new Place(item.update().tableName(), item.update().key());
  }

  private Map<Place, Map<String, AttributeValue>> look(Set<Place> places) {
    Map<Place, Map<String, AttributeValue>> found = new HashMap<>();
    for (Place place : places) {
      found.put(
          place,
          plain.getItem(g -> g.tableName(place.table).key(place.key).consistentRead(true)).item());
    }
    return found;
  }

  private static long units(long bytes) {
    return Math.max(1, (bytes + 1023) / 1024);
  }

  /** The size of an item by the published rules. */
  static long size(Map<String, AttributeValue> item) {
    return item.entrySet().stream().mapToLong(e -> bytes(e.getKey()) + size(e.getValue())).sum();
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static long size(AttributeValue value) {
    return switch (value.type()) {
      case S -> bytes(value.s());
      case N -> value.n().length() / 2 + 2;
      case B -> value.b().asByteArrayUnsafe().length;
      case SS -> value.ss().stream().mapToLong(UnitMeter::bytes).sum();
      case M -> 3 + size(value.m()) + value.m().size();
      case L -> 3 + value.l().stream().mapToLong(each -> 1 + size(each)).sum();
      default -> throw new IllegalStateException("not used here: " + value.type());
    };
  }
}
