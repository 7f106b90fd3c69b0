package dev.outbox.examples;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.smtp.FolderTransport;
import java.nio.file.Path;

/** The README's first program. */
public final class FirstMail {

  private FirstMail() {}

  /** Runs the example. */
  public static void main(String[] args) {
    try (MySqlStore store = MySqlStore.embedded(Path.of("target/first/outbox"));
        Outbox outbox =
            Outbox.builder(store)
                .transport(new FolderTransport(Path.of("target/first/sent")))
                .defaultFrom("Shop <shop@example.com>")
                .build()) {
      Email email =
          Email.to("ada@example.com")
              .subject("Order 42")
              .text("Thank you for your order.")
              .idempotencyKey("order-42-confirmed")
              .build();
      Receipt receipt = outbox.send(email); // on disk from here on
      System.out.println("a new email: " + receipt.created());

      outbox.processDue(); // outbox.start() does this on threads of its own
      outbox.history(receipt.id()).forEach(step -> System.out.println(step.state().wireName()));
    }
  }
}
