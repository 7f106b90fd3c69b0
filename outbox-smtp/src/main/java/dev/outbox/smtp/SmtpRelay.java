package dev.outbox.smtp;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * One mail server that takes our emails, and how we talk to it. Immutable; each method returns
 * another relay.
 *
 * <pre>{@code
 * SmtpRelay.startTls("smtp.example.com", 587).login("shop", () -> vault.read("smtp"))
 * }</pre>
 *
 * @param host its name, against which its certificate is checked
 * @param port its port
 * @param security how the connection is protected
 * @param login asked on each connect, so that secrets can rotate; null if it wants none
 * @param limits how much it gets at once
 * @param timeouts how long we wait for it
 * @param trust whose certificates are trusted; null for the JVM's default
 * @param helloName how we introduce ourselves; null for this machine's name
 */
public record SmtpRelay(
    String host,
    int port,
    Security security,
    @Nullable Supplier<Login> login,
    Limits limits,
    Timeouts timeouts,
    @Nullable SSLContext trust,
    @Nullable String helloName) {

  /** Checks host, port and the name we introduce ourselves by. */
  public SmtpRelay {
    if (!host.matches("[A-Za-z0-9._:-]{1,255}")) {
      throw new IllegalArgumentException("host: not a host name or address: " + host);
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port: must be 1 to 65535, is " + port);
    }
    if (helloName != null && !helloName.matches("[A-Za-z0-9.:\\[\\]-]{1,255}")) {
      throw new IllegalArgumentException("helloName: not a host name: " + helloName);
    }
    Objects.requireNonNull(security, "security");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(timeouts, "timeouts");
  }

  /** How a connection is protected. */
  public enum Security {
    /** STARTTLS, without which nothing is said; usually port 587. */
    STARTTLS,
    /** TLS from the first byte; usually port 465. */
    IMPLICIT_TLS,
    /** Nothing: everybody on the way can read and change everything. */
    UNPROTECTED_PLAINTEXT
  }

  /**
   * Who we say we are.
   *
   * @param user the user name
   * @param secret the password, or the token for XOAUTH2
   * @param token whether the secret is an OAuth 2 token
   */
  public record Login(String user, String secret, boolean token) {

    /** Refuses what is not there. */
    public Login {
      Objects.requireNonNull(user, "user");
      Objects.requireNonNull(secret, "secret");
    }

    /** Shows nothing. */
    @Override
    public String toString() {
      return "Login[hidden]";
    }
  }

  /**
   * How much a relay gets at once, from this node.
   *
   * @param connections how many connections are open at once; default 8
   * @param emailsPerConnection after how many emails a connection is replaced; default 1,000
   * @param emailsPerSecond how many emails at most; default {@link Integer#MAX_VALUE}, no limit
   * @param idle after how long an unused connection is closed; default 30 s
   */
  public record Limits(
      int connections, int emailsPerConnection, int emailsPerSecond, Duration idle) {

    /** The limits of a relay that sets none. */
    public static final Limits DEFAULT =
        new Limits(8, 1_000, Integer.MAX_VALUE, Duration.ofSeconds(30));

    /** Refuses limits that would let nothing through. */
    public Limits {
      positive("connections", connections);
      positive("emailsPerConnection", emailsPerConnection);
      positive("emailsPerSecond", emailsPerSecond);
      positive("idle", idle.toMillis());
    }
  }

  /**
   * How long we wait for a relay; all finite.
   *
   * @param connect for the TCP connection; default 10 s
   * @param reply for an answer before the final dot, and for each handshake step; default 30 s
   * @param finalReply for the answer to the final dot, after which the outcome is unknown; default
   *     2 min
   * @param delivery for a whole delivery, connecting included; default 4 min, which is below the
   *     outbox's own limit of 5 min
   */
  public record Timeouts(Duration connect, Duration reply, Duration finalReply, Duration delivery) {

    private static final Duration LONGEST = Duration.ofHours(1);

    /** The patience with a relay that sets none. */
    public static final Timeouts DEFAULT =
        new Timeouts(
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofMinutes(2),
            Duration.ofMinutes(4));

    /** Refuses times that are no times, or as good as for ever. */
    public Timeouts {
      within("connect", connect);
      within("reply", reply);
      within("finalReply", finalReply);
      within("delivery", delivery);
    }

    private static void within(String name, Duration time) {
      if (time.toMillis() <= 0 || time.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            "%s: must be 1 ms to %s, is %s".formatted(name, LONGEST, time));
      }
    }
  }

  /** Returns a relay that must offer STARTTLS, usually on port 587. */
  public static SmtpRelay startTls(String host, int port) {
    return of(host, port, Security.STARTTLS);
  }

  /** Returns a relay that speaks TLS from the first byte, usually on port 465. */
  public static SmtpRelay implicitTls(String host, int port) {
    return of(host, port, Security.IMPLICIT_TLS);
  }

  /**
   * Returns a relay without any protection, for a server on this machine or in tests: emails and
   * passwords can be read and changed on the way.
   */
  public static SmtpRelay unprotectedPlaintext(String host, int port) {
    return of(host, port, Security.UNPROTECTED_PLAINTEXT);
  }

  private static SmtpRelay of(String host, int port, Security security) {
    return new SmtpRelay(host, port, security, null, Limits.DEFAULT, Timeouts.DEFAULT, null, null);
  }

  /** Logs in with a password (AUTH PLAIN or LOGIN), asked for on each connect. */
  public SmtpRelay login(String user, Supplier<String> password) {
    return login(() -> new Login(user, password.get(), false));
  }

  /** Logs in with an OAuth 2 token (AUTH XOAUTH2), asked for on each connect. */
  public SmtpRelay oauth2(String user, Supplier<String> token) {
    return login(() -> new Login(user, token.get(), true));
  }

  private SmtpRelay login(Supplier<Login> supplier) {
    return new SmtpRelay(host, port, security, supplier, limits, timeouts, trust, helloName);
  }

  /** Sets how much it gets at once. */
  public SmtpRelay limits(Limits limits) {
    return new SmtpRelay(host, port, security, login, limits, timeouts, trust, helloName);
  }

  /** Sets how many connections are open at once. Default: 8, as many as an outbox has workers. */
  public SmtpRelay connections(int number) {
    return limits(
        new Limits(number, limits.emailsPerConnection(), limits.emailsPerSecond(), limits.idle()));
  }

  /** Sets how many emails it gets each second from this node. Default: no limit. */
  public SmtpRelay emailsPerSecond(int number) {
    return limits(
        new Limits(limits.connections(), limits.emailsPerConnection(), number, limits.idle()));
  }

  /** Sets how long we wait. */
  public SmtpRelay timeouts(Timeouts timeouts) {
    return new SmtpRelay(host, port, security, login, limits, timeouts, trust, helloName);
  }

  /** Sets whose certificates are trusted, for a certificate authority of one's own. */
  public SmtpRelay trust(SSLContext trust) {
    return new SmtpRelay(
        host, port, security, login, limits, timeouts, Objects.requireNonNull(trust), helloName);
  }

  /** Sets how we introduce ourselves. Default: this machine's name. */
  public SmtpRelay helloName(String name) {
    return new SmtpRelay(
        host, port, security, login, limits, timeouts, trust, Objects.requireNonNull(name));
  }

  /** Shows where it is, and nothing of the login. */
  @Override
  public String toString() {
    return "SmtpRelay[%s:%d, %s]".formatted(host, port, security);
  }

  private static void positive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + ": must be positive, is " + value);
    }
  }
}
