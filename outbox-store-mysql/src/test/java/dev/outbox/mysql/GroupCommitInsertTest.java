package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.email.EmailId;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.StoreException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupCommitInsertTest {

  private static final int AT_ONCE = GroupCommitInsert.GROUPS_AT_ONCE;

  private final ExecutorService threads = Executors.newFixedThreadPool(32);
  private final CountDownLatch disk = new CountDownLatch(1);
  private final List<List<EmailId>> groups = new CopyOnWriteArrayList<>();
  private final List<EmailId> bad = new CopyOnWriteArrayList<>();
  private final GroupCommitInsert shared = new GroupCommitInsert(this::insert);

  @AfterEach
  void end() {
    disk.countDown();
    threads.shutdownNow();
  }

  private List<InsertResult> insert(List<NewEmail> emails, boolean before) {
    groups.add(emails.stream().map(NewEmail::id).toList());
    try {
      disk.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (emails.stream().anyMatch(email -> bad.contains(email.id()))) {
      throw new IllegalArgumentException("bad");
    }
    return emails.stream()
        .map(email -> new InsertResult(email.id(), InsertResult.Status.CREATED))
        .toList();
  }

  private CompletableFuture<InsertResult> send(NewEmail email) {
    return CompletableFuture.supplyAsync(() -> shared.insert(email), threads);
  }

  /** Lets as many callers write as may at once, and all others wait behind them. */
  private List<CompletableFuture<InsertResult>> sendBehindOthers(List<NewEmail> emails) {
    List<CompletableFuture<InsertResult>> first =
        Stream.generate(() -> send(Emails.plain())).limit(AT_ONCE).toList();
    await().until(() -> groups.size() == AT_ONCE);
    List<CompletableFuture<InsertResult>> others = new ArrayList<>();
    emails.forEach(email -> others.add(send(email)));
    await().until(() -> shared.waiting() == emails.size());
    disk.countDown();
    CompletableFuture.allOf(first.toArray(CompletableFuture[]::new)).join();
    return others;
  }

  @Test
  void callersThatWaitShareOneTransactionAndEachGetsItsOwnAnswer() {
    List<NewEmail> emails = Stream.generate(Emails::plain).limit(20).toList();

    List<CompletableFuture<InsertResult>> answers = sendBehindOthers(emails);

    for (int i = 0; i < emails.size(); i++) {
      assertThat(answers.get(i).join().id()).isEqualTo(emails.get(i).id());
    }
    assertThat(groups).hasSizeLessThanOrEqualTo(2 * AT_ONCE);
    assertThat(groups.stream().mapToInt(List::size).sum()).isEqualTo(20 + AT_ONCE);
  }

  @Test
  void nobodyReturnsBeforeTheCommit() {
    CompletableFuture<InsertResult> caller = send(Emails.plain());
    await().until(() -> groups.size() == 1);

    assertThat(caller).isNotDone();

    disk.countDown();
    assertThat(caller.join().status()).isEqualTo(InsertResult.Status.CREATED);
  }

  @Test
  void aBadEmailFailsItsOwnCallerAlone() {
    List<NewEmail> emails = Stream.generate(Emails::plain).limit(10).toList();
    bad.add(emails.get(4).id());

    List<CompletableFuture<InsertResult>> answers = sendBehindOthers(emails);

    for (int i = 0; i < emails.size(); i++) {
      CompletableFuture<InsertResult> answer = answers.get(i);
      if (i == 4) {
        assertThatThrownBy(answer::join)
            .isInstanceOf(CompletionException.class)
            .hasCauseInstanceOf(IllegalArgumentException.class);
      } else {
        assertThat(answer.join().id()).isEqualTo(emails.get(i).id());
      }
    }
  }

  @Test
  void anOutageFailsAllOfAGroupAtOnce() {
    disk.countDown();
    List<Integer> sizes = new CopyOnWriteArrayList<>();
    CountDownLatch gathered = new CountDownLatch(1);
    GroupCommitInsert failing =
        new GroupCommitInsert(
            (emails, before) -> {
              sizes.add(emails.size());
              try {
                gathered.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              throw new StoreException(
                  StoreException.Reason.UNAVAILABLE,
                  "gone",
                  Objects.requireNonNull(
                      SanitizedSqlException.in(
                          new SQLTransientConnectionException("gone", "08000"))));
            });
    List<CompletableFuture<InsertResult>> callers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      callers.add(CompletableFuture.supplyAsync(() -> failing.insert(Emails.plain()), threads));
    }
    await().until(() -> failing.waiting() == 20 - AT_ONCE);
    gathered.countDown();

    callers.forEach(
        caller -> assertThatThrownBy(caller::join).hasCauseInstanceOf(StoreException.class));
    assertThat(sizes).hasSizeLessThanOrEqualTo(2 * AT_ONCE);
  }

  @Test
  void aBadEmailOfManyCostsTwoCallsForEachHalving() {
    List<NewEmail> emails = Stream.generate(Emails::plain).limit(128).toList();
    bad.add(emails.get(77).id());
    ExecutorService many = Executors.newCachedThreadPool();
    try {
      List<CompletableFuture<InsertResult>> first =
          Stream.generate(() -> send(Emails.plain())).limit(AT_ONCE).toList();
      await().until(() -> groups.size() == AT_ONCE);
      // The first to get its turn takes all others, so that they are one group.
      List<CompletableFuture<InsertResult>> others =
          emails.stream()
              .map(email -> CompletableFuture.supplyAsync(() -> shared.insert(email), many))
              .toList();
      await().until(() -> shared.waiting() == emails.size());
      disk.countDown();
      CompletableFuture.allOf(first.toArray(CompletableFuture[]::new)).join();
      others.forEach(
          each -> {
            try {
              each.join();
            } catch (CompletionException e) {
              assertThat(e).hasCauseInstanceOf(IllegalArgumentException.class);
            }
          });
      assertThat(others.stream().filter(CompletableFuture::isCompletedExceptionally)).hasSize(1);
      assertThat(groups).hasSizeLessThanOrEqualTo(2 * AT_ONCE + 2 * 7);
    } finally {
      many.shutdownNow();
    }
  }

  @Test
  void anInterruptedWriterFailsAloneAndGivesItsTurnToTheOthers() {
    NewEmail own = Emails.plain();
    List<Boolean> repeated = new CopyOnWriteArrayList<>();
    GroupCommitInsert interrupted =
        new GroupCommitInsert(
            (emails, before) -> {
              groups.add(emails.stream().map(NewEmail::id).toList());
              repeated.add(before);
              try {
                disk.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException(
                    StoreException.Reason.INTERRUPTED, "the calling thread was interrupted", e);
              }
              return emails.stream()
                  .map(email -> new InsertResult(email.id(), InsertResult.Status.CREATED))
                  .toList();
            });
    List<Thread> writers = new CopyOnWriteArrayList<>();
    List<CompletableFuture<InsertResult>> first = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      NewEmail email = i == 0 ? own : Emails.plain();
      first.add(
          CompletableFuture.supplyAsync(
              () -> {
                writers.add(Thread.currentThread());
                return interrupted.insert(email);
              },
              threads));
      int started = i + 1;
      await().until(() -> groups.size() == started);
    }
    List<NewEmail> emails = Stream.generate(Emails::plain).limit(10).toList();
    List<CompletableFuture<InsertResult>> others =
        emails.stream()
            .map(email -> CompletableFuture.supplyAsync(() -> interrupted.insert(email), threads))
            .toList();
    await().until(() -> interrupted.waiting() == 10);

    writers.get(0).interrupt();
    await().until(() -> groups.size() == AT_ONCE + 1);
    disk.countDown();

    assertThatThrownBy(() -> first.get(0).join())
        .cause()
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("interrupted");
    first.subList(1, AT_ONCE).forEach(CompletableFuture::join);
    others.forEach(CompletableFuture::join);
    assertThat(repeated).doesNotContain(true);
  }

  @Test
  void emailsWhoseWriteWasInterruptedAreLookedForBeforeTheyAreStoredAgain() {
    List<Boolean> repeated = new CopyOnWriteArrayList<>();
    List<List<EmailId>> written = new CopyOnWriteArrayList<>();
    GroupCommitInsert failing =
        new GroupCommitInsert(
            (emails, before) -> {
              groups.add(emails.stream().map(NewEmail::id).toList());
              if (emails.size() > 1 && !before) {
                Thread.currentThread().interrupt();
                throw new StoreException(
                    StoreException.Reason.INTERRUPTED, "the calling thread was interrupted", null);
              }
              try {
                disk.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              repeated.add(before);
              written.add(emails.stream().map(NewEmail::id).toList());
              return emails.stream()
                  .map(email -> new InsertResult(email.id(), InsertResult.Status.CREATED))
                  .toList();
            });
    List<CompletableFuture<InsertResult>> all = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      all.add(CompletableFuture.supplyAsync(() -> failing.insert(Emails.plain()), threads));
    }
    await().until(() -> groups.size() == AT_ONCE);
    List<CompletableFuture<InsertResult>> others =
        Stream.generate(Emails::plain)
            .limit(10)
            .map(email -> CompletableFuture.supplyAsync(() -> failing.insert(email), threads))
            .toList();
    await().until(() -> failing.waiting() == 10);
    disk.countDown();

    all.forEach(CompletableFuture::join);
    long interrupted =
        others.stream()
            .filter(
                each -> {
                  try {
                    each.join();
                    return false;
                  } catch (CompletionException e) {
                    return e.getCause() instanceof StoreException thrown
                        && thrown.reason() == StoreException.Reason.INTERRUPTED;
                  }
                })
            .count();
    assertThat(interrupted).isEqualTo(1);
    assertThat(repeated).contains(true);
    assertThat(written.stream().flatMap(List::stream)).doesNotHaveDuplicates();
  }

  @Test
  void anInterruptedCallerThatOnlyWaitsIsNotStored() {
    List<CompletableFuture<InsertResult>> first =
        Stream.generate(() -> send(Emails.plain())).limit(AT_ONCE).toList();
    await().until(() -> groups.size() == AT_ONCE);
    NewEmail email = Emails.plain();
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    CompletableFuture<InsertResult> waiting =
        CompletableFuture.supplyAsync(
            () -> {
              thread.complete(Thread.currentThread());
              try {
                return shared.insert(email);
              } finally {
                flag.complete(Thread.currentThread().isInterrupted());
              }
            },
            threads);
    await().until(() -> shared.waiting() == 1);

    thread.join().interrupt();

    assertThat(waiting)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(StoreException.class)
        .withMessageContaining("interrupted");
    assertThat(flag.join()).as("the interrupt flag is kept").isTrue();
    disk.countDown();
    first.forEach(CompletableFuture::join);
    assertThat(groups.stream().flatMap(List::stream)).doesNotContain(email.id());
  }
}
