package dev.outbox.verification.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.OutboxBuilder;
import dev.outbox.callback.HttpCallback;
import dev.outbox.email.State;
import dev.outbox.retry.RetryPolicy;
import dev.outbox.settings.CallbackSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.smtp.SmtpRelay;
import dev.outbox.smtp.SmtpTransport;
import dev.outbox.template.Templates;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A process that sends, or asks for emails, or both, until it is told to close or is killed. */
final class NodeMain {

  static final CallbackSettings CALLBACKS =
      new CallbackSettings(3, Duration.ofMillis(500), 3, Duration.ofSeconds(2));
  static final int ATTEMPTS = 10;
  static final int WORKERS = 6;

  /** The default limit of delivery results that a node may not have recorded yet. */
  static final int UNRECORDED_RESULTS = 500;

  private static final ProcessingSettings PROCESSOR =
      ProcessingSettings.DEFAULT
          .workers(WORKERS)
          .callbackWorkers(4)
          .claims(40, 8L << 20, 80)
          .pollInterval(Duration.ofMillis(200))
          .stageTimeout(Duration.ofSeconds(40))
          .shutdownTimeout(Duration.ofSeconds(15))
          .rollingUpgradePeriod(Duration.ofSeconds(15));

  private static final ProcessingSettings FEW = PROCESSOR.claims(10, 8L << 20, 20);

  private final NodeSettings settings;
  private final @Nullable HikariDataSource only;
  private final Map<Line, Place> places = new EnumMap<>(Line.class);
  private final Map<Line, Outbox> outboxes = new EnumMap<>(Line.class);
  private final AtomicBoolean closed = new AtomicBoolean();

  private NodeMain(NodeSettings settings) {
    this.settings = settings;
    this.only = settings.store() == StoreKind.H2 ? SqlPlace.pool(settings) : null;
  }

  public static void main(String[] arguments) throws IOException {
    NodeSettings settings = NodeSettings.parse(arguments);
    NodeMain node = new NodeMain(settings);
    node.open();
    Journal journal = new Journal(settings.journal());
    Producer producer = new Producer(settings, node.places, node.outboxes, journal, NodeMain::say);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> node.close(producer), "node-close"));
    StallWatch stalls =
        new StallWatch(settings.store().times(), gap -> say(Order.STALLED + gap.toMillis()))
            .start();
    producer.start();
    say(Order.UP);
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      String[] words = order.split(" ", -1);
      switch (words[0]) {
        case Order.INTERRUPT ->
            producer.interrupt(
                Duration.ofMillis(Long.parseLong(words[1])), Long.parseLong(words[2]));
        case Order.POISON -> producer.poison(Integer.parseInt(words[1]));
        case "quiet" -> {
          producer.close();
          say("quiet");
        }
        case "pending" -> say("pending " + node.pending());
        default -> {
          stalls.close();
          node.close(producer);
          say("closed");
        }
      }
    }
  }

  /** Opens all lines, or ends: half a node would go on working, and answer nobody. */
  private void open() {
    try {
      for (Line line : Line.values()) {
        open(line);
      }
    } catch (RuntimeException e) {
      System.out.println("not opened: " + e.getClass().getName());
      Runtime.getRuntime().halt(1);
    }
  }

  private void open(Line line) {
    Place place =
        settings.store() == StoreKind.DYNAMODB
            ? new DynamoPlace(settings, line)
            : new SqlPlace(settings, line, only);
    places.put(line, place);
    OutboxBuilder builder =
        Outbox.builder(place.store())
            .templates(Templates.classpath("chaos-mail"))
            .defaultFrom("Shop <" + Request.MARK + ".shop@example.com>")
            .nodeName(settings.name())
            .lease(settings.store().times().lease())
            .processing(settings.store() == StoreKind.DYNAMODB ? FEW : PROCESSOR)
            .retries(
                RetryPolicy.exponential(Duration.ofMillis(300), Duration.ofSeconds(2), ATTEMPTS))
            .callbacks(CALLBACKS)
            .unknownOutcome(line.policy());
    if (!settings.works()) {
      outboxes.put(line, builder.build());
      return;
    }
    SmtpRelay relay =
        SmtpRelay.unprotectedPlaintext("127.0.0.1", settings.smtp())
            .helloName(settings.name() + ".chaos.test")
            .connections(6)
            .timeouts(
                new SmtpRelay.Timeouts(
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(3),
                    settings.store().times().finalReply(),
                    Duration.ofSeconds(30)));
    HttpCallback callback =
        HttpCallback.builder().allow("127.0.0.1").timeout(Duration.ofSeconds(2)).build();
    outboxes.put(
        line, builder.transport(SmtpTransport.over(relay)).callback(callback).build().start());
  }

  private long pending() {
    return outboxes.values().stream()
        .flatMap(outbox -> outbox.stats().states().entrySet().stream())
        .filter(entry -> !entry.getKey().hasOutcome() || isDue(entry.getKey()))
        .mapToLong(entry -> entry.getValue().count())
        .sum();
  }

  /** Sent mail is in the log once nobody is to be told of it. */
  private static boolean isDue(State state) {
    return state == State.SENT || state == State.CALLING_SENT_CALLBACK;
  }

  private void close(Producer producer) {
    if (closed.compareAndSet(false, true)) {
      producer.close();
      outboxes.values().forEach(Outbox::close);
      places.values().forEach(Place::close);
      if (only != null) {
        only.close();
      }
    }
  }

  private static synchronized void say(String line) {
    System.out.println(Order.ANSWER + line);
    System.out.flush();
  }
}
