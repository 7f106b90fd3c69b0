package com.example.shop;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.smtp.FolderTransport;
import dev.outbox.template.Templates;
import java.nio.file.Path;
import java.util.Map;

/** The README's first program. */
public final class FirstMail {

  private FirstMail() {}

  /** Stores one email and sends it, into a folder. */
  public static void main(String[] args) {
    try (MySqlStore store = MySqlStore.embedded(Path.of("target/first/outbox")); // H2; or your pool
        Outbox outbox =
            Outbox.builder(store)
                .transport(new FolderTransport(Path.of("target/first/sent"))) // or SmtpTransport
                .templates(Templates.classpath("mail"))
                .defaultFrom("Shop <shop@example.com>")
                .build()) {
      Receipt receipt =
          outbox.send(
              Email.to("ada@example.com")
                  .template("order-confirmed", Map.of("id", 42))
                  .idempotencyKey("order-42-confirmed")
                  .build()); // on disk from here on
      System.out.println("a new email: " + receipt.created());
      outbox.processDue(); // in an application: build().start(), once
      outbox.history(receipt.id()).forEach(step -> System.out.println(step.state().wireName()));
    }
  }
}
