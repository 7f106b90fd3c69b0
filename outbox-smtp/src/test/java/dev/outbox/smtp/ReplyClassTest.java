package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of docs/smtp.md, row by row. */
class ReplyClassTest {

  private static ReplyClass of(SmtpStep step, String answer) {
    int code = answer.matches("\\d{3}.*") ? Integer.parseInt(answer.substring(0, 3)) : -1;
    return ReplyClass.of(step, SmtpReply.of(code, answer + "\n"));
  }

  @ParameterizedTest
  @CsvSource({
    // accepted
    "MAIL, 250 2.1.0 ok, ACCEPTED",
    "RCPT, 250 2.1.5 ok, ACCEPTED",
    "RCPT, 251 user not local; will forward, ACCEPTED",
    "RCPT, 252 cannot verify, ACCEPTED",
    "DATA, 354 go ahead, ACCEPTED",
    "DOT, 250 2.0.0 queued, ACCEPTED",
    "DOT, 250, ACCEPTED",
    // slow down
    "CONNECT, 421 4.3.2 too busy, SLOW_DOWN",
    "HELLO, 421 bye, SLOW_DOWN",
    "MAIL, 421 4.7.0 too many errors, SLOW_DOWN",
    "RCPT, 421 4.2.2 odd, SLOW_DOWN",
    "DATA, 421 bye, SLOW_DOWN",
    "DOT, 421 4.4.2 timeout, SLOW_DOWN",
    "TLS, 454 4.7.0 TLS not available, SLOW_DOWN",
    "AUTH, 454 4.7.0 temporary authentication failure, SLOW_DOWN",
    "RCPT, 454 throttled, SLOW_DOWN",
    "DOT, 454 Throttling failure: maximum sending rate exceeded, SLOW_DOWN",
    "CONNECT, 450 later, SLOW_DOWN",
    "HELLO, 451 later, SLOW_DOWN",
    "AUTH, 432 4.7.12 password transition, SLOW_DOWN",
    "MAIL, 451 4.2.0 later, SLOW_DOWN",
    "MAIL, 452 4.2.2 full, SLOW_DOWN",
    "RCPT, 451 4.3.0 internal error, SLOW_DOWN",
    "RCPT, 452 4.3.1 insufficient system storage, SLOW_DOWN",
    "RCPT, 450 4.7.1 rate limited, SLOW_DOWN",
    "DATA, 451 4.3.5 configuration, SLOW_DOWN",
    "DOT, 452 4.3.1 queue full, SLOW_DOWN",
    "DOT, 451 4.7.650 try later, SLOW_DOWN",
    // transient: that recipient's, or that message's
    "RCPT, 450 4.2.0 greylisted, TRANSIENT",
    "RCPT, 452 4.2.2 mailbox full, TRANSIENT",
    "RCPT, 452 4.5.3 too many recipients, TRANSIENT",
    "RCPT, 451 4.4.1 no route, TRANSIENT",
    "RCPT, 450 no status, TRANSIENT",
    "DATA, 451 4.6.0 later, TRANSIENT",
    "DOT, 451 4.6.0 scanner, TRANSIENT",
    "DOT, 450 4.2.2 full, TRANSIENT",
    "DOT, 451 no status, TRANSIENT",
    // permanent
    "RCPT, 550 5.1.1 no such user, PERMANENT",
    "RCPT, 550 no status, PERMANENT",
    "RCPT, 552 5.2.2 over quota, PERMANENT",
    "RCPT, 553 5.1.3 bad address, PERMANENT",
    "RCPT, 554 5.7.1 relay access denied, PERMANENT",
    "RCPT, 550 5.7.1 blocked, PERMANENT",
    "DATA, 554 5.5.1 no valid recipients, PERMANENT",
    "DATA, 550 5.7.1 no, PERMANENT",
    "DOT, 554 5.7.1 spam, PERMANENT",
    "DOT, 552 5.3.4 too big, PERMANENT",
    "DOT, 550 5.7.26 unauthenticated, PERMANENT",
    // at MAIL, what is about this email alone
    "MAIL, 552 5.3.4 too big, PERMANENT",
    "MAIL, 552 too big, PERMANENT",
    "MAIL, 550 5.1.8 sender's domain unknown, PERMANENT",
    "MAIL, 553 5.1.7 bad sender, PERMANENT",
    "MAIL, 553 bad sender, PERMANENT",
    "MAIL, 550 5.6.7 not international, PERMANENT",
    // refused us
    "CONNECT, 554 5.7.1 blocked, REFUSED_US",
    "CONNECT, 550 no, REFUSED_US",
    "HELLO, 550 5.7.1 bad name, REFUSED_US",
    "HELLO, 502 what, REFUSED_US",
    "TLS, 502 5.5.1 no TLS, REFUSED_US",
    "AUTH, 535 5.7.8 wrong password, REFUSED_US",
    "AUTH, 535 no, REFUSED_US",
    "AUTH, 534 5.7.9 mechanism too weak, REFUSED_US",
    "AUTH, 504 5.5.4 unknown mechanism, REFUSED_US",
    "MAIL, 530 5.7.0 authentication required, REFUSED_US",
    "MAIL, 530 must issue STARTTLS, REFUSED_US",
    "MAIL, 550 5.7.1 not allowed, REFUSED_US",
    "MAIL, 550 no, REFUSED_US",
    "MAIL, 554 5.7.8 credentials, REFUSED_US",
    "RCPT, 530 5.7.0 authentication required, REFUSED_US",
    "RCPT, 535 5.7.8 no, REFUSED_US",
    "RCPT, 550 5.7.8 credentials invalid, REFUSED_US",
    "DOT, 530 5.7.0 authentication required, REFUSED_US",
    // no answers
    "MAIL, 354 what, GARBLED",
    "RCPT, 334 what, GARBLED",
    "DATA, 250 what, GARBLED",
    "DOT, 354 what, GARBLED",
    "DOT, 199 what, GARBLED",
    "RCPT, hello, GARBLED",
    "DOT, [EOF], GARBLED",
  })
  void eachRow(SmtpStep step, String answer, ReplyClass replyClass) {
    assertThat(of(step, answer)).isEqualTo(replyClass);
  }

