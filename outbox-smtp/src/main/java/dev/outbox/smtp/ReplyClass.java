package dev.outbox.smtp;

import java.util.Set;

/** What a relay's answer means, by its code, its enhanced status and the step it came at. */
enum ReplyClass {
  /** Go on; at the final dot: the relay has the email. */
  ACCEPTED,
  /** Not now, and not because of this email: the relay rests, no attempt is used up. */
  SLOW_DOWN,
  /** A recipient's or the message's passing trouble: an attempt is used up. */
  TRANSIENT,
  /** Refused for good. */
  PERMANENT,
  /** The relay does not want us, whatever we send: it is paused, no attempt is used up. */
  REFUSED_US,
  /** Not an answer; the connection is of no more use. */
  GARBLED;

  private static final Set<String> ABOUT_OUR_LOGIN = Set.of("5.7.8");

  /** The sender's address or the message's size: another email would not be refused at MAIL. */
  private static final Set<String> ABOUT_THIS_EMAIL =
      Set.of("5.1.7", "5.1.8", "5.2.3", "5.3.4", "5.6.7");

  private static final Set<Integer> ABOUT_THIS_EMAIL_WITHOUT_STATUS = Set.of(552, 553, 555);

  static ReplyClass of(SmtpStep step, SmtpReply reply) {
    if (step == SmtpStep.DATA ? reply.code() == 354 : reply.is2xx()) {
      return ACCEPTED;
    }
    if (reply.is4xx()) {
      return of4xx(step, reply);
    }
    return reply.is5xx() ? of5xx(step, reply) : GARBLED;
  }

  private static ReplyClass of4xx(SmtpStep step, SmtpReply reply) {
    boolean aboutTheRelay =
        reply.code() == 421
            || reply.code() == 454
            || step.isBeforeRecipients()
            || reply.status().startsWith("4.3.")
            || reply.status().startsWith("4.7.");
    return aboutTheRelay ? SLOW_DOWN : TRANSIENT;
  }

  private static ReplyClass of5xx(SmtpStep step, SmtpReply reply) {
    if (reply.code() == 530 || reply.code() == 535 || ABOUT_OUR_LOGIN.contains(reply.status())) {
      return REFUSED_US;
    }
    if (step == SmtpStep.MAIL && isAboutThisEmail(reply)) {
      return PERMANENT;
    }
    return step.isBeforeRecipients() ? REFUSED_US : PERMANENT;
  }

  private static boolean isAboutThisEmail(SmtpReply reply) {
    return reply.status().isEmpty()
        ? ABOUT_THIS_EMAIL_WITHOUT_STATUS.contains(reply.code())
        : ABOUT_THIS_EMAIL.contains(reply.status());
  }
}
