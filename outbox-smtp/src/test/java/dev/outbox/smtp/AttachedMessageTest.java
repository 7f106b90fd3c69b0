package dev.outbox.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.Attachment;
import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.email.State;
import dev.outbox.testkit.TestOutbox;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.RenderedMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attachments of the type message, which go out as they are; RFC 2045 (6.4), RFC 2046 (5.2.1). */
class AttachedMessageTest {

  private static final String HEADER = "Subject: inner\r\nFrom: a@example.com\r\n\r\n";
  private static final String ASCII = HEADER + "Hello\r\n.\r\n..two\r\nFrom here\r\n";
  private static final String UTF_8_BODY = HEADER + "Grüße\r\n";

  private final ScriptedServer server = ScriptedServer.start();

  @AfterEach
  void close() {
    server.close();
  }

  private static Attachment attached(String content) {
    return attached("message/rfc822", content.getBytes(UTF_8));
  }

  private static Attachment attached(String type, byte[] content) {
    return Attachment.of("private-name.eml", type, content);
  }

  private static String raw(RenderedMessage message) {
    return new String(MimeComposer.compose(message).toArray(), ISO_8859_1);
  }

  private DeliveryResult.Answered send(RenderedMessage message, String... extensions) {
    server.offer(extensions);
    try (SmtpTransport transport = SmtpTransport.over(server.relay())) {
      return (DeliveryResult.Answered)
          transport.deliver(
              Mails.envelope("ada@example.com"), transport.compose(message), () -> true);
    }
  }

  private static Status only(DeliveryResult.Answered result) {
    return result.recipients().get(0).status();
  }

  @Test
  void anAsciiMessageIsAttachedAsSevenBit() {
    String raw = raw(Mails.withAttachments(attached(ASCII)));
    assertThat(raw)
        .contains("Content-Type: message/rfc822\r\nContent-Transfer-Encoding: 7bit\r\n")
        .contains("\r\n\r\n" + ASCII + "\r\n--=_")
        .doesNotContain("base64")
        .doesNotContain("8bit");
  }

  @Test
  void aMessageWithBytesOutsideAsciiIsAttachedAsEightBitAndSoIsWhatContainsIt() {
    String raw = raw(Mails.withAttachments(attached(ASCII), attached(UTF_8_BODY)));
    assertThat(raw)
        .contains("_m\"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n--=_")
        .contains("Content-Type: message/rfc822\r\nContent-Transfer-Encoding: 7bit\r\n")
        .contains("Content-Type: message/rfc822\r\nContent-Transfer-Encoding: 8bit\r\n")
        .contains(new String(UTF_8_BODY.getBytes(UTF_8), ISO_8859_1));
  }

  @Test
  void anInlineMessageMakesEveryLevelAboveItEightBit() {
    Attachment inline =
        Attachment.inline("i", "i.eml", "message/rfc822", UTF_8_BODY.getBytes(UTF_8));
    RenderedMessage message =
        Mails.of(
            Email.to("a@example.com")
                .subject("x")
                .html("<p>x</p>")
                .attach(inline)
                .attach(Attachment.of("a.txt", "text/plain", new byte[] {1})));
    assertThat(raw(message))
        .contains("_m\"\r\nContent-Transfer-Encoding: 8bit\r\n")
        .contains("_a\"\r\nContent-Transfer-Encoding: 8bit\r\n")
        .contains("_r\"\r\nContent-Transfer-Encoding: 8bit\r\n");
  }

  @ParameterizedTest
  @CsvSource({
    "message/rfc822, 7bit",
    "MESSAGE/RFC822, 7bit",
    "message/delivery-status, 7bit",
    "message/global, 7bit",
    "application/octet-stream, base64",
    "messages/x, base64",
  })
  void noTypeBelowMessageIsEncoded(String type, String encoding) {
    RenderedMessage message = Mails.withAttachments(attached(type, ASCII.getBytes(UTF_8)));
    assertThat(raw(message))
        .contains("Content-Type: " + type + "\r\nContent-Transfer-Encoding: " + encoding + "\r\n");
  }

  @ParameterizedTest
  @CsvSource({
    "'a\nb', 'a CR or LF that is not part of a CRLF in line 1'",
    "'a\r\nb\rc', 'a CR or LF that is not part of a CRLF in line 2'",
    "'a\r\n\n', 'a CR or LF that is not part of a CRLF in line 2'",
    "'a\r', 'a CR or LF that is not part of a CRLF in line 1'",
    "'a\r\nb\r\n\0', 'a NUL in line 3'",
  })
  void aMessageThatCannotGoOutAsItIsIsInvalid(String content, String problem) {
    RenderedMessage message = Mails.withAttachments(attached(ASCII), attached(content));
    assertThatThrownBy(() -> MimeComposer.compose(message))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessage(
            "attachment 2: a type that starts with message/ is sent without an encoding, and the"
                + " content has "
                + problem);
  }

  @Test
  void aLineOfAnAttachedMessageHasAtMost998Bytes() {
    String longest = "x".repeat(998);
    assertThat(raw(Mails.withAttachments(attached(longest + "\r\n" + longest)))).contains(longest);
    for (String content : new String[] {longest + "x", "a\r\n" + longest + "x\r\nb"}) {
      assertThatThrownBy(() -> MimeComposer.compose(Mails.withAttachments(attached(content))))
          .isInstanceOf(InvalidEmailException.class)
          .hasMessageContaining("more than 998 bytes in line " + (content.startsWith("a") ? 2 : 1));
    }
  }

