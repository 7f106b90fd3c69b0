package dev.outbox.benchmarks;

import dev.outbox.email.Address;
import dev.outbox.email.EmailId;
import dev.outbox.email.Recipients;
import dev.outbox.transport.RenderedMessage;
import java.time.Instant;
import java.util.List;

/** The email that everybody sends: text and html, about 2.4 KB. */
final class SampleMail {

  static final String FROM = "shop@example.com";
  static final String TO = "ada@example.com";
  static final String SUBJECT = "Your order 4711 has been confirmed";

  static final String TEXT =
      "Dear Ada,\n\nthank you for your order 4711. It will leave our house tomorrow.\n\n"
          + "2 x Analytical Engine, brass       1,200.00\n1 x Difference Engine, steel         800.00\n"
              .repeat(5)
          + "\nYours,\nthe shop\n";

  static final String HTML =
      "<!DOCTYPE html><html><head><title>Order</title></head><body>\n"
          + "<h1>Thank you, Ada</h1>\n<p>Your order 4711 will leave our house tomorrow.</p>\n<table>\n"
          + "<tr><td>2 x Analytical Engine, brass</td><td class=\"price\">1,200.00</td></tr>\n"
              .repeat(15)
          + "</table>\n<p>Yours,<br>the shop</p>\n</body></html>\n";

  private static final Address SENDER = new Address("Shop", "shop", "example.com");
  private static final Address RECIPIENT = new Address("Ada Lovelace", "ada", "example.com");

  private SampleMail() {}

  /** Returns it as an outbox hands it to a transport, with an id of its own. */
  static RenderedMessage message() {
    return new RenderedMessage(
        EmailId.next(),
        Instant.now(),
        SENDER,
        Recipients.of(RECIPIENT),
        List.of(),
        SUBJECT,
        HTML,
        TEXT,
        List.of(),
        List.of());
  }
}
