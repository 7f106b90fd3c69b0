package dev.outbox.dynamodb;

import dev.outbox.store.StoreException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** Names the item for which DynamoDB refuses a transaction. */
final class RejectedItemFinder {

  private RejectedItemFinder() {}

  /**
   * Returns the failure of a transaction with the key of the item that caused it: the first that
   * DynamoDB complains of, or the largest if it does not say. Keys are ids, states and digests,
   * never content.
   */
  static StoreException named(
      List<TransactWriteItem> items, List<CancellationReason> reasons, StoreException failure) {
    TransactWriteItem cause =
        IntStream.range(0, Math.min(items.size(), reasons.size()))
            .filter(i -> isComplaint(reasons.get(i).code()))
            .mapToObj(items::get)
            .findFirst()
            .orElseGet(() -> largest(items));
    Map<String, AttributeValue> item = attributes(cause);
    String key =
        Stream.of(
                AttributeNames.ID,
                AttributeNames.STATUS,
                AttributeNames.LOG_DAY,
                AttributeNames.LOG_ID)
            .flatMap(name -> Stream.ofNullable(AttributeValues.textOf(item, name)))
            .collect(Collectors.joining("/"));
    return new StoreException(
        failure.reason(),
        "%s (item %s with %d bytes)".formatted(failure.getMessage(), key, ItemSize.of(item)),
        failure.getCause());
  }

  private static boolean isComplaint(@Nullable String code) {
    return code != null && !code.equals("None") && !TransientErrors.passes(code);
  }

  private static TransactWriteItem largest(List<TransactWriteItem> items) {
    return items.stream()
        .max(Comparator.comparingLong(each -> ItemSize.of(attributes(each))))
        .orElseThrow();
  }

  private static Map<String, AttributeValue> attributes(TransactWriteItem write) {
    if (write.put() != null) {
      return write.put().item();
    }
    if (write.update() != null) {
      return write.update().key();
    }
    return write.delete() != null ? write.delete().key() : write.conditionCheck().key();
  }
}
