package dev.outbox.verification.chaos;

import dev.outbox.email.Email;
import dev.outbox.email.EmailBuilder;
import dev.outbox.store.StoredValueLimits;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Emails with one text that is one character longer than the longest that is stored, and one email
 * in which every text has its greatest length.
 */
enum Poison {
  SUBJECT_GIVEN("subject") {
    @Override
    void make(EmailBuilder email, URI callback) {
      email.subject(text(StoredValueLimits.SUBJECT + 1)).text(Request.MARK);
    }
  },
  /** The length is known when the template is rendered, after the email was accepted. */
  SUBJECT_RENDERED("subject") {
    @Override
    void make(EmailBuilder email, URI callback) {
      email.template("rendered", Map.of("s", text(StoredValueLimits.SUBJECT + 1 - "S ".length())));
    }
  },
  SENDER("from") {
    @Override
    void make(EmailBuilder email, URI callback) {
      ordinary(email).from(sender(StoredValueLimits.SENDER + 1));
    }
  },
  REQUEST_ID("requestId") {
    @Override
    void make(EmailBuilder email, URI callback) {
      ordinary(email).requestId("r".repeat(StoredValueLimits.REQUEST_ID + 1));
    }
  },
  TEMPLATE_NAME("template") {
    @Override
    void make(EmailBuilder email, URI callback) {
      email.template("t".repeat(StoredValueLimits.TEMPLATE + 1), Map.of());
    }
  },
  CALLBACK_URL("callbackUrl") {
    @Override
    void make(EmailBuilder email, URI callback) {
      ordinary(email).callbackUrl(url(callback, StoredValueLimits.CALLBACK_URL + 1));
    }
  },
  TAG("tags") {
    @Override
    void make(EmailBuilder email, URI callback) {
      ordinary(email).tag("t".repeat(LONGEST_TAG + 1));
    }
  },
  MANY_TAGS("tags") {
    @Override
    void make(EmailBuilder email, URI callback) {
      tags(ordinary(email), MOST_TAGS + 1);
    }
  },
  KEY("idempotencyKey") {
    @Override
    void make(EmailBuilder email, URI callback) {
      ordinary(email).idempotencyKey("k".repeat(LONGEST_KEY + 1));
    }
  },
  RECIPIENT("to[1]") {
    @Override
    void make(EmailBuilder email, URI callback) {
      ordinary(email).to(text(LONGEST_NAME + 1) + " <" + Request.MARK + ".ok@example.com>");
    }
  },
  /** Nothing is too long: this one has to be sent. */
  LONGEST_VALUES(null) {
    @Override
    void make(EmailBuilder email, URI callback) {
      String subject = text(StoredValueLimits.SUBJECT - "S ".length());
      tags(email, MOST_TAGS)
          .template("rendered", Map.of("s", subject))
          .from(sender(StoredValueLimits.SENDER))
          .requestId("r".repeat(StoredValueLimits.REQUEST_ID))
          .callbackUrl(url(callback, StoredValueLimits.CALLBACK_URL));
    }
  };

  private static final int LONGEST_TAG = 64;
  private static final int MOST_TAGS = 16;
  private static final int LONGEST_KEY = 255;
  private static final int LONGEST_NAME = 200;

  private final @Nullable String field;

  Poison(@Nullable String field) {
    this.field = field;
  }

  /** Puts the text that is too long into an email that has its recipient. */
  abstract void make(EmailBuilder email, URI callback);

  /**
   * Returns the email.
   *
   * @throws dev.outbox.email.InvalidEmailException if the builder measures the text
   */
  Email email(String name, URI callback) {
    EmailBuilder email = Email.to(Request.recipient(name, Request.Fate.TAKEN));
    make(email, callback);
    return email.build();
  }

  /** Returns whether a store can keep it, so that it is an ordinary email. */
  boolean fits() {
    return field == null;
  }

  /** Returns whether a rejection names the field that is too long. */
  boolean isNamedBy(String rejected) {
    return rejected.equals(field);
  }

  private static EmailBuilder ordinary(EmailBuilder email) {
    return email.subject(Request.MARK + " poison").text(Request.MARK);
  }

  private static EmailBuilder tags(EmailBuilder email, int number) {
    for (int i = 0; i < number; i++) {
      email.tag("%02d".formatted(i) + "t".repeat(LONGEST_TAG - 2));
    }
    return email;
  }

  private static String text(int length) {
    return Request.MARK + "N".repeat(length - Request.MARK.length());
  }

  private static URI url(URI callback, int length) {
    String start = callback + "?padding=";
    return URI.create(start + "p".repeat(length - start.length()));
  }

  /**
   * Returns a sender whose stored form, a quoted name with escaped quotes and an address of the
   * greatest length, has a given length.
   */
  private static String sender(int length) {
    String address =
        "s".repeat(64) + "@" + "d".repeat(63) + "." + "e".repeat(63) + "." + "f".repeat(61);
    int name = length - "\"\" <>".length() - address.length();
    int escaped = name / 3;
    return "\"%s%s\" <%s>".formatted(text(name - 2 * escaped), "\\\"".repeat(escaped), address);
  }
}
