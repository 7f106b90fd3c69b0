package dev.outbox.smtp;

import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a relay. angus connects, negotiates TLS and logs in. The commands of an email
 * are written here, several at once where the relay allows it (RFC 2920). All replies are read
 * here: angus logs what it reads, and replies quote addresses.
 */
final class SmtpConnection extends SMTPTransport {

  private static final Duration QUIT_PATIENCE = Duration.ofSeconds(1);

  private final SmtpRelay relay;
  private final MonitoredSocket socket;
  private volatile SmtpStep step = SmtpStep.CONNECT;
  private volatile SmtpExtensions extensions = SmtpExtensions.NONE;
  private String replyText = "";
  private int replyCode;
  private int emails;
  private volatile long idleSince;
  private volatile long lastThread;

  private SmtpConnection(SmtpRelay relay, MonitoredSocket socket, Session session) {
    super(session, null, "smtp", relay.security() == SmtpRelay.Security.IMPLICIT_TLS);
    this.relay = relay;
    this.socket = socket;
  }

  /** Connects, up to a login where one is wanted. */
  static SmtpConnection open(SmtpRelay relay, MonitoredSocket socket) throws RelayFailureException {
    SmtpRelay.@Nullable Login login = login(relay);
    Session session = Session.getInstance(SessionSettings.of(relay, socket, login));
    SmtpConnection connection = new SmtpConnection(relay, socket, session);
    try {
      connection.connect(
          relay.host(),
          relay.port(),
          login == null ? null : login.user(),
          login == null ? null : login.secret());
    } catch (MessagingException | RuntimeException e) {
      socket.abort();
      throw new RelayFailureException(connection.trouble(e));
    }
    if (login != null && !connection.supportsExtension("AUTH")) {
      socket.abort();
      throw new RelayFailureException(
          new RelayFailure(RelayFailure.Kind.REFUSED_US, "the relay offers no login", null));
    }
    return connection;
  }

  private static SmtpRelay.@Nullable Login login(SmtpRelay relay) throws RelayFailureException {
    try {
      return relay.login() == null ? null : relay.login().get();
    } catch (RuntimeException e) {
      // Its text may hold the secret.
      throw new RelayFailureException(
          new RelayFailure(
              RelayFailure.Kind.REFUSED_US,
              "the supplier of the login failed: " + e.getClass().getName(),
              null));
    }
  }

  private RelayFailure trouble(Exception e) {
    if (hasCause(e, SSLException.class)
        && !hasCause(e, SocketException.class)
        && !hasCause(e, EOFException.class)) {
      // A certificate that does not fit, or no common protocol: time does not heal that.
      boolean handshake =
          hasCause(e, SSLHandshakeException.class) || hasCause(e, SSLPeerUnverifiedException.class);
      return new RelayFailure(
          RelayFailure.Kind.REFUSED_US,
          handshake ? "no trusted TLS with the relay" : "the relay does not speak TLS at this port",
          null);
    }
    if (step != SmtpStep.TLS && lastReply().is2xx()) {
      // angus has not said the next command, because the relay did not offer it.
      return new RelayFailure(
          RelayFailure.Kind.REFUSED_US,
          e instanceof AuthenticationFailedException
              ? "the relay offers no login that we know"
              : "the relay offers no STARTTLS",
          null);
    }
    SmtpReply reply = lastReply();
    if (reply.is4xx() || reply.is5xx()) {
      return RelayFailure.of(step, ReplyClass.of(step, reply), reply);
    }
    return RelayFailure.unreachable(step, absence(e));
  }

  private static String absence(Exception e) {
    if (hasCause(e, UnknownHostException.class)) {
      return "the relay's name is unknown";
    }
    if (hasCause(e, ConnectException.class)) {
      return "no connection, nobody listens there,";
    }
    return hasCause(e, SocketException.class) ? "no connection" : "no usable answer";
  }

