package dev.outbox.mysql;

import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Lets callers that store single emails at the same moment share one transaction. A commit costs
 * the same for one row and for fifty, so that while one group is being written the next one
 * gathers; nobody waits for others to come. Each caller returns after the commit of its own email.
 *
 * <p>If the database rejects a group, the group is split in halves until the rejected emails are
 * alone, so that each fails its own caller only. An outage fails a group at once. If the caller
 * that writes is interrupted, its own call fails, and the other emails of the group are handed over
 * to another caller. Safe for many threads.
 */
final class GroupCommitInsert {

  /** While one group waits for the disk, others can be on their way. */
  static final int GROUPS_AT_ONCE = 6;

  private static final int MOST_EMAILS = 200;
  private static final long MOST_BYTES = 1 << 20;

  private final Insert insert;
  private final Deque<Caller> waiting = new ArrayDeque<>();
  private int writing;

  /** Stores emails in one transaction. */
  interface Insert {

    /**
     * Stores emails.
     *
     * @param before whether an earlier call may have stored some of them
     * @return the results, in the order of the emails
     */
    List<InsertResult> insert(List<NewEmail> emails, boolean before);
  }

  GroupCommitInsert(Insert insert) {
    this.insert = insert;
  }

  /** One email, and what became of it. */
  private static final class Caller {
    private final NewEmail email;
    private final CountDownLatch turn = new CountDownLatch(1);
    private volatile @Nullable InsertResult answer;
    private volatile @Nullable RuntimeException failure;

    /** Whether a write of this email was interrupted, so that it may be stored already. */
    private volatile boolean interrupted;

    Caller(NewEmail email) {
      this.email = email;
    }

    boolean isSettled() {
      return answer != null || failure != null;
    }

    InsertResult result() {
      InsertResult stored = answer;
      if (stored != null) {
        return stored;
      }
      RuntimeException thrown = failure;
      throw thrown == null ? new IllegalStateException("neither stored nor refused") : thrown;
    }
  }

  /** Stores one email, together with those of other callers that are waiting. */
  InsertResult insert(NewEmail email) {
    Caller caller = new Caller(email);
    if (!mayWrite(caller)) {
      awaitTurn(caller);
    }
    if (!caller.isSettled()) {
      List<Caller> group = groupOf(caller);
      try {
        write(caller, group);
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

  /**
   * Waits until the email is stored, or it is this caller's turn to write. An interrupt ends the
   * wait of an email that no group has taken yet.
   */
  private void awaitTurn(Caller caller) {
    boolean interrupted = false;
    while (true) {
      try {
        caller.turn.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
        if (withdraw(caller)) {
          caller.failure = interrupted(e);
          break;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean withdraw(Caller caller) {
    return waiting.remove(caller);
  }

  private static StoreException interrupted(@Nullable Throwable cause) {
    return new StoreException(
        StoreException.Reason.INTERRUPTED,
        "could not store emails: the calling thread was interrupted",
        cause);
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

  private void write(Caller writer, List<Caller> group) {
    Deque<List<Caller>> parts = new ArrayDeque<>(List.of(group));
    try {
      while (!parts.isEmpty()) {
        List<Caller> part = parts.removeFirst();
        try {
          store(part);
        } catch (RuntimeException e) {
          if (isInterrupt(e)) {
            parts.addFirst(part);
            part.forEach(each -> each.interrupted = true);
            abandon(writer, parts, e);
          } else if (isOutage(e)) {
            parts.addFirst(part);
            parts.forEach(each -> fail(each, e));
            parts.clear();
          } else if (part.size() == 1) {
            fail(part, e);
          } else {
            parts.addFirst(part.subList(part.size() / 2, part.size()));
            parts.addFirst(part.subList(0, part.size() / 2));
          }
        } catch (Error e) {
          parts.addFirst(part);
          RuntimeException failure =
              new StoreException(StoreException.Reason.UNAVAILABLE, "could not store emails", e);
          parts.forEach(each -> fail(each, failure));
          throw e;
        }
      }
    } finally {
      group.stream().filter(Caller::isSettled).forEach(each -> each.turn.countDown());
    }
  }

  private void store(List<Caller> part) {
    List<InsertResult> answers =
        insert.insert(
            part.stream().map(each -> each.email).toList(),
            part.stream().anyMatch(each -> each.interrupted));
    for (int i = 0; i < part.size(); i++) {
      part.get(i).answer = answers.get(i);
      part.get(i).turn.countDown();
    }
  }

  private static void fail(List<Caller> part, RuntimeException failure) {
    part.forEach(each -> each.failure = failure);
  }

  /** Gives all emails but the writer's own to the callers that wait, as the first of them. */
  private synchronized void abandon(
      Caller writer, Deque<List<Caller>> parts, RuntimeException thrown) {
    List<Caller> others = new ArrayList<>();
    parts.forEach(others::addAll);
    if (others.remove(writer)) {
      writer.failure =
          thrown instanceof StoreException e && e.reason() == StoreException.Reason.INTERRUPTED
              ? e
              : interrupted(thrown);
    }
    for (int i = others.size() - 1; i >= 0; i--) {
      waiting.addFirst(others.get(i));
    }
    parts.clear();
  }

  /** Other places than the database, such as a content directory, fail on an interrupt as well. */
  private static boolean isInterrupt(RuntimeException thrown) {
    return thrown instanceof StoreException e
        && (e.reason() == StoreException.Reason.INTERRUPTED
            || (e.reason() == StoreException.Reason.UNAVAILABLE
                && Thread.currentThread().isInterrupted()));
  }

  /** Returns whether every email would meet the same, after the same retries. */
  private static boolean isOutage(RuntimeException thrown) {
    return thrown instanceof StoreException e
        && e.getCause() instanceof SanitizedSqlException
        && (e.reason() == StoreException.Reason.UNAVAILABLE
            || e.reason() == StoreException.Reason.MISCONFIGURED);
  }

  /** Gives the turn to the caller that has waited longest. */
  private synchronized void handOver() {
    Caller next = waiting.pollFirst();
    if (next == null) {
      writing--;
    } else {
      next.turn.countDown();
    }
  }
}
