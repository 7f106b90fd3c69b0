package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.email.EmailId;
import java.util.HashSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HostCommitPollerTest {

  @Test
  void anErrorInAnActionDoesNotStopTheWatch() {
    AtomicInteger runs = new AtomicInteger();
    try (HostCommitPoller watch = new HostCommitPoller(HashSet::new)) {
      watch.whenVisible(
          EmailId.next(),
          () -> {
            runs.incrementAndGet();
            throw new AssertionError("a defect of the action");
          });
      await().until(() -> runs.get() == 1);
      watch.whenVisible(EmailId.next(), runs::incrementAndGet);

      await().until(() -> runs.get() == 2);
    }
  }

  @Test
  void closingDoesNotInterruptAQuery() {
    CountDownLatch closed = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    CountDownLatch looking = new CountDownLatch(1);
    HostCommitPoller watch =
        new HostCommitPoller(
            ids -> {
              looking.countDown();
              try {
                closed.await();
                interrupted.complete(Thread.currentThread().isInterrupted());
              } catch (InterruptedException e) {
                interrupted.complete(true);
              }
              return new HashSet<>(ids);
            });
    watch.whenVisible(EmailId.next(), () -> {});
    await().until(() -> looking.getCount() == 0);

    watch.close();
    closed.countDown();

    assertThat(interrupted.join()).isFalse();
  }
}
