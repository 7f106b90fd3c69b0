package dev.outbox.verification.chaos;

import dev.outbox.testsupport.ConnectionAcceptor;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A mail server that fails at every step when it is told to, and writes down all it has taken. */
final class FaultyRelay implements AutoCloseable {

  private final ConnectionAcceptor server;
  private final RelayTemper temper;
  private final Times times;
  private final Queue<Reception> received = new ConcurrentLinkedQueue<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile DotListener listener = (node, answered) -> {};

  /** Hears of final dots, before they are answered and after. */
  interface DotListener {
    void dot(String node, boolean answered);
  }

  FaultyRelay(RelayTemper temper, Times times) {
    this.times = times;
    this.temper = temper;
    this.server = new ConnectionAcceptor(this::serve);
  }

  int port() {
    return server.port();
  }

  void listen(DotListener next) {
    listener = next;
  }

  List<Reception> received() {
    return List.copyOf(received);
  }

  /** Returns how many clients are connected. */
  int connections() {
    return connections.get();
  }

  Times times() {
    return times;
  }

  RelayTemper temper() {
    return temper;
  }

  void take(Reception reception) {
    received.add(reception);
  }

  void dot(String node, boolean answered) {
    listener.dot(node, answered);
  }

  /** Lets a client wait, at most until the server is closed. */
  void wait(Duration time) {
    try {
      closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve(Socket client) {
    connections.incrementAndGet();
    try (client) {
      client.setTcpNoDelay(true);
      new RelayDialogue(this, client).run();
    } catch (IOException e) {
      // The client is gone.
      return;
    } finally {
      connections.decrementAndGet();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.close();
  }
}
