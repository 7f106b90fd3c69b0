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
  private final WireMessage message;
  private final Requirements requirements;
  private final SendPermit permit;
  private final SmtpRelay.Timeouts timeouts;
  private final List<Answer> answers = new ArrayList<>();
  private Step step = Step.MAIL;
  private boolean inMessage;
  private boolean dotWritten;
  private boolean reusable = true;
  private boolean needsReset;

  MailTransaction(
      SmtpConnection connection, Envelope envelope, WireMessage message, SendPermit permit) {
    this.connection = connection;
    this.envelope = envelope;
    this.message = message;
    this.requirements = new Requirements(envelope, message);
    this.permit = permit;
    this.timeouts = connection.relay().timeouts();
  }

  /** What the relay said about one recipient. */
  private record Answer(Step step, Reply reply, Verdict verdict) {}

  Attempt run() {
    try {
      Attempt attempt = talk();
      if (reusable && needsReset) {
        reusable = connection.reset();
      }
      return attempt;
    } catch (IOException e) {
      reusable = false;
      return dotWritten
          ? settled(new DeliveryResult.Unknown("no answer to the message's end"))
          : new Attempt.Lost(step, inMessage);
    } catch (LeavingException e) {
      reusable = false;
      Trouble trouble = Trouble.of(step, Verdict.SLOW_DOWN, e.reply);
      return new Attempt.Troubled(trouble, List.of(), step == Step.MAIL);
    }
  }

  /** Returns whether another email can go over the connection. */
  boolean isReusable() {
    return reusable;
  }

  private Attempt talk() throws IOException, LeavingException {
    String obstacle = requirements.obstacle(connection);
    if (obstacle != null) {
      return allRefused(obstacle);
    }
    boolean pipelining = connection.offers("PIPELINING");
    Reply mail = pipelining ? offerAtOnce() : offerOneByOne();
    Verdict verdict = Verdict.of(Step.MAIL, mail);
    if (verdict != Verdict.ACCEPTED && inMessage) {
      // It refused the sender and waits for the message all the same.
      reusable = false;
    }
    if (verdict == Verdict.PERMANENT) {
      needsReset = true;
      return allRefused(mail.text());
    }
    if (verdict != Verdict.ACCEPTED) {
      needsReset = true;
      return new Attempt.Troubled(Trouble.of(Step.MAIL, verdict, mail), List.of(), false);
    }
    return inMessage ? hand() : judged();
  }

  /** Sends MAIL, every RCPT and DATA with as few waits as there can be. */
  private Reply offerAtOnce() throws IOException, LeavingException {
    List<Address> recipients = envelope.recipients();
    Reply mail = null;
    for (int start = 0; start < recipients.size(); start += GROUP) {
      int end = Math.min(start + GROUP, recipients.size());
      ByteBuilder commands = new ByteBuilder(128 + 64 * (end - start));
      if (start == 0) {
        mailFrom(commands);
      }
      recipients.subList(start, end).forEach(each -> rcptTo(commands, each));
      if (end == recipients.size()) {
        commands.add("DATA\r\n");
      }
      write(commands);
      if (start == 0) {
        mail = read(Step.MAIL);
      }
      for (int i = start; i < end; i++) {
        answer(read(Step.RCPT));
      }
    }
    data(read(Step.DATA));
    return Objects.requireNonNull(mail);
  }

  private Reply offerOneByOne() throws IOException, LeavingException {
    ByteBuilder command = new ByteBuilder(128);
    mailFrom(command);
    write(command);
    Reply mail = read(Step.MAIL);
    if (!mail.is2xx()) {
      return mail;
    }
    for (Address recipient : envelope.recipients()) {
      ByteBuilder rcpt = new ByteBuilder(128);
      rcptTo(rcpt, recipient);
      write(rcpt);
      answer(read(Step.RCPT));
    }
    if (anyAccepted()) {
      write(new ByteBuilder(6).add("DATA\r\n"));
      data(read(Step.DATA));
    }
    return mail;
  }

  private void answer(Reply reply) {
    answers.add(new Answer(Step.RCPT, reply, Verdict.of(Step.RCPT, reply)));
  }

  private void data(Reply reply) {
    Verdict verdict = Verdict.of(Step.DATA, reply);
    if (verdict != Verdict.ACCEPTED) {
      replaceAccepted(Step.DATA, reply, verdict);
    } else if (anyAccepted()) {
      inMessage = true;
    } else {
      // It waits for a message that is for nobody.
      reusable = false;
    }
  }

  /** Sends the message to those who were accepted, if we still may. */
  private Attempt hand() throws IOException, LeavingException {
    step = Step.DOT;
    ByteBuilder bytes = message.withDot();
    boolean small = bytes.length() <= ONE_WRITE;
    if (!small) {
      connection.write(bytes, 0, message.length(), timeouts.delivery());
    }
    if (!permit.stands()) {
      reusable = false;
      return settled(new DeliveryResult.Withheld());
    }
    dotWritten = true;
    int from = small ? 0 : message.length();
    connection.write(bytes, from, bytes.length() - from, timeouts.finalReply());
    Reply reply = read(Step.DOT);
    replaceAccepted(Step.DOT, reply, Verdict.of(Step.DOT, reply));
    return judged();
  }

  private void replaceAccepted(Step at, Reply reply, Verdict verdict) {
    answers.replaceAll(
        each -> each.verdict() == Verdict.ACCEPTED ? new Answer(at, reply, verdict) : each);
  }

  private boolean anyAccepted() {
    return answers.stream().anyMatch(each -> each.verdict() == Verdict.ACCEPTED);
  }

  /** Puts together what was said about each recipient. */
  private Attempt judged() {
    List<RecipientResult> results = new ArrayList<>(answers.size());
    Trouble trouble = null;
    boolean attemptUsed = true;
    boolean anyDone = false;
    String response = null;
    for (int i = 0; i < answers.size(); i++) {
      Answer answer = answers.get(i);
      Status status = status(answer.verdict());
      anyDone |= status != Status.OPEN;
      needsReset |= answer.verdict() != Verdict.ACCEPTED;
      if (isAboutUs(answer.verdict())) {
        trouble = Trouble.of(answer.step(), answer.verdict(), answer.reply());
      }
      if (response == null || status != Status.ACCEPTED) {
        response = answer.reply().text();
      }
      results.add(
          new RecipientResult(envelope.recipients().get(i).email(), status, answer.reply().text()));
    }
    if (trouble != null) {
      attemptUsed = answers.stream().anyMatch(each -> each.verdict() == Verdict.TRANSIENT);
    }
    return attemptUsed
        ? new Attempt.Settled(new DeliveryResult.Answered(results, response), trouble)
        : new Attempt.Troubled(
            Objects.requireNonNull(trouble), anyDone ? results : List.of(), false);
  }

  private static boolean isAboutUs(Verdict verdict) {
    return verdict == Verdict.SLOW_DOWN || verdict == Verdict.REFUSED_US;
  }

  private static Status status(Verdict verdict) {
    return switch (verdict) {
      case ACCEPTED -> Status.ACCEPTED;
      case PERMANENT -> Status.REFUSED;
      default -> Status.OPEN;
    };
  }

  private Attempt allRefused(String words) {
    List<RecipientResult> results =
        envelope.recipients().stream()
            .map(each -> new RecipientResult(each.email(), Status.REFUSED, words))
            .toList();
    return settled(new DeliveryResult.Answered(results, words));
  }

  private static Attempt settled(DeliveryResult result) {
    return new Attempt.Settled(result, null);
  }

  private void write(ByteBuilder commands) throws IOException {
    connection.write(commands, 0, commands.length(), timeouts.reply());
  }

  private Reply read(Step at) throws IOException, LeavingException {
    step = at;
    Reply reply = connection.read();
    if (Verdict.of(at, reply) == Verdict.GARBLED) {
      throw new IOException("no usable answer");
    }
    if (reply.code() == 421) {
      throw new LeavingException(reply);
    }
    return reply;
  }

  private void mailFrom(ByteBuilder out) {
    out.add("MAIL FROM:<").add(envelope.from().email()).add(">");
    out.add(requirements.mailParameters(connection)).line();
  }

  private static void rcptTo(ByteBuilder out, Address recipient) {
    out.add("RCPT TO:<").add(recipient.email()).add(">\r\n");
  }

  /** The relay said that it closes the connection. */
  private static final class LeavingException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Reply reply;

    LeavingException(Reply reply) {
      this.reply = reply;
    }
  }
}
