package dev.outbox.smtp;

import dev.outbox.email.Address;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.SendPermit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The dialogue about one email on one connection, from MAIL to the answer after the dot. */
final class MailTransaction {

  /** Recipients in one write: the answers to more could fill the buffers of both sides. */
  private static final int GROUP = 100;

  /**
   * Up to this size a message goes out in one write with its dot. The relay has answered DATA, so
   * that all before is off the socket's buffer, which is larger: the write cannot wait, and the
   * permit is as fresh as if the dot came alone.
   */
  private static final int ONE_WRITE = 16 << 10;

  private final SmtpConnection connection;
  private final Envelope envelope;
  private final DotStuffedMessage message;
  private final MessageRequirements requirements;
  private final SendPermit permit;
  private final SmtpRelay.Timeouts timeouts;
  private final List<ClassifiedReply> answers = new ArrayList<>();
  private SmtpStep step = SmtpStep.MAIL;
  private boolean inMessage;
  private boolean dotWritten;
  private boolean reusable = true;
  private boolean needsReset;

  MailTransaction(
      SmtpConnection connection, Envelope envelope, DotStuffedMessage message, SendPermit permit) {
    this.connection = connection;
    this.envelope = envelope;
    this.message = message;
    this.requirements = new MessageRequirements(envelope, message);
    this.permit = permit;
    this.timeouts = connection.relay().timeouts();
  }

  /** What the relay said about one recipient. */
  private record ClassifiedReply(SmtpStep step, SmtpReply reply, ReplyClass verdict) {}

  DeliveryAttempt run() {
    try {
      DeliveryAttempt attempt = talk();
      if (reusable && needsReset) {
        reusable = connection.reset();
      }
      return attempt;
    } catch (IOException e) {
      reusable = false;
      return dotWritten
          ? settled(new DeliveryResult.Unknown("no answer to the message's end"))
          : new DeliveryAttempt.ConnectionLost(step, inMessage);
    } catch (LeavingException e) {
      reusable = false;
      RelayFailure failure = RelayFailure.of(step, ReplyClass.SLOW_DOWN, e.reply);
      return new DeliveryAttempt.RelayFailed(failure, List.of(), step == SmtpStep.MAIL);
    }
  }

  /** Returns whether another email can go over the connection. */
  boolean isReusable() {
    return reusable;
  }

  private DeliveryAttempt talk() throws IOException, LeavingException {
    String obstacle = requirements.obstacle(connection);
    if (obstacle != null) {
      return allRefused(obstacle);
    }
    boolean pipelining = connection.offers("PIPELINING");
    SmtpReply mail = pipelining ? offerAtOnce() : offerOneByOne();
    ReplyClass replyClass = ReplyClass.of(SmtpStep.MAIL, mail);
    if (replyClass != ReplyClass.ACCEPTED && inMessage) {
      // It refused the sender and waits for the message all the same.
      reusable = false;
    }
    if (replyClass == ReplyClass.PERMANENT) {
      needsReset = true;
      return allRefused(mail.text());
    }
    if (replyClass != ReplyClass.ACCEPTED) {
      needsReset = true;
      return new DeliveryAttempt.RelayFailed(
          RelayFailure.of(SmtpStep.MAIL, replyClass, mail), List.of(), false);
    }
    return inMessage ? hand() : classify();
  }

  /** Sends MAIL, every RCPT and DATA with as few waits as there can be. */
  private SmtpReply offerAtOnce() throws IOException, LeavingException {
    List<Address> recipients = envelope.recipients();
    SmtpReply mail = null;
    for (int start = 0; start < recipients.size(); start += GROUP) {
      int end = Math.min(start + GROUP, recipients.size());
      ByteArrayBuilder commands = new ByteArrayBuilder(128 + 64 * (end - start));
      if (start == 0) {
        mailFrom(commands);
      }
      recipients.subList(start, end).forEach(each -> rcptTo(commands, each));
      if (end == recipients.size()) {
        commands.add("DATA\r\n");
      }
      write(commands);
      if (start == 0) {
        mail = read(SmtpStep.MAIL);
      }
      for (int i = start; i < end; i++) {
        answer(read(SmtpStep.RCPT));
      }
    }
    data(read(SmtpStep.DATA));
    return Objects.requireNonNull(mail);
  }

  private SmtpReply offerOneByOne() throws IOException, LeavingException {
    ByteArrayBuilder command = new ByteArrayBuilder(128);
    mailFrom(command);
    write(command);
    SmtpReply mail = read(SmtpStep.MAIL);
    if (!mail.is2xx()) {
      return mail;
    }
    for (Address recipient : envelope.recipients()) {
      ByteArrayBuilder rcpt = new ByteArrayBuilder(128);
      rcptTo(rcpt, recipient);
      write(rcpt);
      answer(read(SmtpStep.RCPT));
    }
    if (anyAccepted()) {
      write(new ByteArrayBuilder(6).add("DATA\r\n"));
      data(read(SmtpStep.DATA));
    }
    return mail;
  }

