package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.email.EmailId;
import dev.outbox.store.Inserted;
import dev.outbox.store.NewEmail;
import dev.outbox.store.StoreException;
import java.sql.SQLTransientConnectionException;
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

class SharedInsertTest {

  private static final int AT_ONCE = SharedInsert.GROUPS_AT_ONCE;

  private final ExecutorService threads = Executors.newFixedThreadPool(32);
  private final CountDownLatch disk = new CountDownLatch(1);
  private final List<List<EmailId>> groups = new CopyOnWriteArrayList<>();
  private final List<EmailId> bad = new CopyOnWriteArrayList<>();
  private final SharedInsert shared = new SharedInsert(this::insert);

  @AfterEach
  void end() {
    disk.countDown();
    threads.shutdownNow();
  }

  private List<Inserted> insert(List<NewEmail> emails) {
    groups.add(emails.stream().map(NewEmail::id).toList());
    try {
      disk.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (emails.stream().anyMatch(email -> bad.contains(email.id()))) {
      throw new IllegalArgumentException("bad");
    }
    return emails.stream().map(email -> new Inserted(email.id(), Inserted.Status.CREATED)).toList();
  }

  private CompletableFuture<Inserted> send(NewEmail email) {
    return CompletableFuture.supplyAsync(() -> shared.insert(email), threads);
  }

  /** Lets as many callers write as may at once, and all others wait behind them. */
  private List<CompletableFuture<Inserted>> sendBehindOthers(List<NewEmail> emails) {
    List<CompletableFuture<Inserted>> first =
        Stream.generate(() -> send(Emails.plain())).limit(AT_ONCE).toList();
    await().until(() -> groups.size() == AT_ONCE);
    List<CompletableFuture<Inserted>> others = new ArrayList<>();
    emails.forEach(email -> others.add(send(email)));
    await().until(() -> shared.waiting() == emails.size());
    disk.countDown();
    CompletableFuture.allOf(first.toArray(CompletableFuture[]::new)).join();
    return others;
  }

  @Test
  void callersThatWaitShareOneTransactionAndEachGetsItsOwnAnswer() {
    List<NewEmail> emails = Stream.generate(Emails::plain).limit(20).toList();

    List<CompletableFuture<Inserted>> answers = sendBehindOthers(emails);

    for (int i = 0; i < emails.size(); i++) {
      assertThat(answers.get(i).join().id()).isEqualTo(emails.get(i).id());
    }
    assertThat(groups).hasSizeLessThanOrEqualTo(2 * AT_ONCE);
    assertThat(groups.stream().mapToInt(List::size).sum()).isEqualTo(20 + AT_ONCE);
  }

  @Test
  void nobodyReturnsBeforeTheCommit() {
    CompletableFuture<Inserted> caller = send(Emails.plain());
    await().until(() -> groups.size() == 1);

    assertThat(caller).isNotDone();

    disk.countDown();
    assertThat(caller.join().status()).isEqualTo(Inserted.Status.CREATED);
  }

  @Test
  void aBadEmailFailsItsOwnCallerAlone() {
    List<NewEmail> emails = Stream.generate(Emails::plain).limit(10).toList();
    bad.add(emails.get(4).id());

    List<CompletableFuture<Inserted>> answers = sendBehindOthers(emails);

    for (int i = 0; i < emails.size(); i++) {
      CompletableFuture<Inserted> answer = answers.get(i);
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
    SharedInsert failing =
        new SharedInsert(
            emails -> {
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
                      SqlTrouble.in(new SQLTransientConnectionException("gone", "08000"))));
            });
    List<CompletableFuture<Inserted>> callers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      callers.add(CompletableFuture.supplyAsync(() -> failing.insert(Emails.plain()), threads));
    }
    await().until(() -> failing.waiting() == 20 - AT_ONCE);
    gathered.countDown();

    callers.forEach(
        caller -> assertThatThrownBy(caller::join).hasCauseInstanceOf(StoreException.class));
    assertThat(sizes).hasSizeLessThanOrEqualTo(2 * AT_ONCE);
  }
}
