package dev.outbox.verification.chaos;

import dev.outbox.email.Email;
import dev.outbox.email.EmailBuilder;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An email as the program asks for it. Everything personal in it holds a mark by which it is
 * recognised wherever it turns up.
 *
 * @param name no other request's, unless they share a key
 * @param fate what the relay makes of it
 * @param key the idempotency key, or null
 * @param callback who is told, or null
 * @param padding how long the text is
 * @param wrongData whether the template will miss a variable
 */
record Request(
    String name,
    Fate fate,
    @Nullable String key,
    @Nullable URI callback,
    int padding,
    boolean wrongData) {

  /** In all addresses, subjects, bodies and values; in no name of a process, file or thread. */
  static final String MARK = "zq7";

  private static final String LETTERS = MARK + " lorem ipsum dolor sit amet ";

  /** What the relay makes of a recipient, always. */
  enum Fate {
    /** It is taken, unless something else goes wrong. */
    TAKEN("ok"),
    /** It is refused for good. */
    REFUSED("no"),
    /** It is put off, again and again. */
    PUT_OFF("later");

    private final String word;

    Fate(String word) {
      this.word = word;
    }

    boolean isOf(String recipient) {
      return recipient.contains("." + word + "@");
    }
  }

  static Request plain(String name) {
    return new Request(name, Fate.TAKEN, null, null, 0, false);
  }

  Request key(String given) {
    return new Request(name, fate, given, callback, padding, wrongData);
  }

  Request callback(URI url) {
    return new Request(name, fate, key, url, padding, wrongData);
  }

  Request fate(Fate given) {
    return new Request(name, given, key, callback, padding, wrongData);
  }

  Request padding(int characters) {
    return new Request(name, fate, key, callback, characters, wrongData);
  }

  Request withWrongData() {
    return new Request(name, fate, key, callback, padding, true);
  }

  Email email() {
    EmailBuilder email =
        Email.to(recipient(name, fate))
            .subject(MARK + " subject " + name)
            .template(
                "order",
                wrongData
                    ? Map.of("other", MARK)
                    : Map.of("value", MARK + " value " + name, "padding", text()));
    if (key != null) {
      email.idempotencyKey(key);
    }
    if (callback != null) {
      email.callbackUrl(callback);
    }
    return email.build();
  }

  static String recipient(String name, Fate fate) {
    return MARK + "." + name + "." + fate.word + "@example.com";
  }

  private String text() {
    return LETTERS.repeat(padding / LETTERS.length());
  }
}
