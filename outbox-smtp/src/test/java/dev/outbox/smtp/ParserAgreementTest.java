package dev.outbox.smtp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Attachment;
import dev.outbox.email.Email;
import dev.outbox.email.EmailBuilder;
import dev.outbox.transport.RenderedMessage;
import jakarta.mail.MessagingException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Python's email package, Apache mime4j and angus read the same parts, names and texts in messages
 * of every kind.
 */
class ParserAgreementTest {

  private static final List<String> HEADER =
      List.of(
          "Date: " + Mails.DATE.getEpochSecond(),
          "From: Shop <shop@example.com>",
          "To: Ada <ada@example.com>",
          "Subject: x",
          "Message-ID: <" + Mails.ID + "@example.com>",
          "Auto-Submitted: auto-generated",
          "MIME-Version: 1.0");

  private static final String INNER =
      String.join(
          "\r\n",
          "From: Bob <bob@example.com>",
          "Subject: =?UTF-8?B?R3LDvMOfZQ==?=",
          "MIME-Version: 1.0",
          "Content-Type: multipart/mixed; boundary=inner",
          "%s",
          "--inner",
          "Content-Type: text/plain; charset=UTF-8",
          "Content-Transfer-Encoding: %s",
          "",
          "%s",
          "--inner",
          "Content-Type: application/pdf",
          "Content-Transfer-Encoding: base64",
          "Content-Disposition: attachment; filename=inner.pdf",
          "",
          "AQI=",
          "--inner--",
          "");

  private static final String STATUS =
      String.join(
          "\r\n",
          "Reporting-MTA: dns; mx.example",
          "",
          "Final-Recipient: rfc822; a@example.com",
          "Action: failed",
          "");

  @TempDir private Path folder;

  private void assertRead(RenderedMessage message, List<String> header, String... body)
      throws IOException, InterruptedException, MessagingException {
    byte[] bytes = MimeComposer.compose(message).toArray();
    MessageLines.assertSendable(bytes);
    MessageLines.assertFolded(MessageLines.headers(bytes));
    List<String> expected = Stream.concat(header.stream(), Stream.of(body)).toList();
    assertThat(PythonEmail.read(bytes, folder)).as("Python").isEqualTo(expected);
    assertThat(JavaReaders.mime4j(bytes)).as("mime4j").isEqualTo(expected);
    assertThat(JavaReaders.angus(bytes)).as("angus").isEqualTo(expected);
  }

  private static EmailBuilder mail() {
    return Email.to("Ada <ada@example.com>").subject("x");
  }

  @Test
  void textsInEveryEncodingAreReadAlike()
      throws IOException, InterruptedException, MessagingException {
    assertRead(
        Mails.of(mail().text("Hello\n.\nFrom me\n")),
        HEADER,
        "text/plain 7bit - - -",
        "  Hello\\r\\n.\\r\\nFrom me\\r\\n");
    assertRead(
        Mails.of(mail().text("Grüße und viele andere Wörter, = \\ \n" + "z".repeat(1_000) + "\n")),
        HEADER,
        "text/plain quoted-printable - - -",
        "  Grüße und viele andere Wörter, = \\\\ \\r\\n" + "z".repeat(1_000) + "\\r\\n");
    assertRead(
        Mails.of(mail().text("東京都千代田区 🚀 👩‍👩‍👧‍👦\n")),
        HEADER,
        "text/plain base64 - - -",
        "  東京都千代田区 🚀 👩‍👩‍👧‍👦\\r\\n");
  }

