package dev.outbox.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** A listener on loopback that counts connections, whether or not a request comes over them. */
final class ConnectionCounter implements AutoCloseable {

  private final ServerSocket listener;
  private final AtomicInteger accepted = new AtomicInteger();

  ConnectionCounter() {
    try {
      listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread thread = new Thread(this::accept, "connection-counter");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        accepted.incrementAndGet();
        socket.close();
      } catch (IOException e) {
        // the listener was closed, or the other side was faster; the loop decides
      }
    }
  }

  int accepted() {
    return accepted.get();
  }

  /** Returns the address of this listener, without a slash at its end. */
  String address() {
    return "http://127.0.0.1:" + listener.getLocalPort();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
