package dev.outbox.verification.chaos;

import dev.outbox.verification.chaos.RelayTemper.Mood;
import dev.outbox.verification.chaos.RelayTemper.Step;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One client's dialogue with the relay. */
final class RelayDialogue {

  private static final Pattern MESSAGE_ID =
      Pattern.compile("message-id: <([^@>]+)@.*", Pattern.CASE_INSENSITIVE);

  private static final Duration SLOW_REPLY = Duration.ofMillis(1_500);

  private final FaultyRelay relay;
  private final BufferedReader in;
  private final OutputStream out;
  private String node = "unknown";
  private String recipient = "";
  private boolean refused;

  RelayDialogue(FaultyRelay relay, Socket client) throws IOException {
    this.relay = relay;
    this.in =
        new BufferedReader(
            new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
    this.out = client.getOutputStream();
  }

  void run() throws IOException {
    answer(Step.CONNECT, "220 chaos.test");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String verb = line.toUpperCase(Locale.ROOT);
      if (verb.startsWith("EHLO")) {
        node = line.substring(4).strip().replace(".chaos.test", "");
        answer(Step.EHLO, "250-chaos.test\r\n250-PIPELINING\r\n250 8BITMIME");
      } else if (verb.startsWith("MAIL")) {
        answer(Step.MAIL, "250 2.1.0 ok");
      } else if (verb.startsWith("RCPT")) {
        recipient = line.substring(line.indexOf('<') + 1, line.indexOf('>'));
        refused = !answer(Step.RCPT, judged());
      } else if (verb.startsWith("DATA")) {
        data();
      } else if (verb.startsWith("QUIT")) {
        say("221 2.0.0 bye");
        return;
      } else {
        say("250 2.0.0 ok");
      }
    }
  }

  /** Returns what the recipient's fate says, whatever the relay's mood. */
  private String judged() {
    if (Request.Fate.REFUSED.isOf(recipient)) {
      return "550 5.1.1 nobody here";
    }
    return Request.Fate.PUT_OFF.isOf(recipient) ? "451 4.2.1 later" : "250 2.1.5 ok";
  }

  private void data() throws IOException {
    if (refused) {
      say("503 5.5.1 no recipient");
      return;
    }
    if (!answer(Step.DATA, "354 go on")) {
      return;
    }
    Mood body = relay.temper().at(Step.BODY);
    String id = "none";
    for (String line = in.readLine(); !".".equals(line); line = in.readLine()) {
      if (line == null) {
        throw new EOFException();
      }
      Matcher header = MESSAGE_ID.matcher(line);
      if (header.matches()) {
        id = header.group(1);
      }
      if (body == Mood.DROP || body == Mood.STALL) {
        if (body == Mood.STALL) {
          relay.wait(relay.times().stalledRelay());
        }
        throw new EOFException();
      }
    }
    dot(id);
  }

  private void dot(String id) throws IOException {
    Instant now = Instant.now();
    Mood mood = relay.temper().at(Step.DOT);
    if (mood == Mood.DEFER) {
      say("451 4.3.0 not now");
      return;
    }
    boolean unanswered = mood == Mood.DROP || mood == Mood.STALL || mood == Mood.BUSY;
    relay.take(
        new Reception(id, recipient, node, now, unanswered ? mood + " after the final dot" : null));
    relay.dot(node, false);
    switch (mood) {
      case STALL -> {
        relay.wait(relay.times().stalledRelay());
        throw new EOFException();
      }
      case DROP, BUSY -> throw new EOFException();
      case SLOW -> relay.wait(relay.times().slowRelay());
      default -> {}
    }
    say(mood == Mood.LONG ? lengthened("250 2.0.0 taken") : "250 2.0.0 taken");
    relay.dot(node, true);
    if (relay.temper().at(Step.ANSWERED) == Mood.DROP) {
      throw new EOFException();
    }
  }

  /** Answers, or does what the mood is; returns whether the client may go on. */
  private boolean answer(Step step, String words) throws IOException {
    switch (relay.temper().at(step)) {
      case STALL -> {
        relay.wait(relay.times().stalledRelay());
        throw new EOFException();
      }
      case DROP -> throw new EOFException();
      case DEFER -> {
        say("451 4.2.0 not now");
        return false;
      }
      case BUSY -> {
        say("421 4.3.2 too busy");
        throw new EOFException();
      }
      case LONG -> {
        say(lengthened(words));
        return words.startsWith("2") || words.startsWith("3");
      }
      case SLOW -> relay.wait(SLOW_REPLY);
      default -> {}
    }
    say(words);
    return words.startsWith("2") || words.startsWith("3");
  }

  /** Returns the same reply with thousands of characters more, in one line or in many. */
  private String lengthened(String words) {
    String more = Request.MARK + " " + "and so on ".repeat(20);
    return recipient.length() % 2 == 0
        ? words + " " + more.repeat(20)
        : (words.substring(0, 3) + "-" + more + "\r\n").repeat(20) + words;
  }

  private void say(String words) throws IOException {
    out.write((words + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }
}