  @Test
  void alternativesImagesAndFilesAreReadAlike()
      throws IOException, InterruptedException, MessagingException {
    assertRead(
        Mails.of(
            mail()
                .text("Grüße, Zeile eins\n")
                .html("<p>Gruesse</p><img src=\"cid:logo@x\"><img src=\"cid:two\">\n")
                .attach(file("plain.pdf", "application/pdf", 1, 2, 255))
                .attach(Attachment.inline("logo@x", "Lögo.png", "image/png", new byte[] {3, 4}))
                .attach(Attachment.inline("two", "two.gif", "image/gif", new byte[] {5}))
                .attach(Attachment.of("Preise.csv", "text/csv", "a;ä\r\nb;ß".getBytes(UTF_8)))
                .attach(
                    Attachment.of(
                        "event.ics", "text/calendar", "BEGIN:VCALENDAR\r\n".getBytes(UTF_8)))
                .attach(file("empty.bin", "application/octet-stream"))),
        HEADER,
        "multipart/mixed 7bit - - -",
        "  multipart/alternative 7bit - - -",
        "    text/plain quoted-printable - - -",
        "      Grüße, Zeile eins\\r\\n",
        "    multipart/related 7bit - - -",
        "      text/html 7bit - - -",
        "        <p>Gruesse</p><img src=\"cid:logo@x\"><img src=\"cid:two\">\\r\\n",
        "      image/png base64 inline <logo@x> Lögo.png",
        "        0304",
        "      image/gif base64 inline <two> two.gif",
        "        05",
        "  application/pdf base64 attachment - plain.pdf",
        "    0102ff",
        "  text/csv base64 attachment - Preise.csv",
        "    a;ä\\r\\nb;ß",
        "  text/calendar base64 attachment - event.ics",
        "    BEGIN:VCALENDAR\\r\\n",
        "  application/octet-stream base64 attachment - empty.bin",
        "    ");
  }

  private static Attachment file(String name, String type, int... octets) {
    byte[] content = new byte[octets.length];
    for (int i = 0; i < octets.length; i++) {
      content[i] = (byte) octets[i];
    }
    return Attachment.of(name, type, content);
  }

  @Test
  void fileNamesOfEveryKindAreReadAlike()
      throws IOException, InterruptedException, MessagingException {
    String[] names = {
      "with space.txt",
      "\"quoted\"; filename=x.txt",
      "=?UTF-8?B?SGFja2Vk?=.txt",
      "percent%41 star*'.txt",
      "Überweisung März.pdf",
      "请求".repeat(60) + ".pdf",
      "a" + "ü".repeat(150) + ".txt",
      "🚀👩‍👩‍👧‍👦".repeat(12) + ".png",
      "very-long-" + "x".repeat(180) + ".txt",
      "Ada's and Bob's 100% list.txt",
      "x" + "\"".repeat(60) + "x",
    };
    EmailBuilder mail = mail().text("x\n");
    Stream<String> expected =
        Stream.of("multipart/mixed 7bit - - -", "  text/plain 7bit - - -", "    x\\r\\n");
    for (String name : names) {
      mail.attach(file(name, "application/pdf", 1));
      expected =
          Stream.concat(
              expected, Stream.of("  application/pdf base64 attachment - " + name, "    01"));
    }
    assertRead(Mails.of(mail), HEADER, expected.toArray(String[]::new));
  }