  private static boolean hasCause(Throwable e, Class<? extends Throwable> type) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  /** Lets an older relay off with HELO, but not one that has just taken its leave. */
  @Override
  protected synchronized boolean ehlo(String domain) throws MessagingException {
    // What a relay offered before TLS does not count after it.
    extensions = SmtpExtensions.NONE;
    int code = simpleCommand("EHLO " + domain);
    if (code == 421 || code < 0) {
      throw new MessagingException("the relay left");
    }
    if (code == 250) {
      extensions = SmtpExtensions.of(replyText);
    }
    return code == 250;
  }

  @Override
  public boolean supportsExtension(String name) {
    return extensions.offers(name);
  }

  @Override
  public @Nullable String getExtensionParameter(String name) {
    return extensions.parameter(name);
  }

  @Override
  protected boolean supportsAuthentication(String mechanism) {
    return extensions.offersLogin(mechanism);
  }

  /** Notes how far the dialogue has come. */
  @Override
  protected void sendCommand(String command) throws MessagingException {
    String verb = command.substring(0, Math.min(4, command.length())).toUpperCase(Locale.ROOT);
    switch (verb) {
      case "EHLO", "HELO" -> step = SmtpStep.HELLO;
      case "STAR" -> step = SmtpStep.TLS;
      case "AUTH" -> step = SmtpStep.AUTH;
      default -> {
        // The commands of an email name their own steps.
      }
    }
    socket.within(relay.timeouts().reply());
    super.sendCommand(command);
  }

  /** Writes commands, or a message, in one go; the answers have to come in time. */
  void write(ByteArrayBuilder bytes, int from, int count, Duration patience) throws IOException {
    socket.within(patience);
    socket.write(bytes.array(), from, count);
  }

  /** Reads the next answer; one that is garbled, or that the relay ended instead, has no code. */
  synchronized SmtpReply read() throws IOException {
    replyText = "";
    replyCode = 0;
    String reply = socket.readReply();
    replyText = reply == null ? "[EOF]" : reply;
    replyCode = SmtpReply.code(replyText);
    return lastReply();
  }

  @Override
  protected synchronized int readServerResponse() throws MessagingException {
    try {
      return read().code();
    } catch (IOException e) {
      throw new MessagingException("no answer", e);
    }
  }

  @Override
  public synchronized String getLastServerResponse() {
    return replyText;
  }

  @Override
  public synchronized int getLastReturnCode() {
    return replyCode;
  }

  /** Forgets what was said about an email; returns whether the connection can be used again. */
  synchronized boolean reset() {
    try {
      return simpleCommand("RSET") == 250;
    } catch (MessagingException e) {
      return false;
    }
  }

  /** Asks whether the relay is still there. */
  synchronized boolean answers() {
    try {
      return simpleCommand("NOOP") == 250;
    } catch (MessagingException e) {
      return false;
    }
  }

  private synchronized SmtpReply lastReply() {
    return SmtpReply.of(replyCode, replyText);
  }

  boolean offers(String extension) {
    return extensions.offers(extension);
  }

  /** Returns how large a message may be; 0 for no stated limit. */
  long maxSize() {
    String size = extensions.parameter("SIZE");
    return size == null || !size.strip().matches("\\d{1,18}") ? 0 : Long.parseLong(size.strip());
  }

  SmtpRelay relay() {
    return relay;
  }

  MonitoredSocket wire() {
    return socket;
  }

  /** Counts an email, and returns whether there may be another on this connection. */
  boolean countEmail() {
    return ++emails < relay.limits().emailsPerConnection();
  }

  void idleSince(long nanoTime) {
    idleSince = nanoTime;
    lastThread = Thread.currentThread().getId();
  }

  /** Returns whether the calling thread was the last to use it. */
  boolean isOwn() {
    return lastThread == Thread.currentThread().getId();
  }

  Duration idle(long nanoTime) {
    return Duration.ofNanos(nanoTime - idleSince);
  }

  /** Takes its leave without waiting for an answer. */
  void quit() {
    try {
      socket.begin(System.nanoTime() + QUIT_PATIENCE.toNanos(), QUIT_PATIENCE);
      close();
    } catch (MessagingException e) {
      // The relay notices as soon as the socket is closed.
    } finally {
      socket.abort();
    }
  }

  /** Shows where it leads. */
  @Override
  public String toString() {
    return "SmtpConnection[" + relay.host() + ":" + relay.port() + "]";
  }
}
