package dev.outbox.verification.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.OutboxBuilder;
import dev.outbox.email.EmailLimits;
import dev.outbox.monitoring.OutboxMetrics;
import dev.outbox.settings.CallbackSettings;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.ReapPolicy;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.verification.reactor.Repository;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The table of defaults in docs/operating.md is what the code does. */
class DefaultsTableTest {

  private static final String FIXED = "fixed";

  /** The constants behind the rows that cannot be set, as class and name. */
  private static final Map<String, String> CONSTANTS =
      Map.ofEntries(
          Map.entry(
              "longest wait a callback's host may ask for", "internal.stage.CallbackStage.MOST"),
          Map.entry(
              "longest wait of a callback for a thread", "internal.run.ReceiverBulkhead.PATIENCE"),
          Map.entry(
              "longest time a callback goes back for", "internal.run.ReceiverBulkhead.LONGEST"),
          Map.entry("looks for emails claimed alone", "internal.run.ClaimLoop.SUSPECTS_EVERY"),
          Map.entry("shortest postponement", "internal.stage.DeliveryStage.MOMENT"),
          Map.entry("intake threads", "internal.run.Dispatcher.INTAKE_WORKERS"),
          Map.entry("intake group", "internal.run.Dispatcher.INTAKE_GROUP"),
          Map.entry("linger", "internal.run.ProcessingNode.LINGER"),
          Map.entry("results recorded at once", "internal.record.CompletionBatcher.ENOUGH"),
          Map.entry("most results recorded at once", "internal.record.CompletionBatcher.MOST"),
          Map.entry("emails taken from a dead node at once", "internal.run.Heartbeat.REAP_SIZE"),
          Map.entry("emails pruned at once", "internal.run.Maintenance.PRUNE_SIZE"),
          Map.entry("pruning", "internal.run.Maintenance.PRUNE_EVERY"),
          Map.entry("backlog figures", "internal.run.Maintenance.BACKLOG_EVERY"),
          Map.entry("events waiting for subscribers", "internal.event.EventPublisher.CAPACITY"),
          Map.entry(
              "events of such batches waiting for subscribers",
              "internal.event.EventPublisher.BATCH_CAPACITY"),
          Map.entry("events at closing", "internal.OutboxEngine.EVENTS_PATIENCE"),
          Map.entry("connections at closing", "internal.run.ProcessingNode.SOCKET_PATIENCE"),
          Map.entry("stats are exact up to", "store.StateCount.EXACT_UP_TO"),
          Map.entry("longest subject", "email.EmailLimits.MAX_SUBJECT"),
          Map.entry("headers of the host's own", "email.EmailLimits.MAX_HEADERS"),
          Map.entry("longest idempotency key or request id", "email.SendOptions.MAX_KEY"),
          Map.entry("tags", "email.SendOptions.MAX_TAGS"),
          Map.entry("longest tag", "email.SendOptions.MAX_TAG"),
          Map.entry("longest callback URL", "email.SendOptions.MAX_URL"));

  /** A row without its meaning. */
  private record Row(String value, String where) {}

  @Test
  void everyDefaultHasItsRowAndEveryRowItsDefault() throws Exception {
    Map<String, Row> expected = new TreeMap<>();
    addRecord(expected, "lease", LeaseSettings.DEFAULT);
    addRecord(expected, "processing", ProcessingSettings.DEFAULT);
    addRecord(expected, "retention", RetentionSettings.DEFAULT);
    addRecord(expected, "limits", EmailLimits.DEFAULT);
    addRecord(expected, "callbacks", CallbackSettings.DEFAULT);
    addReaping(expected);
    addBuilder(expected);
    for (Map.Entry<String, String> constant : CONSTANTS.entrySet()) {
      expected.put(constant.getKey(), new Row(shown(constant(constant.getValue())), FIXED));
    }

    assertThat(table()).containsExactlyInAnyOrderEntriesOf(expected);
  }

  @Test
  void everySettingOfTheBuilderIsInTheTable() throws IOException {
    String table = String.join("\n", lines());
    assertThat(setters()).isNotEmpty();
    for (Method setter : setters()) {
      assertThat(table).contains("`" + signature(setter) + "`");
    }
  }

  private static void addRecord(Map<String, Row> rows, String setting, Record defaults)
      throws ReflectiveOperationException {
    Method setter = OutboxBuilder.class.getMethod(setting, defaults.getClass());
    for (RecordComponent component : defaults.getClass().getRecordComponents()) {
      String name = setting + "." + component.getName();
      Object value = component.getAccessor().invoke(defaults);
      String where = "`" + signature(setter) + "`";
      boolean isShort = name.equals("processing.workers");
      rows.put(
          "`" + name + "`",
          new Row(
              component.getName().endsWith("Bytes")
                  ? bytes(((Number) value).longValue())
                  : shown(value),
              isShort ? "`workers(int)` or " + where : where));
    }
  }

