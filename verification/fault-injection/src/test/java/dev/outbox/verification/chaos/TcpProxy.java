package dev.outbox.verification.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A way to a server on loopback that can be cut, held up and made long. */
final class TcpProxy implements AutoCloseable {

  private final int target;
  private final Acceptor server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Weather weather = Weather.FAIR;
  private long delayMillis;

  /** What happens to bytes on their way. */
  enum Weather {
    FAIR,
    /** Nobody gets through, and who had is thrown out. */
    CUT,
    /** Connections stand, and nothing moves on them. */
    HELD
  }

  TcpProxy(int target) {
    this.target = target;
    this.server = new Acceptor(this::connect);
  }

  int port() {
    return server.port();
  }

  void turn(Weather next) {
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

  /** Throws out everybody who is on the way; newcomers get through. */
  void drop() {
    open.forEach(TcpProxy::reset);
  }

  /** Lets every piece of data wait. */
  void delay(long millis) {
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
      Acceptor.background(() -> pump(client, behind));
      Acceptor.background(() -> pump(behind, client));
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

  private void pump(Socket from, Socket to) {
    byte[] buffer = new byte[1 << 16];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
        pass();
        to.getOutputStream().write(buffer, 0, size);
      }
    } catch (IOException | InterruptedException e) {
      // One side is gone, and the other goes with it.
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
      // Gone already.
      return;
    }
  }

  @Override
  public void close() {
    server.close();
    turn(Weather.CUT);
  }
}
