package dev.outbox.examples;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import dev.outbox.store.OutboxStore;
import dev.outbox.template.Templates;
import dev.outbox.testkit.InMemoryStore;
import java.util.Map;

/** Stores three emails, sends them to the console, and shows what the outbox knows of one. */
public final class QuickStart {

  private QuickStart() {}

  /** Runs the example: in memory, or with the argument {@code dynamodb} on DynamoDB Local. */
  public static void main(String[] args) throws InterruptedException {
    if (args.length == 0) {
      run(new InMemoryStore());
    } else if (args[0].equals("dynamodb")) {
      try (LocalDynamoDb local = LocalDynamoDb.start()) {
        run(local.store());
      }
      System.exit(0); // DynamoDB Local leaves a thread behind when it is stopped
    } else {
      throw new IllegalArgumentException("store: want none or dynamodb, is " + args[0]);
    }
  }

  static void run(OutboxStore store) throws InterruptedException {
    ConsoleTransport console = new ConsoleTransport(3);
    Outbox outbox =
        Outbox.builder(store)
            .transport(console)
            .templates(Templates.classpath("mail"))
            .defaultFrom("Shop <shop@example.com>")
            .build()
            .start();

    outbox.send(
        "ada@example.com", "shop@example.com", "Order 42", "order-confirmed", Map.of("id", 42));

    Email confirmation =
        Email.to("bob@example.com")
            .template("order-confirmed", new Order(43))
            .idempotencyKey("order-43-confirmed")
            .build();
    Receipt first = outbox.send(confirmation);
    Receipt second = outbox.send(confirmation);
    outbox.send(Email.to("cy@example.com").subject("Hello").text("No template needed.").build());

    console.await();
    outbox.close(); // what is on its way ends and is recorded

    System.out.printf("The same request twice is one email: %b%n", first.id().equals(second.id()));
    outbox
        .history(first.id())
        .forEach(entry -> System.out.printf("%s %s%n", entry.at(), entry.state().wireName()));
  }

  /** What the template prints. */
  record Order(int id) {}
}
