package dev.outbox.mysql;

import dev.outbox.store.Inserted;
import dev.outbox.store.NewEmail;
import dev.outbox.store.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets callers that store single emails at the same moment share one transaction. A commit costs
 * the same for one row and for fifty, so that while one group is being written the next one
 * gathers; nobody waits for others to come. Each caller returns after the commit of its own email.
 * If a group fails, its emails are stored one by one, so that a bad one fails its own caller and
 * nobody else. Safe for many threads.
 */
final class SharedInsert {

  /** While one group waits for the disk, others can be on their way. */
  static final int GROUPS_AT_ONCE = 6;

  private static final int MOST_EMAILS = 200;
  private static final long MOST_BYTES = 1 << 20;

  private final Function<List<NewEmail>, List<Inserted>> insert;
  private final Deque<Caller> waiting = new ArrayDeque<>();
  private int writing;

  /**
   * Makes one.
   *
   * @param insert stores emails in one transaction, and answers in their order
   */
  SharedInsert(Function<List<NewEmail>, List<Inserted>> insert) {
    this.insert = insert;
  }

  /** One email, and what became of it. */
  private static final class Caller {
    private final NewEmail email;
    private final CountDownLatch turn = new CountDownLatch(1);
    private volatile @Nullable Inserted answer;
    private volatile @Nullable RuntimeException failure;

    Caller(NewEmail email) {
      this.email = email;
    }

    boolean isSettled() {
      return answer != null || failure != null;
    }

    Inserted result() {
      Inserted stored = answer;
      if (stored != null) {
        return stored;
      }
      RuntimeException thrown = failure;
      throw thrown == null ? new IllegalStateException("neither stored nor refused") : thrown;
    }
  }

  /** Stores one email, together with those of other callers that are waiting. */
  Inserted insert(NewEmail email) {
    Caller caller = new Caller(email);
    if (!mayWrite(caller)) {
      awaitTurn(caller);
    }
    if (!caller.isSettled()) {
      List<Caller> group = groupOf(caller);
      try {
        write(group);
      } finally {
        handOver();
      }
    }
    return caller.result();
  }

  /** Returns how many callers wait for their turn. */
  synchronized int waiting() {
    return waiting.size();
  }

  private synchronized boolean mayWrite(Caller caller) {
    if (writing < GROUPS_AT_ONCE) {
      writing++;
      return true;
    }
    waiting.add(caller);
    return false;
  }

  /** An interrupt changes nothing: the email may be on its way to the disk already. */
  private static void awaitTurn(Caller caller) {
    boolean interrupted = false;
    while (true) {
      try {
        caller.turn.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized List<Caller> groupOf(Caller first) {
    List<Caller> group = new ArrayList<>(List.of(first));
    long bytes = first.email.payload().length();
    while (!waiting.isEmpty() && group.size() < MOST_EMAILS) {
      bytes += waiting.getFirst().email.payload().length();
      if (bytes > MOST_BYTES) {
        break;
      }
      group.add(waiting.removeFirst());
    }
    return group;
  }

  private void write(List<Caller> group) {
    try {
      List<Inserted> answers = insert.apply(group.stream().map(each -> each.email).toList());
      for (int i = 0; i < group.size(); i++) {
        group.get(i).answer = answers.get(i);
      }
    } catch (RuntimeException e) {
      if (group.size() == 1 || isOutage(e)) {
        group.forEach(each -> each.failure = e);
      } else {
        group.forEach(each -> write(List.of(each)));
      }
    } catch (Error e) {
      group.forEach(
          each ->
              each.failure =
                  new StoreException(
                      StoreException.Reason.UNAVAILABLE, "could not store emails", e));
      throw e;
    } finally {
      group.forEach(each -> each.turn.countDown());
    }
  }

  /** Returns whether it was nobody's email: then each would only wait for the same again. */
  private static boolean isOutage(RuntimeException thrown) {
    return thrown.getCause() instanceof SqlTrouble trouble && trouble.isPassing();
  }

  /** Gives the turn to whoever has waited longest. */
  private synchronized void handOver() {
    Caller next = waiting.pollFirst();
    if (next == null) {
      writing--;
    } else {
      next.turn.countDown();
    }
  }
}