  private static void addReaping(Map<String, Row> rows) {
    ReapPolicy policy = ReapPolicy.DEFAULT;
    assertThat(ReapPolicy.class.getRecordComponents()).hasSize(3);
    rows.put(
        "deaths before an email is claimed alone", new Row(shown(policy.isolateAfter()), FIXED));
    rows.put("deaths before an email is given up", new Row(shown(policy.failAfter()), FIXED));
    rows.put(
        "`unknownOutcome`",
        new Row(policy.unknownOutcome().name(), "`unknownOutcome(UnknownOutcomePolicy)`"));
  }

  /** Adds a row for each field of the builder that is not a group of settings. */
  private static void addBuilder(Map<String, Row> rows) throws ReflectiveOperationException {
    OutboxBuilder builder = Outbox.builder(new InMemoryStore());
    Map<String, String> named = Map.of("bus", "eventBus", "nanos", "monotonicClock");
    for (Field field : OutboxBuilder.class.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers())
          || (field.getType().isRecord() && isGroup(field.getType()))
          || field.getName().equals("store")) {
        continue;
      }
      field.setAccessible(true);
      String name = named.getOrDefault(field.getName(), field.getName());
      Method setter =
          setters().stream().filter(each -> each.getName().equals(name)).findFirst().orElseThrow();
      rows.put("`" + name + "`", new Row(own(name, field.get(builder)), signatureCell(setter)));
    }
  }

  private static boolean isGroup(Class<?> type) {
    return Arrays.stream(type.getFields()).anyMatch(field -> field.getName().equals("DEFAULT"));
  }

  private static String own(String name, @Nullable Object value) {
    if (value instanceof LongSupplier) {
      return "the system's";
    }
    if (value == null) {
      return name.equals("eventBus") ? "its own" : "none";
    }
    boolean plain = value instanceof Duration || value == OutboxMetrics.NONE;
    return plain ? shown(value) : "`" + value + "`";
  }

  private static String shown(@Nullable Object value) {
    if (value == OutboxMetrics.NONE) {
      return "none";
    }
    if (value instanceof Duration duration) {
      return time(duration);
    }
    long number = ((Number) Objects.requireNonNull(value)).longValue();
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String time(Duration time) {
    if (time.isZero()) {
      return "0";
    }
    if (time.toMillis() % 1_000 != 0) {
      return time.toMillis() + " ms";
    }
    long seconds = time.toSeconds();
    if (seconds % 86_400 == 0) {
      return seconds == 86_400 ? "1 day" : seconds / 86_400 + " days";
    }
    if (seconds % 3_600 == 0) {
      return seconds / 3_600 + " h";
    }
    return seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
  }

  private static String bytes(long size) {
    return size % (1 << 20) == 0 ? size / (1 << 20) + " MiB" : size / (1 << 10) + " KiB";
  }

  private static @Nullable Object constant(String path) throws ReflectiveOperationException {
    int dot = path.lastIndexOf('.');
    Field field =
        Class.forName("dev.outbox." + path.substring(0, dot))
            .getDeclaredField(path.substring(dot + 1));
    field.setAccessible(true);
    Object value = field.get(null);
    return value instanceof Long nanos ? Duration.ofNanos(nanos) : value;
  }

  private static List<Method> setters() {
    return Stream.of(OutboxBuilder.class.getMethods())
        .filter(method -> method.getReturnType() == OutboxBuilder.class)
        .toList();
  }

  private static String signatureCell(Method setter) {
    return "`" + signature(setter) + "`";
  }

  private static String signature(Method setter) {
    return setter.getName() + "(" + setter.getParameterTypes()[0].getSimpleName() + ")";
  }

  private static Map<String, Row> table() throws IOException {
    Map<String, Row> rows = new TreeMap<>();
    for (String line : lines()) {
      List<String> cells = new ArrayList<>();
      Stream.of(line.split("\\|", -1)).map(String::strip).forEach(cells::add);
      assertThat(cells).as(line).hasSize(6);
      assertThat(cells.get(4)).as("meaning of %s", cells.get(1)).isNotBlank();
      Row earlier = rows.put(cells.get(1), new Row(cells.get(2), cells.get(3)));
      assertThat(earlier).as("another row for %s", cells.get(1)).isNull();
    }
    return rows;
  }

  private static List<String> lines() throws IOException {
    return Files.readAllLines(Repository.root().resolve("docs/operating.md")).stream()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| setting "))
        .toList();
  }
}
