package dev.outbox.smtp;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.SocketFactory;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The sockets of one connection, kept as angus makes them: to write several commands at once, to
 * read replies, and to close the sockets from another thread meanwhile.
 */
final class MonitoredSocket {

  private static final int SEND_BUFFER = 64 << 10;

  private volatile @Nullable Socket raw;
  private volatile @Nullable Socket outer;
  private volatile @Nullable SmtpReplyReader replies;
  private volatile boolean aborted;
  private volatile boolean busy;
  private volatile long end;
  private volatile long stepEnd;

  /** Returns a factory for the sockets of connections that start without TLS. */
  SocketFactory plain() {
    return new PlainFactory();
  }

  /** Returns a factory that puts TLS over a socket, and checks who answers there. */
  SSLSocketFactory tls(SSLSocketFactory base) {
    return new TlsFactory(base);
  }

  /** Writes and flushes; small amounts never block once the relay has answered all before. */
  void write(byte[] bytes, int from, int count) throws IOException {
    OutputStream out = current().getOutputStream();
    out.write(bytes, from, count);
    out.flush();
  }

  /**
   * Reads a relay's next reply from the socket in use.
   *
   * @return its lines; null if the connection ended before the end of the reply
   */
  @Nullable String readReply() throws IOException {
    Socket socket = current();
    SmtpReplyReader reader = replies;
    if (reader == null || !reader.reads(socket)) {
      // What came before TLS, with the reply to STARTTLS, is not read.
      reader = new SmtpReplyReader(socket);
      replies = reader;
    }
    return reader.read();
  }

  /** Starts something that has to end by a time of {@link System#nanoTime}. */
  void begin(long endNanoTime, Duration step) {
    end = endNanoTime;
    within(step);
    busy = true;
  }

  /**
   * Starts a step that has to end in time. Whoever watches ends the connection if it does not: a
   * timeout of the socket's own would cost two more system calls for each answer, and would neither
   * end a blocked write nor a relay that sends a byte now and then.
   */
  void within(Duration step) {
    stepEnd = System.nanoTime() + step.toNanos();
  }

  /** Ends the wait for anything in particular. */
  void rest() {
    busy = false;
  }

  boolean isOverdue(long nanoTime) {
    return busy && (nanoTime - end > 0 || nanoTime - stepEnd > 0);
  }

  /** Ends the connection at once, from whatever thread. */
  void abort() {
    aborted = true;
    Socket socket = raw;
    if (socket != null) {
      try {
        // Below TLS, whose own close could wait for a write that hangs.
        socket.close();
      } catch (IOException e) {
        // It is gone, one way or the other.
      }
    }
  }

  private Socket current() throws IOException {
    Socket socket = outer;
    if (socket == null || aborted) {
      throw new IOException("closed");
    }
    return socket;
  }

  private void keep(Socket lower, Socket upper) throws IOException {
    raw = lower;
    outer = upper;
    if (aborted) {
      lower.close();
      throw new IOException("closed");
    }
  }

  private final class PlainFactory extends SocketFactory {
    @Override
    public Socket createSocket() throws IOException {
      Socket socket = new Socket();
      socket.setTcpNoDelay(true);
      socket.setSendBufferSize(SEND_BUFFER);
      keep(socket, socket);
      return socket;
    }

    @Override
    public Socket createSocket(String host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
      throw new UnsupportedOperationException();
    }
  }

  private final class TlsFactory extends SSLSocketFactory {
    private final SSLSocketFactory base;

    TlsFactory(SSLSocketFactory base) {
      this.base = base;
    }

    @Override
    public Socket createSocket(Socket below, String host, int port, boolean autoClose)
        throws IOException {
      below.setTcpNoDelay(true);
      below.setSendBufferSize(SEND_BUFFER);
      SSLSocket socket = (SSLSocket) base.createSocket(below, host, port, autoClose);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      keep(below, socket);
      return socket;
    }

    @Override
    public String[] getDefaultCipherSuites() {
      return base.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
      return base.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket(String host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
      throw new UnsupportedOperationException();
    }
  }
}
