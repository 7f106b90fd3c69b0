package dev.outbox.smtp;

import dev.outbox.email.Bytes;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * An SMTP server that does as it is told: it answers each step as usual, or with whatever a test
 * has scripted for that step, drops the connection there, or stalls.
 */
final class ScriptedServer implements AutoCloseable {

  /** Ends the connection instead of answering. */
  static final String DROP = "\0drop";

  /** Answers nothing and keeps the connection open. */
  static final String STALL = "\0stall";

  /** At DATA and STARTTLS: says yes, and ends the connection when what follows begins. */
  static final String GO_AHEAD_AND_DROP = "\0go";

  /** At DATA: says yes, and reads nothing of what follows. */
  static final String GO_AHEAD_AND_STALL = "\0go-stall";

  private final List<String> extensions = new CopyOnWriteArrayList<>(List.of("PIPELINING"));
  private final Map<String, Function<String, @Nullable String>> scripts = new ConcurrentHashMap<>();
  private final List<Received> messages = new CopyOnWriteArrayList<>();
  private final List<String> commands = new CopyOnWriteArrayList<>();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger mostOpen = new AtomicInteger();
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile int port;
  private volatile @Nullable ServerSocket listener;
  private volatile @Nullable Thread acceptor;
  private volatile @Nullable SSLContext tls;
  private volatile boolean implicitTls;
  private volatile boolean impatient;
  private volatile int closeAfter = Integer.MAX_VALUE;

  /** A message that was accepted, as it came over the wire after DATA, dots included. */
  record Received(String from, List<String> recipients, Bytes wire) {

