package dev.outbox.testkit;

import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Attachment;
import dev.outbox.email.EmailSummary;
import dev.outbox.transport.RenderedMessage;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A look at the emails that were sent. Each call narrows it to those that fit, and fails when none
 * is left, with a list of everything that was sent, and of what was not and why.
 */
public final class SentEmailAssert {

  private final List<SentEmail> all;
  private final List<EmailSummary> unsent;
  private final List<SentEmail> fitting;
  private final String criteria;

  SentEmailAssert(List<SentEmail> all, List<EmailSummary> unsent) {
    this(all, unsent, all, "an email");
  }

  private SentEmailAssert(
      List<SentEmail> all, List<EmailSummary> unsent, List<SentEmail> fitting, String criteria) {
    this.all = all;
    this.unsent = unsent;
    this.fitting = fitting;
    this.criteria = criteria;
  }

  SentEmailAssert some() {
    if (fitting.isEmpty()) {
      throw new AssertionError("expected an email, found none%n%s".formatted(listing()));
    }
    return this;
  }

  void none() {
    if (!fitting.isEmpty()) {
      throw new AssertionError("expected nothing to be sent%n%s".formatted(listing()));
    }
  }

  /** Narrows to emails that went to this mailbox; upper and lower case are the same. */
  public SentEmailAssert to(String address) {
    String wanted = Address.parse("to", address).canonical();
    return narrowed(
        "to " + address,
        email -> email.recipients().stream().anyMatch(each -> each.canonical().equals(wanted)));
  }

  /** Narrows to emails from this sender. */
  public SentEmailAssert from(String address) {
    String wanted = Address.parse("from", address).canonical();
    return narrowed("from " + address, email -> email.message().from().canonical().equals(wanted));
  }

  /** Narrows to emails with exactly this subject. */
  public SentEmailAssert subject(String subject) {
    return narrowed(
        "with subject '%s'".formatted(subject), email -> email.message().subject().equals(subject));
  }

  /** Narrows to emails whose plain body has these words in it. */
  public SentEmailAssert textContains(String words) {
    return narrowed(
        "whose text contains '%s'".formatted(words),
        email -> Objects.requireNonNullElse(email.message().text(), "").contains(words));
  }

  /** Narrows to emails whose html body has these words in it. */
  public SentEmailAssert htmlContains(String words) {
    return narrowed(
        "whose html contains '%s'".formatted(words),
        email -> Objects.requireNonNullElse(email.message().html(), "").contains(words));
  }

  /** Narrows to emails with an attachment of this name. */
  public SentEmailAssert attachment(String fileName) {
    return narrowed(
        "with attachment '%s'".formatted(fileName),
        email ->
            email.message().attachments().stream()
                .map(Attachment::fileName)
                .anyMatch(fileName::equals));
  }

  /** Narrows to emails that a test of the caller's own accepts. */
  public SentEmailAssert matching(String description, Predicate<RenderedMessage> test) {
    return narrowed(description, email -> test.test(email.message()));
  }

  /**
   * Checks how many emails are left.
   *
   * @throws AssertionError if it is another number
   */
  public SentEmailAssert count(int expected) {
    if (fitting.size() != expected) {
      throw new AssertionError(
          "expected %d emails that fit, found %d%n%s"
              .formatted(expected, fitting.size(), listing()));
    }
    return this;
  }

  /** Returns the emails that are left. */
  public List<SentEmail> emails() {
    return List.copyOf(fitting);
  }

  private SentEmailAssert narrowed(String description, Predicate<SentEmail> test) {
    String wanted = criteria + (criteria.equals("an email") ? " " : ", ") + description;
    List<SentEmail> left = fitting.stream().filter(test).toList();
    if (left.isEmpty()) {
      throw new AssertionError("expected %s, found none%n%s".formatted(wanted, listing()));
    }
    return new SentEmailAssert(all, unsent, left, wanted);
  }

  private String listing() {
    String sent =
        all.isEmpty()
            ? "nothing was sent"
            : "sent were:\n"
                + all.stream().map(SentEmailAssert::line).collect(Collectors.joining("\n"));
    return unsent.isEmpty()
        ? sent
        : sent
            + "\nnot sent were:\n"
            + unsent.stream().map(SentEmailAssert::line).collect(Collectors.joining("\n"));
  }

  private static String line(SentEmail email) {
    RenderedMessage message = email.message();
    return "  to %s, from %s, subject '%s', text '%s', html '%s', attachments %s"
        .formatted(
            email.recipients().stream().map(Address::email).collect(Collectors.joining(", ")),
            message.from().email(),
            message.subject(),
            shown(message.text()),
            shown(message.html()),
            message.attachments().stream().map(Attachment::fileName).toList());
  }

  private static String line(EmailSummary email) {
    AddressesAndSubject addressesAndSubject = email.addressesAndSubject();
    return "  to %s: %s%s, %s"
        .formatted(
            addressesAndSubject == null
                ? "somebody erased"
                : addressesAndSubject.recipients().all().stream()
                    .map(Address::email)
                    .collect(Collectors.joining(", ")),
            email.state().wireName(),
            email.code() == null ? "" : " " + email.code(),
            email.reason() == null ? "due " + email.due() : email.reason());
  }

  private static String shown(@Nullable String body) {
    return body == null ? "" : body.strip();
  }
}