  /** Whatever a relay says, the big lines hold. */
  @Test
  void everyCodeAtEveryStepKeepsToTheTable() {
    for (SmtpStep step : SmtpStep.values()) {
      for (int code = 400; code < 600; code++) {
        for (String status : new String[] {"", " X.1.1", " X.2.2", " X.3.1", " X.7.1", " X.7.8"}) {
          String answer = code + status.replace('X', code < 500 ? '4' : '5') + " words";
          ReplyClass replyClass = of(step, answer);
          if (code < 500) {
            boolean aboutTheRelay =
                step.compareTo(SmtpStep.RCPT) < 0
                    || code == 421
                    || code == 454
                    || status.contains(".3.")
                    || status.contains(".7.");
            assertThat(replyClass)
                .as("%s %s", step, answer)
                .isEqualTo(aboutTheRelay ? ReplyClass.SLOW_DOWN : ReplyClass.TRANSIENT);
          } else {
            assertThat(replyClass)
                .as("%s %s", step, answer)
                .isIn(EnumSet.of(ReplyClass.PERMANENT, ReplyClass.REFUSED_US));
          }
        }
      }
    }
  }

  @Test
  void aStatusIsReadOnlyWhereItStands() {
    assertThat(SmtpReply.of(450, "450 4.2.1 x\n").status()).isEqualTo("4.2.1");
    assertThat(SmtpReply.of(250, "250-2.1.5 a\n250 2.1.5 b\n").status()).isEqualTo("2.1.5");
    for (String none :
        new String[] {
          "450 mail 4.2.1", "450", "450 ", "450 4.2", "450 4.", "450 4..1", "450 9.1.1"
        }) {
      assertThat(SmtpReply.of(450, none + "\n").status()).as(none).isEmpty();
    }
  }

  @Test
  void aReplyIsKeptOnOneBoundedLine() {
    assertThat(SmtpReply.of(250, "250-a\r\n250 b\n").text()).isEqualTo("250-a  250 b");
    assertThat(SmtpReply.of(550, "550 " + "x".repeat(2_000)).text()).hasSize(500);
    assertThat(SmtpReply.of(550, "550 Gr\u00c3\u00bc\u00c3\u009fe\n").text())
        .isEqualTo("550 Grüße");
    assertThat(SmtpReply.of(550, "550 caf\u00e9\n").text()).isEqualTo("550 café");
    assertThat(SmtpReply.of(550, "550 5.1.1 <ada@example.com> unknown\n").toString())
        .isEqualTo("550 5.1.1");
  }
}
