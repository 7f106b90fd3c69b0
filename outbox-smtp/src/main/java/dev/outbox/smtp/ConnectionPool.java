package dev.outbox.smtp;

import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one relay: no more than allowed, used again while they are fresh, the last
 * used first. Safe for many threads.
 */
final class ConnectionPool {

  /** A connection that rested longer is asked whether it is still there. */
  private static final Duration TRUSTED = Duration.ofSeconds(1);

  private final SmtpRelay relay;
  private final Runnable beforeConnect;
  private final Semaphore free;
  private final Deque<SmtpConnection> idle = new ConcurrentLinkedDeque<>();
  private final Set<MonitoredSocket> wires = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  ConnectionPool(SmtpRelay relay, Runnable beforeConnect) {
    this.relay = relay;
    this.beforeConnect = beforeConnect;
    this.free = new Semaphore(relay.limits().connections(), true);
  }

  /** A connection in use. */
  record Lent(SmtpConnection connection, boolean usedBefore) {}

  /** Waits for one's turn to have a connection; returns whether it came. */
  boolean enter(Duration patience) throws InterruptedException {
    return free.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Ends one's turn. */
  void leave() {
    free.release();
  }

  /** Returns when a delivery that starts now has to end, by {@link System#nanoTime}. */
  long endOfDelivery() {
    return System.nanoTime() + relay.timeouts().delivery().toNanos();
  }

  /** Returns a connection that seems to be alive, or a new one. */
  Lent take(long end) throws RelayFailureException {
    SmtpConnection used = pollAlive(end);
    return used == null ? new Lent(connect(end), false) : new Lent(used, true);
  }

  /** Returns a new connection. What else waits here is as old as what has just failed. */
  Lent takeNew(long end) throws RelayFailureException {
    closeIdle(Duration.ZERO);
    return new Lent(connect(end), false);
  }

  private @Nullable SmtpConnection pollAlive(long end) {
    for (SmtpConnection next = poll(); next != null; next = poll()) {
      Duration rest = next.idle(System.nanoTime());
      if (rest.compareTo(relay.limits().idle()) > 0) {
        wires.remove(next.wire());
        next.quit();
      } else if (rest.compareTo(TRUSTED) <= 0 || isAlive(next, end)) {
        endInTime(next.wire(), end);
        return next;
      } else {
        drop(next);
      }
    }
    return null;
  }

  /**
   * Prefers the connection that this thread has used before. Then the kernel keeps both ends on one
   * core: measured, half the system time of connections that go from thread to thread.
   */
  private @Nullable SmtpConnection poll() {
    SmtpConnection own = null;
    for (SmtpConnection each : idle) {
      if (each.isOwn()) {
        own = each;
        break;
      }
    }
    return own != null && idle.remove(own) ? own : idle.pollFirst();
  }

  private boolean isAlive(SmtpConnection connection, long end) {
    endInTime(connection.wire(), end);
    return connection.answers();
  }

  private SmtpConnection connect(long end) throws RelayFailureException {
    beforeConnect.run();
    MonitoredSocket socket = new MonitoredSocket();
    wires.add(socket);
    endInTime(socket, end);
    try {
      if (closed) {
        socket.abort();
      }
      return SmtpConnection.open(relay, socket);
    } catch (RelayFailureException | RuntimeException | Error e) {
      wires.remove(socket);
      throw e;
    }
  }

  private void endInTime(MonitoredSocket socket, long end) {
    // The TCP connection has a timeout of its own; what follows it is one more step.
    Duration step = relay.timeouts().connect().plus(relay.timeouts().reply());
    socket.begin(end, step);
  }

  /** Takes a connection back for the next email. */
  void giveBack(SmtpConnection connection) {
    connection.wire().rest();
    if (closed || !connection.countEmail()) {
      wires.remove(connection.wire());
      connection.quit();
      return;
    }
    connection.idleSince(System.nanoTime());
    idle.addFirst(connection);
    if (closed) {
      close();
    }
  }

  /** Ends a connection at once. */
  void drop(SmtpConnection connection) {
    wires.remove(connection.wire());
    connection.wire().abort();
  }

  /** Ends what has taken longer than a delivery may, and what has not been used for long. */
  void tidy() {
    long now = System.nanoTime();
    wires.forEach(
        socket -> {
          if (socket.isOverdue(now)) {
            socket.abort();
          }
        });
    closeIdle(relay.limits().idle());
  }

  private void closeIdle(Duration rested) {
    long now = System.nanoTime();
    for (SmtpConnection each : List.copyOf(idle)) {
      if (each.idle(now).compareTo(rested) >= 0 && idle.remove(each)) {
        wires.remove(each.wire());
        each.quit();
      }
    }
  }

  /** Ends every connection, whoever uses it. */
  void close() {
    closed = true;
    wires.forEach(MonitoredSocket::abort);
    idle.clear();
  }
}
