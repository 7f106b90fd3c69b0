package dev.outbox.callback;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.SocketFactory;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One POST in HTTP/1.1 over a connection of its own, to an address that was chosen before.
 *
 * <p>The JDK's clients ask for a name's address by themselves, after anybody could have judged it;
 * here the socket gets the address, and TLS and the header {@code Host} get the name. Nothing is
 * followed, decoded, cached or kept.
 */
final class HttpPost {

  /** Of a name with many addresses, no more are tried. */
  private static final int MOST_ADDRESSES = 4;

  private final SocketFactory sockets;
  private final SSLSocketFactory tls;
  private final CallTimeout watchdog;
  private final Duration connectTimeout;
  private final Duration timeout;

  HttpPost(
      SocketFactory sockets,
      SSLSocketFactory tls,
      CallTimeout watchdog,
      Duration connectTimeout,
      Duration timeout) {
    this.sockets = sockets;
    this.tls = tls;
    this.watchdog = watchdog;
    this.connectTimeout = connectTimeout;
    this.timeout = timeout;
  }

  /**
   * Posts a body, and returns the answer.
   *
   * @param addresses where the URL's host may be found, at least one
   */
  HttpResponse post(URI url, List<InetAddress> addresses, Map<String, String> headers, byte[] body)
      throws IOException {
    byte[] request = request(URI.create(url.toASCIIString()), headers, body);
    try (CallTimeout.RunningCall watch = watchdog.watch(timeout)) {
      try (Socket socket = connected(addresses, port(url), watch)) {
        return exchanged(isSecure(url) ? secured(socket, url) : socket, request);
      } catch (IOException e) {
        throw watch.isOver() ? new SocketTimeoutException("it took too long") : e;
      }
    }
  }

  private static HttpResponse exchanged(Socket channel, byte[] request) throws IOException {
    channel.getOutputStream().write(request);
    channel.getOutputStream().flush();
    return new HttpResponseReader(new BufferedInputStream(channel.getInputStream(), 1_024)).read();
  }

  /** Connects to the first address that answers. */
  private Socket connected(List<InetAddress> addresses, int port, CallTimeout.RunningCall watch)
      throws IOException {
    IOException failure = new IOException("no address");
    for (InetAddress address : addresses.subList(0, Math.min(MOST_ADDRESSES, addresses.size()))) {
      Socket socket = sockets.createSocket();
      watch.over(socket);
      try {
        socket.connect(new InetSocketAddress(address, port), (int) connectTimeout.toMillis());
        socket.setTcpNoDelay(true);
        return socket;
      } catch (IOException e) {
        socket.close();
        failure = e;
      }
    }
    throw failure;
  }

  /** Speaks TLS with who can prove the URL's name. */
  private Socket secured(Socket socket, URI url) throws IOException {
    SSLSocket secure =
        (SSLSocket) tls.createSocket(socket, TargetResolver.host(url), port(url), true);
    SSLParameters parameters = secure.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secure.setSSLParameters(parameters);
    secure.startHandshake();
    return secure;
  }

  private static byte[] request(URI url, Map<String, String> headers, byte[] body) {
    StringBuilder head = new StringBuilder(512).append("POST ");
    head.append(url.getRawPath().isEmpty() ? "/" : url.getRawPath());
    if (url.getRawQuery() != null) {
      head.append('?').append(url.getRawQuery());
    }
    head.append(" HTTP/1.1\r\nHost: ").append(url.getHost());
    if (url.getPort() >= 0) {
      head.append(':').append(url.getPort());
    }
    head.append("\r\nContent-Length: ").append(body.length).append("\r\nConnection: close\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    ByteArrayOutputStream request = new ByteArrayOutputStream(head.length() + body.length + 2);
    request.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
    request.writeBytes(body);
    return request.toByteArray();
  }

  private static boolean isSecure(URI url) {
    return "https".equalsIgnoreCase(url.getScheme());
  }

  private static int port(URI url) {
    int standard = isSecure(url) ? 443 : 80;
    return url.getPort() < 0 ? standard : url.getPort();
  }
}
