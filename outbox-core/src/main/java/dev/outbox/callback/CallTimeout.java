package dev.outbox.callback;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends calls that take too long by closing their sockets, whatever they are at: connecting, TLS,
 * writing or reading. A socket's own timeout counts from byte to byte, and a receiver that drips
 * one at a time would never meet it. Its one thread goes away when there is nothing to watch.
 */
final class CallTimeout {

  private final ScheduledThreadPoolExecutor alarms;

  CallTimeout() {
    this.alarms =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "outbox-callback-watchdog");
              thread.setDaemon(true);
              return thread;
            });
    alarms.setRemoveOnCancelPolicy(true);
    alarms.setKeepAliveTime(10, TimeUnit.SECONDS);
    alarms.allowCoreThreadTimeOut(true);
  }

  RunningCall watch(Duration limit) {
    return new RunningCall(limit);
  }

  /** One call that is watched, until this is closed. */
  final class RunningCall implements AutoCloseable {

    private final Future<?> alarm;
    private @Nullable Socket watched;
    private boolean over;

    private RunningCall(Duration limit) {
      this.alarm = alarms.schedule(this::end, limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Watches over another socket from now on. */
    synchronized void over(Socket socket) throws IOException {
      watched = socket;
      if (over) {
        socket.close();
      }
    }

    private synchronized void end() {
      over = true;
      if (watched != null) {
        try {
          watched.close();
        } catch (IOException e) {
          throw new UncheckedIOException("a socket that cannot be closed", e);
        }
      }
    }

    /** Returns whether the time was over. */
    synchronized boolean isOver() {
      return over;
    }

    @Override
    public void close() {
      alarm.cancel(false);
    }
  }
}