    /** The message with the dots taken away again. */
    byte[] unstuffed() {
      String text = raw();
      String plain = text.startsWith(".") ? text.substring(1) : text;
      return plain.replace("\r\n.", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Each byte as a character. */
    String raw() {
      return new String(wire.toArray(), StandardCharsets.ISO_8859_1);
    }

    String text() {
      return new String(unstuffed(), StandardCharsets.UTF_8);
    }
  }

  static ScriptedServer start() {
    ScriptedServer server = new ScriptedServer();
    server.up();
    return server;
  }

  /** Listens; after {@link #down} on the same port again. */
  void up() {
    try {
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      // The port may be on its way to be free.
      Awaitility.await().ignoreExceptions().until(() -> bound(socket));
      port = socket.getLocalPort();
      listener = socket;
      Thread thread = new Thread(() -> accept(socket), "scripted-smtp");
      thread.setDaemon(true);
      thread.start();
      acceptor = thread;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean bound(ServerSocket socket) throws IOException {
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
    return true;
  }

  /** Stops listening and drops every connection. */
  void down() {
    closeQuietly(listener);
    Thread thread = acceptor;
    try {
      if (thread != null) {
        // It may be about to let one more in.
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sockets.forEach(ScriptedServer::closeQuietly);
  }

  @Override
  public void close() {
    closing.countDown();
    down();
  }

  int port() {
    return port;
  }

  SmtpRelay relay() {
    return SmtpRelay.unprotectedPlaintext("localhost", port).helloName("client.example");
  }

  ScriptedServer offer(String... names) {
    extensions.clear();
    extensions.addAll(List.of(names));
    return this;
  }

  ScriptedServer startTls(SSLContext context) {
    tls = context;
    extensions.add("STARTTLS");
    return this;
  }

  ScriptedServer implicitTls(SSLContext context) {
    tls = context;
    implicitTls = true;
    return this;
  }

  /**
   * Scripts a step: CONNECT, EHLO, STARTTLS, AUTH, MAIL, RCPT, DATA, DOT, RSET or NOOP.
   *
   * @param script gets the command's line and returns an answer, {@link #DROP}, {@link #STALL}, or
   *     null for the usual one
   */
  ScriptedServer on(String step, Function<String, @Nullable String> script) {
    scripts.put(step, script);
    return this;
  }

  ScriptedServer on(String step, String answer) {
    return on(step, line -> answer);
  }

  /** Scripts a step once. */
  ScriptedServer once(String step, String answer) {
    AtomicInteger times = new AtomicInteger();
    return on(step, line -> times.getAndIncrement() == 0 ? answer : null);
  }

  ScriptedServer usual(String step) {
    scripts.remove(step);
    return this;
  }

  ScriptedServer closeAfter(int count) {
    closeAfter = count;
    return this;
  }

  List<Received> messages() {
    return List.copyOf(messages);
  }

  Received only() {
    if (messages.size() != 1) {
      throw new AssertionError(messages.size() + " messages");
    }
    return messages.get(0);
  }

  List<String> commands() {
    return List.copyOf(commands);
  }

  long count(String verb) {
    return commands.stream().filter(each -> each.startsWith(verb)).count();
  }

  /** Whether somebody sent a command before the answer to the last, without being allowed to. */
  boolean wasHurried() {
    return impatient;
  }

  int connections() {
    return connections.get();
  }

  int openConnections() {
    return open.get();
  }

  int mostOpenConnections() {
    return mostOpen.get();
  }

  private void accept(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        sockets.add(client);
        connections.incrementAndGet();
        mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
        Thread thread = new Thread(() -> serve(client), "scripted-smtp-client");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      new Dialogue(client).run();
    } catch (IOException e) {
      // The client, or the test, has ended it.
    } finally {
      sockets.remove(client);
      open.decrementAndGet();
    }
  }

  private static void closeQuietly(@Nullable AutoCloseable socket) {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private final class Dialogue {
    private Socket socket;
    private InputStream in;
    private String from = "";
    private final List<String> recipients = new ArrayList<>();
    private int taken;

    Dialogue(Socket socket) throws IOException {
      this.socket = socket;
      if (implicitTls) {
        secure();
      }
      this.in = new BufferedInputStream(this.socket.getInputStream());
    }

    private void secure() throws IOException {
      SSLContext context = tls;
      if (context == null) {
        throw new IOException("no TLS");
      }
      SSLSocket secured =
          (SSLSocket) context.getSocketFactory().createSocket(socket, null, port, true);
      secured.setUseClientMode(false);
      secured.startHandshake();
      socket = secured;
      in = new BufferedInputStream(secured.getInputStream());
    }

    void run() throws IOException {
      boolean on = say("CONNECT", "", "220 scripted.example ESMTP");
      while (on) {
        String line = line();
        if (line == null) {
          return;
        }
        commands.add(line);
        impatient |= !extensions.contains("PIPELINING") && in.available() > 0;
        on = handle(line);
      }
    }

    private boolean handle(String line) throws IOException {
      String verb = line.split("[ :]", 2)[0].toUpperCase(Locale.ROOT);
      return switch (verb) {
        case "EHLO", "HELO" -> say("EHLO", line, hello());
        case "STARTTLS" -> startTls(line);
        case "AUTH" -> say("AUTH", line, "235 2.7.0 welcome");
        case "MAIL" -> {
          recipients.clear();
          String scripted = scripted("MAIL", line);
          from = scripted == null || scripted.startsWith("250") ? line : "";
          yield answer(scripted == null ? "250 2.1.0 ok" : scripted);
        }
        case "RCPT" -> rcpt(line);
        case "DATA" -> data(line);
        case "RSET" -> {
          recipients.clear();
          yield say("RSET", line, "250 2.0.0 ok");
        }
        case "NOOP" -> say("NOOP", line, "250 2.0.0 ok");
        case "QUIT" -> {
          write("221 2.0.0 bye");
          yield false;
        }
        default -> say("OTHER", line, "500 5.5.2 what");
      };
    }

    private String hello() {
      StringBuilder reply = new StringBuilder("250-scripted.example");
      for (String extension : extensions) {
        if (!extension.equals("STARTTLS") || !(socket instanceof SSLSocket)) {
          reply.append("\r\n250-").append(extension);
        }
      }
      return reply.append("\r\n250 HELP").toString();
    }

    private boolean startTls(String line) throws IOException {
      if (GO_AHEAD_AND_DROP.equals(scripted("STARTTLS", line))) {
        write("220 2.0.0 go ahead");
        in.read();
        return false;
      }
      if (!say("STARTTLS", line, "220 2.0.0 go ahead")) {
        return false;
      }
      secure();
      return true;
    }

    private boolean rcpt(String line) throws IOException {
      String scripted = scripted("RCPT", line);
      if (scripted == null && from.isEmpty()) {
        return answer("503 5.5.1 no sender");
      }
      if (scripted == null || scripted.startsWith("25")) {
        recipients.add(line.substring("RCPT TO:<".length(), line.lastIndexOf('>')));
      }
      return answer(scripted == null ? "250 2.1.5 ok" : scripted);
    }

    private boolean data(String line) throws IOException {
      String usual = recipients.isEmpty() ? "554 5.5.1 no valid recipients" : "354 go ahead";
      String scripted = scripted("DATA", line);
      String answer = scripted == null ? usual : scripted;
      if (answer.equals(GO_AHEAD_AND_DROP)) {
        write("354 go ahead");
        in.read();
        return false;
      }
      if (answer.equals(GO_AHEAD_AND_STALL)) {
        write("354 go ahead");
        return answer(STALL);
      }
      if (!answer(answer)) {
        return false;
      }
      if (!answer.startsWith("354")) {
        return true;
      }
      byte[] message = message();
      commands.add("<dot>");
      String verdict = scripted("DOT", line);
      if (verdict == null || verdict.startsWith("2")) {
        String sender = from.substring("MAIL FROM:<".length(), from.indexOf('>'));
        messages.add(new Received(sender, List.copyOf(recipients), Bytes.copyOf(message)));
        taken++;
      }
      boolean on = answer(verdict == null ? "250 2.0.0 queued" : verdict);
      if (taken >= closeAfter) {
        return false;
      }
      return on;
    }

    /** Reads up to a line that is a dot, between two real CRLFs. */
    private byte[] message() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      byte[] end = "\r\n.\r\n".getBytes(StandardCharsets.US_ASCII);
      int matched = 2;
      while (matched < end.length) {
        int next = in.read();
        if (next < 0) {
          throw new IOException("ended in the message");
        }
        bytes.write(next);
        matched = next == end[matched] ? matched + 1 : next == '\r' ? 1 : 0;
      }
      byte[] all = bytes.toByteArray();
      return Arrays.copyOf(all, all.length - 3);
    }

    private @Nullable String scripted(String step, String line) {
      Function<String, @Nullable String> script = scripts.get(step);
      return script == null ? null : script.apply(line);
    }

    private boolean say(String step, String line, String usual) throws IOException {
      String scripted = scripted(step, line);
      return answer(scripted == null ? usual : scripted);
    }

    /** Answers; returns whether the dialogue goes on. */
    private boolean answer(String answer) throws IOException {
      if (answer.equals(DROP)) {
        return false;
      }
      if (answer.equals(STALL)) {
        try {
          closing.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        return false;
      }
      write(answer);
      return !answer.startsWith("421");
    }

    private void write(String answer) throws IOException {
      socket.getOutputStream().write((answer + "\r\n").getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
    }

    private @Nullable String line() throws IOException {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (next == '\n') {
          return line.toString(StandardCharsets.UTF_8).stripTrailing();
        }
        line.write(next);
      }
      return null;
    }
  }
}