  @Test
  void attachedMessagesInSevenAndEightBitAreReadAlike()
      throws IOException, InterruptedException, MessagingException {
    String seven = INNER.formatted("", "7bit", "Hello\r\n..\r\nFrom here");
    String eight =
        INNER.formatted("Content-Transfer-Encoding: 8bit\r\n", "8bit", "Grüße 🚀\r\n.\r\n");
    assertRead(
        Mails.of(
            mail()
                .text("x\n")
                .attach(Attachment.of("7.eml", "message/rfc822", seven.getBytes(UTF_8)))
                .attach(Attachment.of("Größe 8.eml", "message/rfc822", eight.getBytes(UTF_8)))
                .attach(Attachment.of("g.eml", "message/global", eight.getBytes(UTF_8)))
                .attach(Attachment.of("s.txt", "message/delivery-status", STATUS.getBytes(UTF_8)))),
        HEADER,
        "multipart/mixed 8bit - - -",
        "  text/plain 7bit - - -",
        "    x\\r\\n",
        "  message/rfc822 7bit attachment - 7.eml",
        "    From: Bob <bob@example.com>",
        "    Subject: Grüße",
        "    MIME-Version: 1.0",
        "    multipart/mixed 7bit - - -",
        "      text/plain 7bit - - -",
        "        Hello\\r\\n..\\r\\nFrom here",
        "      application/pdf base64 attachment - inner.pdf",
        "        0102",
        "  message/rfc822 8bit attachment - Größe 8.eml",
        "    From: Bob <bob@example.com>",
        "    Subject: Grüße",
        "    MIME-Version: 1.0",
        "    multipart/mixed 8bit - - -",
        "      text/plain 8bit - - -",
        "        Grüße 🚀\\r\\n.\\r\\n",
        "      application/pdf base64 attachment - inner.pdf",
        "        0102",
        "  message/global 8bit attachment - g.eml",
        "    From: Bob <bob@example.com>",
        "    Subject: Grüße",
        "    MIME-Version: 1.0",
        "    multipart/mixed 8bit - - -",
        "      text/plain 8bit - - -",
        "        Grüße 🚀\\r\\n.\\r\\n",
        "      application/pdf base64 attachment - inner.pdf",
        "        0102",
        "  message/delivery-status 7bit attachment - s.txt",
        "    " + STATUS.replace("\r", "\\r").replace("\n", "\\n"));
  }

  @Test
  void headersOfEveryKindAreReadAlike()
      throws IOException, InterruptedException, MessagingException {
    String subject =
        "Grüße aus Köln, 東京 und 🚀 " + "sehr lange Betreffzeile 👩‍👩‍👧‍👦 ".repeat(7) + "Ende";
    String words = "plain words ".repeat(60).strip();
    String name = "X-" + "N".repeat(70);
    RenderedMessage message =
        Mails.of(
            Email.to(
                    "\"Lovelace, Ada \\\"the first\\\" \\\\ (x)\" <ada@example.com>",
                    "\"" + "Müller, Jürgen ".repeat(12).strip() + "\" <j@bücher.example>",
                    "bare@example.com")
                .cc("日本 太郎 <taro@example.com>", "=?UTF-8?B?SGFja2Vk?= <h@example.com>")
                .bcc("hidden@example.com")
                .replyTo("Hilfe & Rat <hilfe@example.com>")
                .subject(subject)
                .header("X-Plain", words)
                .header("X-Unicode", "ä ".repeat(300).strip())
                .header(name, "Überlang 🚀 ".repeat(10).strip())
                .header("X-Encoded", "=?UTF-8?B?SGFja2Vk?=")
                .oneClickUnsubscribe(URI.create("https://shop.example/u?id=" + "4".repeat(200)))
                .text("x\n"));
    assertRead(
        message,
        List.of(
            "Date: " + Mails.DATE.getEpochSecond(),
            "From: Shop <shop@example.com>",
            "Reply-To: Hilfe & Rat <hilfe@example.com>",
            "To: Lovelace, Ada \"the first\" \\\\ (x) <ada@example.com>; "
                + "Müller, Jürgen ".repeat(12).strip()
                + " <j@xn--bcher-kva.example>;  <bare@example.com>",
            "Cc: 日本 太郎 <taro@example.com>; =?UTF-8?B?SGFja2Vk?= <h@example.com>",
            "Subject: " + subject,
            "Message-ID: <" + Mails.ID + "@example.com>",
            "Auto-Submitted: auto-generated",
            "X-Plain: " + words,
            "X-Unicode: " + "ä ".repeat(300).strip(),
            name + ": " + "Überlang 🚀 ".repeat(10).strip(),
            "X-Encoded: =?UTF-8?B?SGFja2Vk?=",
            "List-Unsubscribe: <https://shop.example/u?id=" + "4".repeat(200) + ">",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
            "MIME-Version: 1.0"),
        "text/plain 7bit - - -",
        "  x\\r\\n");
  }
}