  private void answer(SmtpReply reply) {
    answers.add(new ClassifiedReply(SmtpStep.RCPT, reply, ReplyClass.of(SmtpStep.RCPT, reply)));
  }

  private void data(SmtpReply reply) {
    ReplyClass replyClass = ReplyClass.of(SmtpStep.DATA, reply);
    if (replyClass != ReplyClass.ACCEPTED) {
      replaceAccepted(SmtpStep.DATA, reply, replyClass);
    } else if (anyAccepted()) {
      inMessage = true;
    } else {
      // It waits for a message that is for nobody.
      reusable = false;
    }
  }

  /** Sends the message to those who were accepted, if we still may. */
  private DeliveryAttempt hand() throws IOException, LeavingException {
    step = SmtpStep.DOT;
    ByteArrayBuilder bytes = message.withDot();
    boolean small = bytes.length() <= ONE_WRITE;
    if (!small) {
      connection.write(bytes, 0, message.length(), timeouts.delivery());
    }
    if (!permit.isValid()) {
      reusable = false;
      return settled(new DeliveryResult.NotSent());
    }
    dotWritten = true;
    int from = small ? 0 : message.length();
    connection.write(bytes, from, bytes.length() - from, timeouts.finalReply());
    SmtpReply reply = read(SmtpStep.DOT);
    replaceAccepted(SmtpStep.DOT, reply, ReplyClass.of(SmtpStep.DOT, reply));
    return classify();
  }

  private void replaceAccepted(SmtpStep at, SmtpReply reply, ReplyClass replyClass) {
    answers.replaceAll(
        each ->
            each.verdict() == ReplyClass.ACCEPTED
                ? new ClassifiedReply(at, reply, replyClass)
                : each);
  }

  private boolean anyAccepted() {
    return answers.stream().anyMatch(each -> each.verdict() == ReplyClass.ACCEPTED);
  }

  /** Puts together what was said about each recipient. */
  private DeliveryAttempt classify() {
    List<RecipientResult> results = new ArrayList<>(answers.size());
    RelayFailure failure = null;
    boolean attemptUsed = true;
    boolean anyDone = false;
    String response = null;
    for (int i = 0; i < answers.size(); i++) {
      ClassifiedReply answer = answers.get(i);
      Status status = status(answer.verdict());
      anyDone |= status != Status.PENDING;
      needsReset |= answer.verdict() != ReplyClass.ACCEPTED;
      if (isAboutUs(answer.verdict())) {
        failure = RelayFailure.of(answer.step(), answer.verdict(), answer.reply());
      }
      if (response == null || status != Status.ACCEPTED) {
        response = answer.reply().text();
      }
      results.add(
          new RecipientResult(envelope.recipients().get(i).email(), status, answer.reply().text()));
    }
    if (failure != null) {
      attemptUsed = answers.stream().anyMatch(each -> each.verdict() == ReplyClass.TRANSIENT);
    }
    return attemptUsed
        ? new DeliveryAttempt.Finished(new DeliveryResult.Answered(results, response), failure)
        : new DeliveryAttempt.RelayFailed(
            Objects.requireNonNull(failure), anyDone ? results : List.of(), false);
  }

  private static boolean isAboutUs(ReplyClass replyClass) {
    return replyClass == ReplyClass.SLOW_DOWN || replyClass == ReplyClass.REFUSED_US;
  }

  private static Status status(ReplyClass replyClass) {
    return switch (replyClass) {
      case ACCEPTED -> Status.ACCEPTED;
      case PERMANENT -> Status.REFUSED;
      default -> Status.PENDING;
    };
  }

  private DeliveryAttempt allRefused(String words) {
    List<RecipientResult> results =
        envelope.recipients().stream()
            .map(each -> new RecipientResult(each.email(), Status.REFUSED, words))
            .toList();
    return settled(new DeliveryResult.Answered(results, words));
  }

  private static DeliveryAttempt settled(DeliveryResult result) {
    return new DeliveryAttempt.Finished(result, null);
  }

  private void write(ByteArrayBuilder commands) throws IOException {
    connection.write(commands, 0, commands.length(), timeouts.reply());
  }

  private SmtpReply read(SmtpStep at) throws IOException, LeavingException {
    step = at;
    SmtpReply reply = connection.read();
    if (ReplyClass.of(at, reply) == ReplyClass.GARBLED) {
      throw new IOException("no usable answer");
    }
    if (reply.code() == 421) {
      throw new LeavingException(reply);
    }
    return reply;
  }

  private void mailFrom(ByteArrayBuilder out) {
    out.add("MAIL FROM:<").add(envelope.from().email()).add(">");
    out.add(requirements.mailParameters(connection)).line();
  }

  private static void rcptTo(ByteArrayBuilder out, Address recipient) {
    out.add("RCPT TO:<").add(recipient.email()).add(">\r\n");
  }

  /** The relay said that it closes the connection. */
  private static final class LeavingException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient SmtpReply reply;

    LeavingException(SmtpReply reply) {
      this.reply = reply;
    }
  }
}
