package dev.outbox.smtp;

/** Where in the dialogue a relay's answer came. */
enum SmtpStep {
  /** The connection itself and the relay's greeting. */
  CONNECT,
  /** EHLO, or HELO. */
  HELLO,
  /** STARTTLS and the handshake. */
  TLS,
  /** AUTH. */
  AUTH,
  /** MAIL FROM, with our sender. */
  MAIL,
  /** RCPT TO, with one recipient. */
  RCPT,
  /** DATA, before the message. */
  DATA,
  /** The answer after the message's final dot. */
  DOT;

  /** Returns whether no word about the email's recipients or content has been said yet. */
  boolean isBeforeRecipients() {
    return compareTo(RCPT) < 0;
  }
}
