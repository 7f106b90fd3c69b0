package dev.outbox.javalin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.email.Attachment;
import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.email.EmailBuilder;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.Priority;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.IllformedLocaleException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads an email from JSON; the fields have the names of {@link EmailBuilder}'s methods. */
final class EmailJsonReader {

  private static final Set<String> FIELDS =
      Set.of(
          "from",
          "to",
          "cc",
          "bcc",
          "replyTo",
          "subject",
          "template",
          "data",
          "locale",
          "html",
          "text",
          "attachments",
          "headers",
          "idempotencyKey",
          "requestId",
          "tags",
          "callbackUrl",
          "sendAt",
          "expireAfter",
          "priority");

  private static final Set<String> ATTACHMENT =
      Set.of("fileName", "contentType", "content", "contentId");

  private EmailJsonReader() {}

  /**
   * Reads an email.
   *
   * @param key the idempotency key that the request names, or null
   * @throws InvalidEmailException naming the field that cannot be used
   */
  static Email read(JsonNode json, @Nullable String key) {
    JsonFields fields = JsonFields.of("", json, FIELDS);
    EmailBuilder email =
        Email.to(array(fields.texts("to")))
            .cc(array(fields.texts("cc")))
            .bcc(array(fields.texts("bcc")))
            .replyTo(array(fields.texts("replyTo")));
    readWords(fields, email);
    readBody(fields, email);
    readAttachments(fields, email);
    readHeaders(fields, email);
    readHandling(fields, email);
    readKey(fields, key, email);
    return email.build();
  }

  private static String[] array(List<String> texts) {
    return texts.toArray(String[]::new);
  }

  private static void readWords(JsonFields fields, EmailBuilder email) {
    String from = fields.text("from");
    if (from != null) {
      email.from(from);
    }
    String subject = fields.text("subject");
    if (subject != null) {
      email.subject(subject);
    }
  }

  private static void readBody(JsonFields fields, EmailBuilder email) {
    String html = fields.text("html");
    if (html != null) {
      email.html(html);
    }
    String text = fields.text("text");
    if (text != null) {
      email.text(text);
    }
    String template = fields.text("template");
    JsonNode data = fields.get("data");
    if (template == null) {
      if (data != null) {
        throw new InvalidEmailException("data", "given without a template");
      }
      return;
    }
    if (data == null) {
      email.template(template);
    } else if (data.isObject()) {
      email.template(template, Json.plain(data));
    } else {
      throw new InvalidEmailException("data", "not an object");
    }
    Locale locale =
        fields.parsed("locale", EmailJsonReader::locale, "a language tag such as it-CH");
    if (locale != null) {
      email.locale(locale);
    }
  }

  /** Unlike {@link Locale#forLanguageTag}, it refuses what it does not understand. */
  private static Locale locale(String tag) throws IllformedLocaleException {
    return new Locale.Builder().setLanguageTag(tag).build();
  }

  private static void readAttachments(JsonFields fields, EmailBuilder email) {
    int index = 0;
    for (JsonNode each : fields.list("attachments")) {
      String path = "attachments[" + index++ + "]";
      JsonFields file = JsonFields.of(path, each, ATTACHMENT);
      byte[] content = file.parsed("content", Base64.getDecoder()::decode, "base64");
      if (content == null) {
        throw new InvalidEmailException(path + ".content", "missing");
      }
      email.attach(
          new Attachment(
              file.required("fileName"),
              file.required("contentType"),
              Bytes.owned(content),
              file.text("contentId")));
    }
  }

  private static void readHeaders(JsonFields fields, EmailBuilder email) {
    JsonNode headers = fields.get("headers");
    if (headers == null) {
      return;
    }
    if (!headers.isObject()) {
      throw new InvalidEmailException("headers", "not an object of names and texts");
    }
    headers
        .properties()
        .forEach(
            entry -> {
              if (!entry.getValue().isTextual()) {
                throw new InvalidEmailException("headers", "a value that is not a text");
              }
              email.header(entry.getKey(), entry.getValue().textValue());
            });
  }

  private static void readHandling(JsonFields fields, EmailBuilder email) {
    fields.texts("tags").forEach(email::tag);
    String requestId = fields.text("requestId");
    if (requestId != null) {
      email.requestId(requestId);
    }
    URI callbackUrl = fields.parsed("callbackUrl", URI::create, "a URL");
    if (callbackUrl != null) {
      email.callbackUrl(callbackUrl);
    }
    Instant sendAt = fields.parsed("sendAt", Instant::parse, "a time such as 2030-01-31T08:00:00Z");
    if (sendAt != null) {
      email.sendAt(sendAt);
    }
    Duration expireAfter = fields.parsed("expireAfter", Duration::parse, "a duration such as PT6H");
    if (expireAfter != null) {
      email.expireAfter(expireAfter);
    }
    Priority priority =
        fields.parsed("priority", Priority::valueOf, "one of " + List.of(Priority.values()));
    if (priority != null) {
      email.priority(priority);
    }
  }

  private static void readKey(JsonFields fields, @Nullable String key, EmailBuilder email) {
    String own = fields.text("idempotencyKey");
    if (own != null && key != null && !own.equals(key)) {
      throw new InvalidEmailException("idempotencyKey", "differs from the header Idempotency-Key");
    }
    String given = own == null ? key : own;
    if (given != null) {
      email.idempotencyKey(given);
    }
  }
}
