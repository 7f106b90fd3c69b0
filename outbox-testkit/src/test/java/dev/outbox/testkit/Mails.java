package dev.outbox.testkit;

import dev.outbox.OutboxBuilder;
import dev.outbox.email.Email;
import dev.outbox.email.EmailBuilder;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.template.Templates;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Emails, and looks at them, that many tests of the engine want. */
final class Mails {

  /** What no text that may be logged is allowed to show. */
  static final List<String> PERSONAL =
      List.of("ada@", "bob", "example.com", "Subject of Ada", "Body of Ada", "secret", "mailbox");

  static final Map<String, Object> WELCOME = Map.of("name", "Ada", "code", 42);

  private Mails() {}

  static Email plain() {
    return to("ada@example.com").build();
  }

  static EmailBuilder to(String... addresses) {
    return Email.to(addresses).subject("Subject of Ada").text("Body of Ada");
  }

  static List<Email> many(int number) {
    return IntStream.range(0, number)
        .mapToObj(i -> to("ada" + i + "@example.com").build())
        .toList();
  }

  static OutboxBuilder templates(OutboxBuilder builder) {
    return builder.templates(Templates.classpath("engine"));
  }

  static EmailSummary summary(TestOutbox mail, EmailId id) {
    return mail.outbox().find(id).orElseThrow().summary();
  }

  /** Answers for each recipient as a rule says, with a reply that shows the address. */
  static Function<Envelope, DeliveryResult> each(Map<String, Status> rule) {
    return envelope ->
        new DeliveryResult.Answered(
            envelope.recipients().stream()
                .map(
                    address ->
                        new RecipientResult(
                            address.email(),
                            rule.getOrDefault(address.email(), Status.ACCEPTED),
                            "reply about mailbox " + address.email()))
                .toList(),
            "reply for " + envelope.recipients().size());
  }

  /** Throws what a language without checked exceptions can throw from anywhere. */
  @SuppressWarnings("unchecked")
  static <T extends Throwable> RuntimeException sneaky(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
