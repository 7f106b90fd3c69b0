package dev.outbox.examples;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.smtp.SmtpRelay;
import dev.outbox.smtp.SmtpTransport;
import dev.outbox.testkit.InMemoryStore;
import java.util.function.Supplier;

/**
 * Sends one email over a real relay. Arguments: host, user, sender, recipient; password in
 * SMTP_PASSWORD.
 */
public final class SendBySmtp {

  private SendBySmtp() {}

  /** Runs the example. */
  public static void main(String[] args) {
    if (args.length != 4) {
      System.out.println("arguments: host user sender recipient; password in SMTP_PASSWORD");
      return;
    }
    Supplier<String> password = () -> System.getenv().getOrDefault("SMTP_PASSWORD", "");
    String host = args[0];
    String user = args[1];
    SmtpTransport smtp = SmtpTransport.over(SmtpRelay.startTls(host, 587).login(user, password));
    try (Outbox outbox = Outbox.builder(new InMemoryStore()).transport(smtp).build()) {
      var receipt =
          outbox.send(Email.to(args[3]).from(args[2]).subject("Hello").text("It works.\n").build());
      outbox.processDue();
      outbox.history(receipt.id()).forEach(step -> System.out.println(step.state().wireName()));
    }
  }
}
