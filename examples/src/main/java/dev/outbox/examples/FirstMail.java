package dev.outbox.examples;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.RecordingTransport;

/** The README's first program. */
public final class FirstMail {

  private FirstMail() {}

  /** Runs the example. */
  public static void main(String[] args) {
    RecordingTransport relay = new RecordingTransport();
    Outbox outbox =
        Outbox.builder(new InMemoryStore())
            .transport(relay)
            .defaultFrom("Shop <shop@example.com>")
            .build();

    Email email =
        Email.to("ada@example.com")
            .subject("Order 42")
            .text("Thank you for your order.")
            .idempotencyKey("order-42-confirmed")
            .build();
    Receipt first = outbox.send(email); // safe from here on
    Receipt again = outbox.send(email); // the same request is the same email

    outbox.processDue(); // outbox.start() does this on threads of its own
    System.out.println("sent: " + relay.sent().size());
    System.out.println("one email: " + first.id().equals(again.id()));
    outbox.history(first.id()).forEach(step -> System.out.println(step.state().wireName()));
    outbox.close();
  }
}
