package dev.outbox.smtp;

import dev.outbox.transport.Envelope;
import org.jspecify.annotations.Nullable;

/** What one email needs of a relay: the extensions for bytes outside ASCII, and its size. */
final class MessageRequirements {

  private final boolean utf8;
  private final boolean eightBit;
  private final int length;

  MessageRequirements(Envelope envelope, DotStuffedMessage message) {
    this.utf8 =
        message.needsUtf8()
            || !isAscii(envelope.from().local())
            || envelope.recipients().stream().anyMatch(each -> !isAscii(each.local()));
    this.eightBit = message.needsEightBit();
    this.length = message.length();
  }

  /** Returns why a relay cannot take the email, whatever it would answer; null if it can. */
  @Nullable String obstacle(SmtpConnection relay) {
    if (utf8 && !relay.offers("SMTPUTF8")) {
      return "the relay does not offer SMTPUTF8, which an address needs";
    }
    if (eightBit && !relay.offers("8BITMIME")) {
      return "the relay does not offer 8BITMIME, which an attached message needs";
    }
    long most = relay.maxSize();
    return most > 0 && length > most
        ? "the message has %d bytes, the relay takes %d".formatted(length, most)
        : null;
  }

  /** Returns the parameters of MAIL, each with a space before it. */
  String mailParameters(SmtpConnection relay) {
    String body = (utf8 || eightBit) && relay.offers("8BITMIME") ? " BODY=8BITMIME" : "";
    return utf8 ? body + " SMTPUTF8" : body;
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 127) {
        return false;
      }
    }
    return true;
  }
}
