package dev.outbox.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A mail server that accepts everything and keeps nothing, as fast as it can read. A program of its
 * own, so that it shares no heap and no compiler with what is measured; {@link SinkProcess} starts
 * it. It prints its port.
 */
public final class SmtpSink {

  private static final byte[] END = "\r\n.\r\n".getBytes(StandardCharsets.US_ASCII);

  private SmtpSink() {}

  /** Serves until the process is ended. */
  public static void main(String[] args) throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress())) {
      System.out.println(listener.getLocalPort());
      while (true) {
        Socket client = listener.accept();
        Thread thread = new Thread(() -> serve(client));
        thread.setDaemon(true);
        thread.start();
      }
    }
  }

  private static void serve(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      new Dialogue(client).run();
    } catch (IOException e) {
      // The client has gone.
    }
  }

  /** Answers what was read in one write, as a pipelining server does. */
  private static final class Dialogue {
    private final InputStream in;
    private final OutputStream out;
    private final byte[] input = new byte[64 << 10];
    private final StringBuilder line = new StringBuilder();
    private final StringBuilder answers = new StringBuilder();
    private boolean inMessage;
    private int matched;

    Dialogue(Socket client) throws IOException {
      this.in = client.getInputStream();
      this.out = client.getOutputStream();
    }

    void run() throws IOException {
      say("220 sink");
      flush();
      for (int count = in.read(input); count >= 0; count = in.read(input)) {
        for (int i = 0; i < count; ) {
          i = inMessage ? message(i, count) : command(i, count);
        }
        flush();
      }
    }

    private int message(int from, int count) {
      for (int i = from; i < count; i++) {
        byte b = input[i];
        matched = b == END[matched] ? matched + 1 : b == '\r' ? 1 : 0;
        if (matched == END.length) {
          inMessage = false;
          say("250 2.0.0 ok");
          return i + 1;
        }
      }
      return count;
    }

    private int command(int from, int count) {
      for (int i = from; i < count; i++) {
        if (input[i] == '\n') {
          answer();
          line.setLength(0);
          return i + 1;
        }
        if (line.length() < 4) {
          line.append((char) input[i]);
        }
      }
      return count;
    }

    private void answer() {
      switch (line.toString()) {
        case "EHLO" -> answers.append("250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n");
        case "DATA" -> {
          say("354 go on");
          inMessage = true;
          matched = 2;
        }
        case "QUIT" -> say("221 2.0.0 bye");
        default -> say("250 2.0.0 ok");
      }
    }

    private void say(String answer) {
      answers.append(answer).append("\r\n");
    }

    private void flush() throws IOException {
      if (!answers.isEmpty()) {
        byte[] bytes = answers.toString().getBytes(StandardCharsets.US_ASCII);
        out.write(bytes);
        answers.setLength(0);
      }
    }
  }
}
