package dev.outbox.callback;

import java.net.InetAddress;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The one way to put an {@link HttpCallback} together. Not for use by several threads at once. */
public final class HttpCallbackBuilder {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private CallbackPayload payload = CallbackPayload.standard();
  private List<CallbackSigner> secrets = List.of();
  private List<CidrBlock> allowed = List.of();
  private Duration connectTimeout = CONNECT_TIMEOUT;
  private Duration timeout = TIMEOUT;
  private @Nullable SSLContext tls;
  private Clock clock = Clock.systemUTC();
  private TargetResolver.NameLookup names = InetAddress::getAllByName;
  private SocketFactory sockets = SocketFactory.getDefault();

  HttpCallbackBuilder() {}

  /**
   * Sets what calls are signed with, each with every secret: while receivers change from an old one
   * to a new one, both are given. Default: none, and nothing is signed.
   *
   * @throws IllegalArgumentException if one is shorter than 16 bytes
   */
  public HttpCallbackBuilder secrets(String... secrets) {
    this.secrets = Stream.of(secrets).map(CallbackSigner::new).toList();
    return this;
  }

  /** Sets what is sent. Default: {@link CallbackPayload#standard()}. */
  public HttpCallbackBuilder payload(CallbackPayload payload) {
    this.payload = payload;
    return this;
  }

  /**
   * Sets networks that may be called although they are not public, as {@code 10.20.0.0/16}, {@code
   * fd00::/8} or {@code 127.0.0.1}. Every URL of an email may then lead there. Default: none.
   *
   * @throws IllegalArgumentException if one is not a network or an address
   */
  public HttpCallbackBuilder allow(String... networks) {
    this.allowed = Stream.of(networks).map(CidrBlock::parse).toList();
    return this;
  }

  /** Sets how long connecting may take, for each address of a name. Default: 3 s. */
  public HttpCallbackBuilder connectTimeout(Duration limit) {
    this.connectTimeout = checked("connectTimeout", limit);
    return this;
  }

  /** Sets how long a call may take from connecting to the end of the answer. Default: 10 s. */
  public HttpCallbackBuilder timeout(Duration limit) {
    this.timeout = checked("timeout", limit);
    return this;
  }

  /** Sets whom TLS trusts, for receivers with certificates of their own. Default: the JVM's. */
  public HttpCallbackBuilder tls(SSLContext context) {
    this.tls = context;
    return this;
  }

  HttpCallbackBuilder clock(Clock clock) {
    this.clock = clock;
    return this;
  }

  HttpCallbackBuilder names(TargetResolver.NameLookup names) {
    this.names = names;
    return this;
  }

  HttpCallbackBuilder sockets(SocketFactory sockets) {
    this.sockets = sockets;
    return this;
  }

  /** Puts the callback together. */
  public HttpCallback build() {
    HttpPost exchange =
        new HttpPost(
            sockets,
            (tls == null ? standardTls() : tls).getSocketFactory(),
            new CallTimeout(),
            connectTimeout,
            timeout);
    return new HttpCallback(new TargetResolver(names, allowed), exchange, payload, secrets, clock);
  }

  private static SSLContext standardTls() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }

  private static Duration checked(String name, Duration limit) {
    if (limit.toMillis() < 1 || limit.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s: want 1 ms to %s, is %s".formatted(name, LONGEST, limit));
    }
    return limit;
  }
}
