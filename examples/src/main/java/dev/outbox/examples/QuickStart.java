package dev.outbox.examples;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.store.OutboxStore;
import dev.outbox.template.Templates;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Stores twenty emails in a file and prints them, a few a second. Kill it half way and start it
 * again: the rest is sent, and nothing is stored twice.
 */
public final class QuickStart {

  private static final int ORDERS = 20;

  private QuickStart() {}

  /**
   * Runs the example, with the file as its only argument, or {@code dynamodb} instead of a file.
   */
  public static void main(String[] args) throws InterruptedException {
    if (args.length > 0 && args[0].equals("dynamodb")) {
      try (LocalDynamoDb local = LocalDynamoDb.start()) {
        run(local.store(), "DynamoDB Local");
      }
      System.exit(0); // DynamoDB Local leaves a thread behind when it is stopped
    }
    Path file = Path.of(args.length > 0 ? args[0] : "target/quickstart/outbox");
    try (MySqlStore store = MySqlStore.embedded(file)) {
      run(store, file.toString());
    }
  }

  private static void run(OutboxStore store, String place) throws InterruptedException {
    try (Outbox outbox =
        Outbox.builder(store)
            .transport(new ConsoleTransport(Duration.ofMillis(250)))
            .templates(Templates.classpath("mail"))
            .defaultFrom("Shop <shop@example.com>")
            .workers(1)
            .lease(new LeaseSettings(Duration.ofMillis(500), Duration.ofSeconds(3)))
            .build()
            .start()) {
      List<Receipt> receipts = outbox.sendAll(confirmations());
      long known = receipts.stream().filter(receipt -> !receipt.created()).count();
      System.out.printf("%d emails are safe in %s, %d from before%n", ORDERS, place, known);

      while (!outbox.stats().states().isEmpty()) {
        Thread.sleep(100);
      }
      outbox
          .history(receipts.get(0).id())
          .forEach(step -> System.out.printf("%s %s%n", step.at(), step.state().wireName()));
    }
  }

  private static List<Email> confirmations() {
    return IntStream.rangeClosed(1, ORDERS)
        .mapToObj(
            id ->
                Email.to("ada@example.com")
                    .template("order-confirmed", new Order(id))
                    .idempotencyKey("order-%d-confirmed".formatted(id))
                    .build())
        .toList();
  }

  /** What the template prints. */
  record Order(int id) {}
}
