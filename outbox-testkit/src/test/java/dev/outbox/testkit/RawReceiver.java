package dev.outbox.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A receiver that misbehaves below HTTP, as a test wants. */
final class RawReceiver implements AutoCloseable {

  private final ServerSocket server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger connections = new AtomicInteger();

  /** What is done with a connection whose request has been read. */
  interface Behaviour {
    void on(Socket connection) throws IOException;
  }

  RawReceiver(Behaviour behaviour) throws IOException {
    this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), behaviour);
  }

  RawReceiver(ServerSocket server, Behaviour behaviour) {
    this.server = server;
    threads.execute(() -> accept(behaviour));
  }

  private void accept(Behaviour behaviour) {
    while (!server.isClosed()) {
      try {
        Socket connection = server.accept();
        connections.incrementAndGet();
        threads.execute(() -> serve(behaviour, connection));
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private static void serve(Behaviour behaviour, Socket connection) {
    try (connection) {
      // The request is small and comes in one piece.
      if (connection.getInputStream().read(new byte[8_192]) > 0) {
        behaviour.on(connection);
      }
    } catch (IOException e) {
      // The outbox has gone away, which is what tests want to see elsewhere.
    }
  }

  static void write(Socket connection, String text) throws IOException {
    connection.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    connection.getOutputStream().flush();
  }

  /** Waits until the other side closes. */
  static void awaitEnd(Socket connection) throws IOException {
    while (connection.getInputStream().read() >= 0) {
      // whatever else it says
    }
  }

  int connections() {
    return connections.get();
  }

  int port() {
    return server.getLocalPort();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + port() + "/told");
  }

  @Override
  public void close() throws IOException {
    server.close();
    threads.shutdownNow();
  }
}