  @Test
  void anEmailWithSuchAnAttachmentBecomesInvalid() {
    try (SmtpTransport smtp = SmtpTransport.over(server.relay());
        TestOutbox mail = TestOutbox.with(builder -> builder.transport(smtp))) {
      EmailSummary email = process(mail, attached("bare\nline feed"));
      assertThat(email.state()).isEqualTo(State.INVALID);
      assertThat(email.reason()).startsWith("attachment 1: ").doesNotContain("private-name");
    }
    assertThat(server.connections()).isZero();
  }

  private static EmailSummary process(TestOutbox mail, Attachment attachment) {
    var id =
        mail.outbox()
            .send(
                Email.to("ada@example.com")
                    .from("shop@example.com")
                    .subject("x")
                    .text("x")
                    .attach(attachment)
                    .build())
            .id();
    mail.process();
    return mail.outbox().find(id).orElseThrow().summary();
  }

  @Test
  void aBoundaryNeverOccursInAnAttachedMessage() {
    String stem = "=_" + Mails.ID;
    String hostile =
        HEADER
            + "\r\n--%s_m\r\nContent-Type: text/html\r\n\r\nevil\r\n--%s_1_m--\r\n"
                .formatted(stem, stem);
    RenderedMessage message = Mails.withAttachments(attached(hostile), attached(ASCII));
    Parsed parsed = Parsed.of(MimeComposer.compose(message).toArray());
    assertThat(parsed.structure()).isEqualTo("mixed(text/plain, message/rfc822, message/rfc822)");
    assertThat(MimeComposer.compose(message)).isEqualTo(MimeComposer.compose(message));
    assertThat(raw(message)).contains(hostile);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PIPELINING", "SIZE"})
  void aRelayWithoutEightBitMimeGetsNoMessageThatNeedsIt(String extension) {
    DeliveryResult.Answered result = send(Mails.withAttachments(attached(UTF_8_BODY)), extension);
    assertThat(only(result)).isEqualTo(Status.REFUSED);
    assertThat(result.response())
        .isEqualTo("the relay does not offer 8BITMIME, which an attached message needs");
    assertThat(server.count("EHLO")).isEqualTo(1);
    assertThat(server.count("MAIL")).isZero();
  }

  @Test
  void anEmailThatNoRelayCanTakeFailsWithThatReason() {
    try (SmtpTransport smtp = SmtpTransport.over(server.relay());
        TestOutbox mail = TestOutbox.with(builder -> builder.transport(smtp))) {
      EmailSummary email = process(mail, attached(UTF_8_BODY));
      assertThat(email.state()).isEqualTo(State.FAILED);
      assertThat(email.code()).isEqualTo(FailureCode.REFUSED);
      assertThat(email.reason()).contains("does not offer 8BITMIME");
    }
  }

  @Test
  void eightBitContentIsAnnouncedAndArrivesAsItIs() {
    RenderedMessage message = Mails.withAttachments(attached(UTF_8_BODY));
    assertThat(only(send(message, "PIPELINING", "8BITMIME"))).isEqualTo(Status.ACCEPTED);
    assertThat(server.commands()).contains("MAIL FROM:<shop@example.com> BODY=8BITMIME");
    assertThat(server.only().unstuffed()).isEqualTo(MimeComposer.compose(message).toArray());
  }

  @Test
  void sevenBitContentIsNotAnnouncedAsEightBit() {
    RenderedMessage message = Mails.withAttachments(attached(ASCII));
    assertThat(only(send(message, "8BITMIME"))).isEqualTo(Status.ACCEPTED);
    assertThat(server.commands()).contains("MAIL FROM:<shop@example.com>");
    assertThat(server.only().unstuffed()).isEqualTo(MimeComposer.compose(message).toArray());
  }

  @Test
  void anInternationalAddressIsAnnouncedWithoutEightBitWhereTheRelayDoesNotOfferIt() {
    server.offer("SMTPUTF8");
    Bytes message = MimeComposer.compose(Mails.simple());
    try (SmtpTransport transport = SmtpTransport.over(server.relay())) {
      transport.deliver(Mails.envelope("jürgen@example.com"), message, () -> true);
    }
    assertThat(server.commands()).contains("MAIL FROM:<shop@example.com> SMTPUTF8");
  }

  @Test
  void eightBitIsSeenWhereverItIsInTheBody() {
    for (int i = 0; i < 40; i++) {
      String body = "x".repeat(i) + "ü" + "x".repeat(i % 7);
      DotStuffedMessage message =
          DotStuffedMessage.of(Bytes.utf8("Subject: x\r\n\r\n" + body + "\r\nend\r\n"));
      assertThat(message.needsEightBit()).as(body).isTrue();
      assertThat(message.needsUtf8()).isFalse();
    }
    DotStuffedMessage header = DotStuffedMessage.of(Bytes.utf8("Subject: ü\r\n\r\nx\r\n"));
    assertThat(header.needsEightBit()).isFalse();
    assertThat(header.needsUtf8()).isTrue();
  }
}
