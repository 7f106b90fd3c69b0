package dev.outbox.verification.chaos;

import dev.outbox.email.State;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads the tables of a line by plain scans. */
final class DynamoTables {

  private static final String KEY = "KEY#";
  private static final String STEP = "STATE#";

  private DynamoTables() {}

  static Tables read(DynamoDbClient client, Line line) {
    List<EmailFacts> emails = new ArrayList<>();
    Map<String, TreeMap<String, HistoryStep>> history = new HashMap<>();
    Map<String, String> keys = new HashMap<>();
    for (Map<String, AttributeValue> item : scan(client, line.table())) {
      String id = text(item, "Id", "");
      String status = text(item, "Status", "");
      if (status.equals("_META")) {
        emails.add(facts(item, id, false));
      } else if (status.startsWith(STEP)) {
        history.computeIfAbsent(id, each -> new TreeMap<>()).put(status, step(item));
      } else if (id.startsWith(KEY)) {
        keys.put(id.substring(KEY.length()), text(item, "Email", ""));
      }
    }
    for (Map<String, AttributeValue> item : scan(client, line.table() + "-log")) {
      emails.add(facts(item, text(item, "ID", ""), true));
    }
    Map<String, List<HistoryStep>> steps = new HashMap<>();
    history.forEach((id, each) -> steps.put(id, List.copyOf(each.values())));
    return new Tables(emails, steps, keys);
  }

  static long pending(DynamoDbClient client, Line line) {
    return read(client, line).emails().stream()
        .filter(email -> !email.archived() && (email.waits() || !email.state().hasOutcome()))
        .count();
  }

  private static Iterable<Map<String, AttributeValue>> scan(DynamoDbClient client, String table) {
    return client.scanPaginator(scan -> scan.tableName(table).consistentRead(true)).items();
  }

  private static EmailFacts facts(Map<String, AttributeValue> item, String id, boolean archived) {
    AttributeValue headline = item.get("Headline");
    int[] counters =
        Arrays.stream(numbers(text(item, "Progress", "0 0 0 0")))
            .mapToInt(Integer::parseInt)
            .toArray();
    return new EmailFacts(
        id,
        archived,
        state(item),
        text(item, "Code"),
        new EmailFacts.Counters(counters[0], counters[1], counters[2], counters[3]),
        !archived
            && (item.containsKey("Owner") || !text(item, "Due", "SETTLED#").startsWith("SETTLED#")),
        headline == null ? null : headline.toString(),
        headline != null && headline.hasM() ? text(headline.m(), "Subject") : null,
        item.containsKey("Size"),
        text(item, "CallbackUrl"),
        text(item, "Key"));
  }

  /** A row that the program has spoilt may have anything there. */
  private static String[] numbers(String progress) {
    return progress.matches("\\d+ \\d+ \\d+ \\d+")
        ? progress.split(" ", -1)
        : new String[] {"0", "0", "0", "0"};
  }

  private static State state(Map<String, AttributeValue> item) {
    AttributeValue attributes = item.get("Attributes");
    String latest =
        attributes == null || !attributes.hasM() ? null : text(attributes.m(), "Latest");
    return State.ofWireName(String.valueOf(latest)).orElseThrow();
  }

  private static HistoryStep step(Map<String, AttributeValue> item) {
    AttributeValue at = item.get("At");
    return new HistoryStep(
        State.ofWireName(text(item, "From", "")).orElseThrow(),
        State.ofWireName(text(item, "To", "")).orElseThrow(),
        Instant.EPOCH.plus(at == null ? 0 : Long.parseLong(at.n()), ChronoUnit.MICROS),
        text(item, "Node"),
        text(item, "Reason"));
  }

  private static @Nullable String text(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null ? null : value.s();
  }

  private static String text(Map<String, AttributeValue> item, String name, String otherwise) {
    String value = text(item, name);
    return value == null ? otherwise : value;
  }
}
