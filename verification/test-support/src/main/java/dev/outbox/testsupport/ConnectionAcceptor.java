package dev.outbox.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;

/** A port on loopback where each client gets a thread of its own. */
public final class ConnectionAcceptor implements AutoCloseable {

  private final ServerSocket server;

  /**
   * Opens a free port.
   *
   * @param clients serves one client, whose socket it closes
   */
  public ConnectionAcceptor(Consumer<Socket> clients) {
    try {
      this.server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    background(() -> accept(clients));
  }

  /** Returns the port. */
  public int port() {
    return server.getLocalPort();
  }

  private void accept(Consumer<Socket> clients) {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        background(() -> clients.accept(client));
      } catch (IOException e) {
        // Closed, or one client less.
      }
    }
  }

  /** Runs a task on a daemon thread of its own. */
  public static void background(Runnable task) {
    Thread thread = new Thread(task, "loopback");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
