package dev.outbox.mysql;

import dev.outbox.email.EmailId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices commits of connections that tell nobody: it looks for the emails that were inserted,
 * until others can see them. Every look is one query for all of them. A transaction that takes
 * longer than ten seconds is left to the processor's poll.
 */
final class HostCommitPoller implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(HostCommitPoller.class);
  private static final Duration FIRST = Duration.ofMillis(1);
  private static final Duration SLOWEST = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Function<List<EmailId>, Set<EmailId>> visible;
  private final ConcurrentLinkedQueue<Watched> watched = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean looking = new AtomicBoolean();
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread created = new Thread(task, "outbox-commit-watch");
            created.setDaemon(true);
            return created;
          });

  private record Watched(EmailId id, Runnable action, long since) {}

  /**
   * Makes a watch.
   *
   * @param visible tells which of some emails everybody can see
   */
  HostCommitPoller(Function<List<EmailId>, Set<EmailId>> visible) {
    this.visible = visible;
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Runs an action soon after an email has become visible. */
  void whenVisible(EmailId id, Runnable action) {
    watched.add(new Watched(id, action, System.nanoTime()));
    if (looking.compareAndSet(false, true)) {
      lookIn(FIRST);
    }
  }

  private void lookIn(Duration delay) {
    try {
      Future<?> unused =
          thread.schedule(() -> query(delay), delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (java.util.concurrent.RejectedExecutionException closed) {
      watched.clear();
    }
  }

  private void query(Duration delay) {
    try {
      Set<EmailId> seen =
          new HashSet<>(visible.apply(watched.stream().map(Watched::id).limit(500).toList()));
      long now = System.nanoTime();
      for (Iterator<Watched> each = watched.iterator(); each.hasNext(); ) {
        Watched one = each.next();
        if (seen.contains(one.id)) {
          each.remove();
          one.action.run();
        } else if (now - one.since > PATIENCE.toNanos()) {
          each.remove();
        }
      }
    } catch (RuntimeException e) {
      log.debug("could not look for commits: {}", e.getClass().getSimpleName());
    } finally {
      // Also after an Error, or no later commit would be noticed.
      again(delay);
    }
  }

  private void again(Duration delay) {
    looking.set(false);
    if (!watched.isEmpty() && looking.compareAndSet(false, true)) {
      Duration next = delay.multipliedBy(2);
      lookIn(next.compareTo(SLOWEST) > 0 ? SLOWEST : next);
    }
  }

  /** Does not interrupt a look: H2 closes its file, which may be the host's, on an interrupt. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
