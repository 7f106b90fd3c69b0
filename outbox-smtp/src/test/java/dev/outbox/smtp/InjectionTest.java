package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.Address;
import dev.outbox.email.Attachment;
import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.email.EmailBuilder;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every field of an email with every hostile fragment: refused, or harmless. A message whose end
 * the server does not recognise is one that it never answers, so that patience is short and the
 * first surprise is the last.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InjectionTest {

  private static final String SMUGGLED =
      "MAIL FROM:<evil@example.com>\r\nRCPT TO:<victim@example.com>\r\nDATA\r\nSubject: hi\r\n\r\nhi";

  private static final String HEADER =
      String.join(
          "\r\n",
          "From: a@example.com",
          "To: b@example.com",
          "Subject: Order 42",
          "Message-ID: <x@y.example>",
          "Date: Mon, 2 Mar 2026 10:00:00 +0000",
          "MIME-Version: 1.0",
          "",
          "");

  private static final List<String> FRAGMENTS =
      List.of(
          "\r",
          "\n",
          "\0",
          "\r\n",
          "\r\nBcc: victim@example.com",
          "\nBcc: victim@example.com",
          "\rBcc: victim@example.com",
          "\r\n folded",
          "\n\tfolded",
          "\r\n\r\nbody",
          "\u0085Bcc: victim@example.com",
          "\u2028Bcc: victim@example.com",
          "\u2029Bcc: victim@example.com",
          "\u000bBcc: victim@example.com",
          "\u000cBcc: victim@example.com",
          "%0d%0aBcc: victim@example.com",
          "%0ABcc:%20victim@example.com",
          "\\r\\nBcc: victim@example.com",
          "\u560d\u560aBcc: victim@example.com",
          "=?UTF-8?Q?=0D=0ABcc:_victim@example.com?=",
          "=?UTF-8?B?DQpCY2M6IHZpY3RpbUBleGFtcGxlLmNvbQ==?=",
          "\"; x=\"",
          "\\",
          "\">, <victim@example.com",
          ", victim@example.com",
          "> SIZE=1 BODY=8BITMIME <",
          "(comment)",
          "\n.\n" + SMUGGLED + "\r\n.\r\n",
          "\n.\r\n" + SMUGGLED + "\r\n.\r\n",
          "\r.\r" + SMUGGLED + "\r\n.\r\n",
          "\r\n.\r\n" + SMUGGLED + "\r\n.\r\n",
          "\r\n.\r" + SMUGGLED,
          "\r\n.\n" + SMUGGLED,
          "\r.\r\n" + SMUGGLED,
          "\r\n\0.\r\n" + SMUGGLED,
          "\r\n..\r\n",
          "\r\n--=_" + Mails.ID + "_a--\r\n",
          "\r\n--=_" + Mails.ID + "_m\r\nContent-Type: text/html\r\n\r\nevil",
          "\ud800",
          "x".repeat(70_000));

  private static final Map<String, Function<String, EmailBuilder>> FIELDS = fields();

  private static final ScriptedServer SERVER =
      ScriptedServer.start().offer("PIPELINING", "SMTPUTF8");
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final SmtpTransport TRANSPORT =
      SmtpTransport.over(
          SERVER.relay().timeouts(new SmtpRelay.Timeouts(PATIENCE, PATIENCE, PATIENCE, PATIENCE)));

  private static Map<String, Function<String, EmailBuilder>> fields() {
    Map<String, Function<String, EmailBuilder>> fields = new LinkedHashMap<>();
    fields.put("subject", x -> mail().subject("Hi" + x + "there"));
    fields.put("text", x -> mail().text("Hi" + x + "there"));
    fields.put("html", x -> mail().html("<p>Hi" + x + "there</p>"));
    fields.put("from", x -> mail().from("shop" + x + "@example.com"));
    fields.put("from at the end", x -> mail().from("shop@example.com" + x));
    fields.put("from's name", x -> mail().from("\"Shop" + x + "\" <shop@example.com>"));
    fields.put("from's bare name", x -> mail().from("Shop" + x + " <shop@example.com>"));
    fields.put("to", x -> mail().to("bob" + x + "@example.com"));
    fields.put("to at the end", x -> mail().to("bob@example.com" + x));
    fields.put("to's name", x -> mail().to("\"Bob" + x + "\" <bob@example.com>"));
    fields.put("to's bare name", x -> mail().to("Bob" + x + " <bob@example.com>"));
    fields.put("cc", x -> mail().cc("bob" + x + "@example.com"));
    fields.put("bcc", x -> mail().bcc("bob" + x + "@example.com"));
    fields.put("cc's name", x -> mail().cc("\"Bob" + x + "\" <bob@example.com>"));
    fields.put("bcc's name", x -> mail().bcc("\"Bob" + x + "\" <bob@example.com>"));
    fields.put("replyTo's name", x -> mail().replyTo("\"Bob" + x + "\" <bob@example.com>"));
    fields.put("replyTo", x -> mail().replyTo("bob" + x + "@example.com"));
    fields.put("header's name", x -> mail().header("X-A" + x, "b"));
    fields.put("header", x -> mail().header("X-A", "b" + x + "c"));
    fields.put("file's name", x -> mail().attach(file("a" + x + ".txt", "text/plain")));
    fields.put("file's type", x -> mail().attach(file("a.txt", "text/plain" + x)));
    fields.put(
        "file's content",
        x -> mail().attach(Attachment.of("a.txt", "text/plain", Bytes.utf8(x).toArray())));
    fields.put(
        "content id",
        x ->
            mail()
                .html("<p>")
                .attach(Attachment.inline("i" + x, "a.png", "image/png", new byte[1])));
    fields.put(
        "unsubscribe", x -> mail().oneClickUnsubscribe(URI.create("https://x.example/?u=" + x)));
    return fields;
  }

  private static EmailBuilder mail() {
    return Email.to("ada@example.com")
        .from("Shop <shop@example.com>")
        .subject("Order 42")
        .text("Thank you.\n");
  }

  private static Attachment file(String name, String type) {
    return Attachment.of(name, type, new byte[] {1});
  }

  @AfterAll
  static void close() {
    TRANSPORT.close();
    SERVER.close();
  }

  static Stream<String> fieldNames() {
    return FIELDS.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("fieldNames")
  void everyFragmentIsRefusedOrHarmless(String field) {
    for (String fragment : FRAGMENTS) {
      RenderedMessage message;
      try {
        message = Mails.of(Objects.requireNonNull(FIELDS.get(field)).apply(fragment).build());
      } catch (IllegalArgumentException e) {
        continue;
      }
      assertThat(surprise(message, TRANSPORT.compose(message))).as(fragment).isEmpty();
    }
  }

  /** Sends a message and returns what is odd about what the server saw. */
  private static String surprise(RenderedMessage message, Bytes bytes) {
    int before = SERVER.messages().size();
    int commands = SERVER.commands().size();
    Envelope envelope = new Envelope(message.id(), message.from(), message.recipients().all());
    DeliveryResult result = TRANSPORT.deliver(envelope, bytes, () -> true);
    if (!(result instanceof DeliveryResult.Answered)) {
      return "not sent: " + result;
    }
    List<ScriptedServer.Received> all = SERVER.messages();
    if (all.size() != before + 1) {
      return all.size() - before + " messages";
    }
    ScriptedServer.Received received = all.get(before);
    List<String> expected = envelope.recipients().stream().map(Address::email).toList();
    if (!received.recipients().equals(expected)) {
      return "other recipients";
    }
    if (!received.from().equals(envelope.from().email())) {
      return "another sender";
    }
    // A new connection begins with a greeting, and one that has rested for a moment with a probe.
    List<String> talk =
        SERVER.commands().stream()
            .skip(commands)
            .dropWhile(command -> command.startsWith("EHLO") || command.equals("NOOP"))
            .toList();
    if (talk.size() != expected.size() + 3) {
      return talk.size() + " commands";
    }
    if (received.raw().replace("\r\n", "").matches("(?s).*[\r\n].*")) {
      return "a loose CR or LF";
    }
    return oddities(message, Parsed.of(received.unstuffed()));
  }

  private static String oddities(RenderedMessage message, Parsed parsed) {
    if (parsed.headers("Bcc") > 0 || parsed.headers("X-Evil") > 0) {
      return "a header that nobody asked for";
    }
    for (String once : List.of("From", "To", "Subject", "Date", "Message-ID", "MIME-Version")) {
      if (parsed.headers(once) != 1) {
        return parsed.headers(once) + " times " + once;
      }
    }
    int parts = (message.html() == null ? 1 : 2) + message.attachments().size();
    if (parsed.parts().size() != parts) {
      return parsed.parts().size() + " parts";
    }
    return message.subject().equals(parsed.message().getSubject()) ? "" : "another subject";
  }

  @ParameterizedTest
  @ValueSource(strings = {"\r", "\n", "\0", "\r\nBcc: victim@example.com"})
  void aRenderedSubjectThatBreaksTheLineIsRefused(String fragment) {
    assertThatThrownBy(() -> MimeComposer.compose(Mails.withSubject("Hi" + fragment)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Subject: holds a line break or NUL");
  }

  /** Bytes that some other composer made, or that were changed in the store. */
  @Test
  void bytesThatTryToEndTheMessageEarlyDoNot() {
    for (String fragment : FRAGMENTS) {
      if (fragment.contains("Bcc") || fragment.contains("--=_")) {
        continue;
      }
      for (String end : List.of("", "\r", "\n", "\r\n", ".", "\r\n.", "\r\n.\r\n")) {
        Bytes message = Bytes.utf8(HEADER + "a" + fragment + "b" + end);
        assertThat(surprise(Mails.simple(), message)).as(fragment + "|" + end).isEmpty();
      }
    }
  }
}
