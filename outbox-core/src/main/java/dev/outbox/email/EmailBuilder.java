package dev.outbox.email;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one way to put an {@link Email} together; made by {@link Email#to}. Not for use by several
 * threads at once. Each call refuses a bad value at once, with an {@link InvalidEmailException}.
 */
public final class EmailBuilder {

  private @Nullable Address from;
  private final List<Address> to = new ArrayList<>();
  private final List<Address> cc = new ArrayList<>();
  private final List<Address> bcc = new ArrayList<>();
  private final List<Address> replyTo = new ArrayList<>();
  private @Nullable String subject;
  private @Nullable String template;
  private TemplateData data = TemplateData.empty();
  private @Nullable Locale locale;
  private @Nullable String html;
  private @Nullable String text;
  private final List<Attachment> attachments = new ArrayList<>();
  private final List<Header> headers = new ArrayList<>();
  private @Nullable String idempotencyKey;
  private @Nullable String requestId;
  private final Set<String> tags = new LinkedHashSet<>();
  private @Nullable URI callbackUrl;
  private @Nullable Instant sendAt;
  private @Nullable Duration expireAfter;
  private Priority priority = Priority.NORMAL;

  EmailBuilder() {}

  /** Adds recipients, as {@code ada@example.com} or {@code Ada <ada@example.com>}. */
  public EmailBuilder to(String... addresses) {
    return add("to", to, addresses);
  }

  /** Adds recipients of a copy. */
  public EmailBuilder cc(String... addresses) {
    return add("cc", cc, addresses);
  }

  /** Adds recipients of a copy that nobody sees. */
  public EmailBuilder bcc(String... addresses) {
    return add("bcc", bcc, addresses);
  }

  /** Adds addresses that answers go to. Default: the sender. */
  public EmailBuilder replyTo(String... addresses) {
    return add("replyTo", replyTo, addresses);
  }

  /** Sets the sender, as {@code Shop <shop@example.com>}. Default: the outbox's. */
  public EmailBuilder from(String address) {
    this.from = Address.parse("from", address);
    return this;
  }

  /** Sets the subject, printed as it is. Default: the template's own. */
  public EmailBuilder subject(String subject) {
    this.subject = HeaderValidation.checked("subject", subject);
    return this;
  }

  /** Names the template to render, which needs no data. */
  public EmailBuilder template(String name) {
    this.template = Body.Templated.checkedName(name);
    return this;
  }

  /**
   * Names the template to render and its data, of which a copy is taken now.
   *
   * @param data a {@code Map} with text keys, or any record
   */
  public EmailBuilder template(String name, Object data) {
    this.data = TemplateData.of(data);
    return template(name);
  }

  /** Asks for the template in a language. Default: the template's plain form. */
  public EmailBuilder locale(Locale locale) {
    this.locale = locale;
    return this;
  }

  /** Gives the html body itself, instead of a template. */
  public EmailBuilder html(String html) {
    this.html = HeaderValidation.wellFormed("html", html);
    return this;
  }

  /** Gives the plain text body itself, instead of a template. */
  public EmailBuilder text(String text) {
    this.text = HeaderValidation.wellFormed("text", text);
    return this;
  }

  /** Adds a file. */
  public EmailBuilder attach(Attachment attachment) {
    attachments.add(Objects.requireNonNull(attachment, "attachment"));
    return this;
  }

  /**
   * Lets the receiver unsubscribe with one click: adds {@code List-Unsubscribe} and {@code
   * List-Unsubscribe-Post} as RFC 8058 wants them. The relay has to sign both with DKIM.
   *
   * @param url https; a POST to it unsubscribes without further questions
   */
  public EmailBuilder oneClickUnsubscribe(URI url) {
    headers.addAll(UnsubscribeHeaders.headers(url));
    return this;
  }

  /** Adds a header of the host's own. */
  public EmailBuilder header(String name, String value) {
    headers.add(new Header(name, value));
    return this;
  }

  /**
   * Makes a repeated request the same email: a second email with this key is not stored, and its
   * sender gets the first one's receipt. Default: none.
   */
  public EmailBuilder idempotencyKey(String key) {
    this.idempotencyKey = SendOptions.checkedKey("idempotencyKey", key);
    return this;
  }

  /** Sets the host's own reference. Default: none. */
  public EmailBuilder requestId(String requestId) {
    this.requestId = SendOptions.checkedKey("requestId", requestId);
    return this;
  }

  /** Adds a label, for queries. */
  public EmailBuilder tag(String tag) {
    tags.add(SendOptions.checkedTag(tag));
    return this;
  }

  /** Sets who is told what became of the email. Default: the outbox's setting. */
  public EmailBuilder callbackUrl(URI url) {
    this.callbackUrl = SendOptions.checkedUrl(url);
    return this;
  }

  /** Holds the email back until a time. Default: it leaves at once. */
  public EmailBuilder sendAt(Instant time) {
    this.sendAt = SendOptions.checkedTime(time);
    return this;
  }

  /** Gives the email up when it could not leave this long after it was due. */
  public EmailBuilder expireAfter(Duration age) {
    this.expireAfter = SendOptions.checkedLife(age);
    return this;
  }

  /** Sets how soon it wants to leave when others wait too. Default: {@link Priority#NORMAL}. */
  public EmailBuilder priority(Priority priority) {
    this.priority = Objects.requireNonNull(priority, "priority");
    return this;
  }

  /**
   * Returns the email.
   *
   * @throws InvalidEmailException if parts are missing or exclude each other
   */
  public Email build() {
    UnsubscribeHeaders.checkOnce(headers);
    return new Email(
        from,
        new Recipients(to, cc, bcc),
        replyTo,
        subject,
        body(),
        attachments,
        headers,
        new SendOptions(
            idempotencyKey, requestId, tags, callbackUrl, sendAt, expireAfter, priority));
  }

  private Body body() {
    if (template == null) {
      return new Body.Inline(html, text);
    }
    if (html != null || text != null) {
      throw new InvalidEmailException("template", "given together with an html or text body");
    }
    return new Body.Templated(template, data, locale);
  }

  private EmailBuilder add(String field, List<Address> list, String... addresses) {
    for (String address : addresses) {
      list.add(Address.parse("%s[%d]".formatted(field, list.size()), address));
    }
    return this;
  }
}
