package dev.outbox.callback;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.SocketFactory;

/** Sockets that connect to nothing, remember where they were to connect, and answer 200. */
final class RecordingSockets extends SocketFactory {

  private final List<InetSocketAddress> connected = new CopyOnWriteArrayList<>();
  private final Set<InetAddress> dead = ConcurrentHashMap.newKeySet();

  List<InetSocketAddress> connected() {
    return List.copyOf(connected);
  }

  void kill(InetAddress address) {
    dead.add(address);
  }

  @Override
  public Socket createSocket() {
    return new Socket() {
      @Override
      public void connect(SocketAddress address, int timeout) throws IOException {
        InetSocketAddress target = (InetSocketAddress) address;
        connected.add(target);
        if (dead.contains(target.getAddress())) {
          throw new ConnectException("refused");
        }
      }

      @Override
      public void setTcpNoDelay(boolean on) {}

      @Override
      public InputStream getInputStream() {
        return new ByteArrayInputStream(
            "HTTP/1.1 200 OK\r\n\r\nok".getBytes(StandardCharsets.US_ASCII));
      }

      @Override
      public OutputStream getOutputStream() {
        return new ByteArrayOutputStream();
      }
    };
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw new AssertionError("a socket that asks for a name itself");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort) {
    throw new AssertionError("a socket that asks for a name itself");
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw new AssertionError("a socket that is connected without being watched");
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
    throw new AssertionError("a socket that is connected without being watched");
  }
}
