package dev.outbox.email;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One email as the host asks for it: checked when built, immutable, safe to share between threads.
 *
 * <pre>{@code
 * Email.to("ada@example.com")
 *     .subject("Order 42")
 *     .template("order-confirmed", order)
 *     .idempotencyKey("order-42-confirmed")
 *     .build();
 * }</pre>
 *
 * <p>What cannot work is refused with an {@link InvalidEmailException} that names the field and
 * shows nothing of its content; so does {@link #toString()}.
 *
 * @param from the sender; null for the outbox's default
 * @param recipients everybody it goes to
 * @param replyTo where answers go; empty for the sender
 * @param subject literal; null for the template's own
 * @param body a template with data, or the words themselves
 * @param attachments the files that go with it
 * @param headers the host's own headers
 * @param options how the email is to be treated
 */
public record Email(
    @Nullable Address from,
    Recipients recipients,
    List<Address> replyTo,
    @Nullable String subject,
    Body body,
    List<Attachment> attachments,
    List<Header> headers,
    SendOptions options) {

  /** Copies the lists, checks the addresses, the subject and that there is one. */
  public Email {
    replyTo = List.copyOf(replyTo);
    attachments = List.copyOf(attachments);
    headers = List.copyOf(headers);
    if (from != null) {
      from.checkUsable("from");
    }
    Address.checkUsable("to", recipients.to());
    Address.checkUsable("cc", recipients.cc());
    Address.checkUsable("bcc", recipients.bcc());
    Address.checkUsable("replyTo", replyTo);
    if (subject != null) {
      HeaderValidation.checked("subject", subject);
    } else if (body instanceof Body.Inline) {
      throw new InvalidEmailException("subject", "missing, and there is no template to give one");
    }
  }

  /**
   * Starts an email to one or several recipients.
   *
   * @throws InvalidEmailException if one of them is not a usable address
   */
  public static EmailBuilder to(String... recipients) {
    return new EmailBuilder().to(recipients);
  }

  /** Shows sizes and the template, nothing personal. */
  @Override
  public String toString() {
    return "Email[%s, %s, attachments=%d]".formatted(recipients, body, attachments.size());
  }
}
