package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Address;
import dev.outbox.email.Attachment;
import dev.outbox.email.Email;
import dev.outbox.email.Recipients;
import dev.outbox.transport.RenderedMessage;
import java.net.URI;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MimeComposerTest {

  private static Parsed parsed(RenderedMessage message) {
    return Parsed.of(MimeComposer.compose(message).toArray());
  }

  private static String raw(RenderedMessage message) {
    return MimeComposer.compose(message).toUtf8();
  }

  @Test
  void aReceivedMessageEqualsWhatWasSent() {
    byte[] pdf = new byte[100_000];
    new Random(1).nextBytes(pdf);
    byte[] logo = {1, 2, 3};
    String html = "<p>Grüße aus Köln, 東京 und 🚀</p><img src=\"cid:logo\">";
    RenderedMessage message =
        Mails.of(
            Email.to("Žofie Nováková <zofie@example.com>", "\"Müller, Jürgen\" <j@bücher.example>")
                .cc("日本 太郎 <taro@example.com>")
                .bcc("secret@example.com")
                .replyTo("Hilfe <hilfe@example.com>")
                .subject(
                    "Grüße 🚀 und eine sehr lange Betreffzeile, die über viele Zeilen geht: 東京")
                .html(html)
                .text("Grüße\n\n.\n")
                .attach(Attachment.of("Rechnung März.pdf", "application/pdf", pdf))
                .attach(Attachment.of("plain.csv", "text/csv", new byte[] {'a', ',', 'b'}))
                .attach(Attachment.inline("logo", "logo.png", "image/png", logo)));
    Parsed parsed = parsed(message);
    assertThat(parsed.from()).isEqualTo("Shop <shop@example.com>");
    assertThat(parsed.to())
        .containsExactly(
            "Žofie Nováková <zofie@example.com>", "Müller, Jürgen <j@xn--bcher-kva.example>");
    assertThat(parsed.message().getCc().flatten().get(0).getName()).isEqualTo("日本 太郎");
    assertThat(parsed.message().getSubject()).isEqualTo(message.subject());
    assertThat(parsed.message().getDate().toInstant()).isEqualTo(Mails.DATE);
    assertThat(parsed.message().getMessageId()).isEqualTo("<" + Mails.ID + "@example.com>");
    assertThat(raw(message)).doesNotContain("secret");
    assertThat(parsed.structure())
        .isEqualTo(
            "mixed(alternative(text/plain, related(text/html, image/png)), application/pdf,"
                + " text/csv)");
    List<Parsed.Part> parts = parsed.parts();
    assertThat(parts.get(0).text()).isEqualTo("Grüße\r\n\r\n.\r\n");
    assertThat(parts.get(1).text()).isEqualTo(html);
    assertThat(parts.get(2).content()).isEqualTo(logo);
    assertThat(parts.get(2).contentId()).isEqualTo("<logo>");
    assertThat(parts.get(2).disposition()).isEqualTo("inline");
    assertThat(parts.get(3).content()).isEqualTo(pdf);
    assertThat(parts.get(3).fileName()).isEqualTo("Rechnung März.pdf");
    assertThat(parts.get(3).disposition()).isEqualTo("attachment");
    assertThat(parts.get(4).fileName()).isEqualTo("plain.csv");
  }

  @Test
  void theSameEmailGivesTheSameBytes() {
    assertThat(MimeComposer.compose(rich())).isEqualTo(MimeComposer.compose(rich()));
    assertThat(raw(rich())).contains("boundary=\"=_" + Mails.ID + "_m\"");
  }

  private static RenderedMessage rich() {
    return Mails.of(
        Email.to("ada@example.com")
            .subject("x")
            .html("<p>x</p>")
            .attach(Attachment.of("a.txt", "text/plain", new byte[] {1})));
  }

  @Test
  void everyLineIsShortAndEndsInCrlf() {
    RenderedMessage message =
        Mails.of(
            Email.to("ada@example.com", "\"" + "n".repeat(150) + "\" <bob@example.com>")
                .subject("word ".repeat(99).strip())
                .header("X-Long", "y".repeat(2_000))
                .text("z".repeat(5_000) + "\rloose\nloose")
                .attach(Attachment.of("ü".repeat(200), "text/plain", new byte[5_000])));
    String raw = raw(message);
    assertThat(raw.replace("\r\n", "")).doesNotContain("\r").doesNotContain("\n");
    assertThat(raw.lines()).allMatch(line -> line.length() <= 100);
    Parsed parsed = parsed(message);
    assertThat(parsed.message().getSubject()).isEqualTo(message.subject());
    assertThat(parsed.parts().get(0).text()).isEqualTo("z".repeat(5_000) + "\r\nloose\r\nloose");
    assertThat(parsed.parts().get(1).fileName()).isEqualTo("ü".repeat(200));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain",
        "=?UTF-8?B?SGFja2Vk?=",
        "a =?x",
        "two  spaces and   three",
        "tab\there",
        " leading",
        "trailing ",
        "Ünïcödé",
        "🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀",
        "long word "
            + "aVeryLongWordWithoutAnySpaceInItWhichIsLongerThanOneLineOfAHeaderMayBe12345678",
        "\u2028",
        "\"quoted\" \\ (comment) <tag>",
      })
  void aSubjectIsReadAsItWasWritten(String subject) {
    assertThat(parsed(Mails.withSubject(subject)).message().getSubject()).isEqualTo(subject);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Ada",
        "Ada Lovelace",
        "Lovelace, Ada",
        "Ada \"the first\" \\ Lovelace",
        "=?UTF-8?B?SGFja2Vk?=",
        "a@b.example",
        "Ünïcödé",
        "two  spaces",
        "(comment)",
        "<tag>",
      })
  void aNameIsReadAsItWasWritten(String name) {
    Address address = new Address(name, "ada", "example.com");
    RenderedMessage plain = Mails.simple();
    RenderedMessage message =
        new RenderedMessage(
            plain.id(),
            plain.date(),
            address,
            Recipients.of(address),
            List.of(),
            "x",
            null,
            "x",
            List.of(),
            List.of());
    assertThat(parsed(message).from()).isEqualTo(name + " <ada@example.com>");
    assertThat(parsed(message).to()).containsExactly(name + " <ada@example.com>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain.txt",
        "with space.txt",
        "quote\".txt",
        "semi;colon=x.txt",
        "=?UTF-8?B?SGFja2Vk?=.txt",
        "Überweisung.pdf",
        "请求.pdf",
        "percent%41.txt",
        "star*'.txt",
        "tab\t.txt",
      })
  void aFileNameIsReadAsItWasWritten(String name) {
    RenderedMessage message =
        Mails.withAttachments(Attachment.of(name, "text/plain", new byte[] {1}));
    assertThat(parsed(message).parts().get(1).fileName()).isEqualTo(name);
  }

  @Test
  void plainAsciiGoesAsItIsAndTheRestEncoded() {
    assertThat(text("Hello\n").encoding()).isEqualTo("7bit");
    assertThat(text("Grüße und viele andere Wörter\n").encoding()).isEqualTo("quoted-printable");
    assertThat(text("東京都千代田区").encoding()).isEqualTo("base64");
    assertThat(text("x".repeat(1_000)).encoding()).isEqualTo("quoted-printable");
    assertThat(text("nul \0 here").encoding()).isEqualTo("quoted-printable");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        ".",
        "..",
        ".\n.\n",
        "From me\nFrom you ü",
        "ends in space \nü ",
        "= ü =\n==",
        "ü\tü\t\n",
        "--=_01890000-0000-7000-8000-000000000001_a--\n",
        "a\0b\u0001c\u007fd",
        "ü🚀東京 x",
      })
  void aTextIsReadAsItWasWritten(String text) {
    String given = text(text).text();
    String expected = text.replace("\n", "\r\n");
    assertThat(given.stripTrailing()).isEqualTo(expected.stripTrailing());
    RenderedMessage both =
        Mails.of(Email.to("a@example.com").subject("x").text(text).html("<b>x</b>"));
    assertThat(parsed(both).parts().get(0).text()).isEqualTo(expected);
    assertThat(parsed(both).parts()).hasSize(2);
  }

  private static Parsed.Part text(String text) {
    return parsed(Mails.of(Email.to("a@example.com").subject("x").text(text))).only();
  }

  @Test
  void aTextIsMadeFromTheHtmlWhereThereIsNone() {
    RenderedMessage message =
        Mails.of(
            Email.to("a@example.com")
                .subject("x")
                .html(
                    "<h1>Hi &amp; welcome</h1><p>Go <a href=\"https://x.example/\">here</a></p>"));
    Parsed parsed = parsed(message);
    assertThat(parsed.structure()).isEqualTo("alternative(text/plain, text/html)");
    assertThat(parsed.parts().get(0).text())
        .isEqualTo("Hi & welcome\r\n\r\nGo here (https://x.example/)\r\n");
  }

  @Test
  void oneClickUnsubscribeIsAsTheStandardWantsIt() {
    RenderedMessage message =
        Mails.of(
            Email.to("a@example.com")
                .subject("x")
                .text("x")
                .oneClickUnsubscribe(URI.create("https://shop.example/u?id=" + "4".repeat(200))));
    Parsed parsed = parsed(message);
    assertThat(parsed.header("List-Unsubscribe").replaceAll("\\s", ""))
        .isEqualTo("<https://shop.example/u?id=" + "4".repeat(200) + ">");
    assertThat(parsed.header("List-Unsubscribe-Post")).isEqualTo("List-Unsubscribe=One-Click");
  }

  @Test
  void mailsByMachinesSaySoUnlessTheHostSaysSomethingElse() {
    assertThat(parsed(Mails.simple()).header("Auto-Submitted")).isEqualTo("auto-generated");
    RenderedMessage own =
        Mails.of(Email.to("a@example.com").subject("x").text("x").header("auto-submitted", "no"));
    assertThat(parsed(own).header("Auto-Submitted")).isEqualTo("no");
  }

  @Test
  void anEmailWithHiddenRecipientsOnlyNamesNobody() {
    RenderedMessage plain = Mails.simple();
    RenderedMessage hidden =
        new RenderedMessage(
            plain.id(),
            plain.date(),
            plain.from(),
            new Recipients(List.of(), List.of(), List.of(Address.parse("b@example.com"))),
            List.of(),
            "x",
            null,
            "x",
            List.of(),
            List.of());
    assertThat(parsed(hidden).header("To")).isEqualTo("undisclosed-recipients:;");
    assertThat(raw(hidden)).doesNotContain("b@example.com");
  }
}
