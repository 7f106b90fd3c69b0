package dev.outbox.verification.kill;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.Receipt;
import dev.outbox.template.Templates;
import dev.outbox.testkit.RecordingTransport;
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A process that stores emails, one of them with a rendered subject of a given length, and sends
 * them once the line {@code go} arrives on its standard input. Arguments: the store, its URL, the
 * file that gets a line for each delivery, and either {@code 40 TEMPLATE LENGTH} or {@code 1}.
 */
final class BadEmailNode {

  /** The prefix of the line that names the email with the long subject. */
  static final String BAD = "bad ";

  /** The prefix of the lines that name the other emails. */
  static final String ORDINARY = "ordinary ";

  private BadEmailNode() {}

  public static void main(String[] args) throws IOException {
    SharedStore kind = SharedStore.valueOf(args[0]);
    RecordingTransport transport = new RecordingTransport();
    OutputStream deliveries = new FileOutputStream(args[2], true);
    transport.answer(
        envelope -> {
          append(deliveries, envelope.id());
          return RecordingTransport.accept(envelope);
        });
    Outbox outbox =
        Outbox.builder(kind.open(args[1]))
            .transport(transport)
            .templates(Templates.classpath("kill-mail"))
            .defaultFrom("shop@example.com")
            .lease(kind.lease())
            .build();
    List<Email> emails = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[3]); i++) {
      emails.add(Email.to("ada@example.com").subject("S " + i).text("Hello").build());
    }
    int bad = emails.size() / 2;
    if (args.length > 4) {
      String value = "N".repeat(Integer.parseInt(args[5]));
      emails.add(bad, Email.to("bob@example.com").template(args[4], Map.of("s", value)).build());
    } else {
      bad = -1;
    }
    List<Receipt> receipts = outbox.sendAll(emails);
    for (int i = 0; i < receipts.size(); i++) {
      System.out.println((i == bad ? BAD : ORDINARY) + receipts.get(i).id());
    }
    System.out.flush();
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    if ("go".equals(orders.readLine())) {
      outbox.start();
      orders.readLine();
    }
    outbox.close();
  }

  /** One write for each delivery, which survives the end of the process. */
  private static synchronized void append(OutputStream file, EmailId id) {
    try {
      file.write((id + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
