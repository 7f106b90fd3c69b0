package dev.outbox.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A proxy before a server on loopback whose connections can be reset, held up and delayed. */
public final class TcpProxy implements AutoCloseable {

  private final int target;
  private final Supplier<Filter> filters;
  private final ConnectionAcceptor server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Weather weather = Weather.FAIR;
  private long delayMillis;

  /** What happens to the data of all connections. */
  public enum Weather {
    /** Data passes. */
    FAIR,
    /** New connections are refused, and those that were open are reset. */
    CUT,
    /** Connections stay open, and no data passes. */
    HELD
  }

  /** Sees the data of one connection, and closes it by returning false. */
  interface Filter {

    /** Returns whether data of the client is passed on to the server. */
    boolean passes(byte[] data);

    /** Returns whether data of the server is passed on to the client. */
    boolean answers(byte[] data);
  }

  /** A filter that lets everything pass. */
  private static final class Open implements Filter {
    @Override
    public boolean passes(byte[] data) {
      return true;
    }

    @Override
    public boolean answers(byte[] data) {
      return true;
    }
  }

  /**
   * Opens a port.
   *
   * @param target the port of the server
   */
  public TcpProxy(int target) {
    this(target, Open::new);
  }

  TcpProxy(int target, Supplier<Filter> filters) {
    this.target = target;
    this.filters = filters;
    this.server = new ConnectionAcceptor(this::connect);
  }

  /** Returns the port for clients. */
  public int port() {
    return server.port();
  }

  /** Changes what happens to the data of all connections. */
  public void turn(Weather next) {
    lock.lock();
    try {
      weather = next;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (next == Weather.CUT) {
      drop();
    }
  }

  /** Resets all open connections; new ones are accepted. */
  public void drop() {
    open.forEach(TcpProxy::reset);
  }

  /** Delays each piece of data. */
  public void delay(long millis) {
    lock.lock();
    try {
      delayMillis = millis;
    } finally {
      lock.unlock();
    }
  }

  private void connect(Socket client) {
    try {
      if (isCut()) {
        reset(client);
        return;
      }
      Socket behind = new Socket(InetAddress.getLoopbackAddress(), target);
      client.setTcpNoDelay(true);
      behind.setTcpNoDelay(true);
      open.add(client);
      open.add(behind);
      Filter filter = filters.get();
      ConnectionAcceptor.background(() -> pump(client, behind, filter::passes));
      ConnectionAcceptor.background(() -> pump(behind, client, filter::answers));
    } catch (IOException e) {
      reset(client);
    }
  }

  private boolean isCut() {
    lock.lock();
    try {
      return weather == Weather.CUT;
    } finally {
      lock.unlock();
    }
  }

  private void pump(Socket from, Socket to, Predicate<byte[]> filter) {
    byte[] buffer = new byte[1 << 16];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
        byte[] data = Arrays.copyOf(buffer, size);
        pass();
        if (!filter.test(data)) {
          return;
        }
        to.getOutputStream().write(data);
      }
    } catch (IOException | InterruptedException e) {
      // One side is closed, and the other is closed with it.
      return;
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  private void pass() throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(delayMillis);
      while (left > 0) {
        left = changed.awaitNanos(left);
      }
      while (weather == Weather.HELD) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // It is closed already.
      return;
    }
  }

  @Override
  public void close() {
    server.close();
    turn(Weather.CUT);
  }
}
