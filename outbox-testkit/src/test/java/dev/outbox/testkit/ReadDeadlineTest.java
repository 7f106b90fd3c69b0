package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads that people wait for end, whatever the store does. */
class ReadDeadlineTest {

  private static final Duration SHORT = Duration.ofMillis(100);

  private static final Map<String, Function<Outbox, Object>> READS =
      Map.of(
          "stats", Outbox::stats,
          "find", outbox -> outbox.find(EmailId.next()),
          "history", outbox -> outbox.history(EmailId.next()),
          "query", outbox -> outbox.query(EmailQuery.all(), 10),
          "preview", outbox -> outbox.preview(EmailId.next()));

  private final HookedStore store = new HookedStore(new InMemoryStore());
  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final CountDownLatch answered = new CountDownLatch(1);

  @AfterEach
  void answer() {
    answered.countDown();
    callers.shutdownNow();
  }

  static Stream<String> reads() {
    return READS.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("reads")
  void aReadEndsAfterThreeSecondsIfTheStoreDoesNotAnswer(String name) {
    hang();
    try (Outbox outbox = Outbox.builder(store.store()).build()) {
      CompletableFuture<Object> read = CompletableFuture.supplyAsync(() -> read(name, outbox));

      assertThatThrownBy(() -> read.get(6, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOfSatisfying(
              StoreException.class,
              thrown -> {
                assertThat(thrown.reason()).isEqualTo(StoreException.Reason.UNAVAILABLE);
                assertThat(thrown).hasMessageContaining(name).hasMessageContaining("3 s");
              });
    }
  }

  @Test
  void whileEveryThreadIsBlockedFurtherReadsFailAtOnce() {
    hang();
    try (Outbox outbox = Outbox.builder(store.store()).readTimeout(SHORT).build()) {
      List<CompletableFuture<Object>> reads =
          IntStream.range(0, 4)
              .mapToObj(i -> CompletableFuture.supplyAsync(() -> read("find", outbox), callers))
              .toList();
      reads.forEach(read -> assertUnavailable(read::join, "100 ms"));
      int calls = store.callsOf("find").size();

      assertUnavailable(() -> read("stats", outbox), "4 reads are blocked");
      assertThat(store.callsOf("find")).hasSize(calls);
      assertThat(store.callsOf("stats")).isEmpty();

      answered.countDown();
      await().untilAsserted(() -> assertThat(outbox.stats().states()).isEmpty());
    }
  }

  @Test
  void moreReadsThanThreadsWaitForTheirTurnAndAreAnswered() {
    CountDownLatch shortly = new CountDownLatch(1);
    store.before("find", arguments -> shortly.await());
    try (Outbox outbox =
        Outbox.builder(store.store()).readTimeout(Duration.ofSeconds(20)).build()) {
      List<CompletableFuture<Object>> reads =
          IntStream.range(0, 12)
              .mapToObj(i -> CompletableFuture.supplyAsync(() -> read("find", outbox), callers))
              .toList();
      await().until(() -> store.callsOf("find").size() == 4);
      shortly.countDown();

      assertThat(reads).allSatisfy(read -> assertThat(read.join()).isEqualTo(Optional.empty()));
    }
  }

  @Test
  void aReadThatGaveUpWhileItWaitedForAThreadIsNeverMade() {
    hang();
    try (Outbox outbox = Outbox.builder(store.store()).readTimeout(SHORT).build()) {
      List<CompletableFuture<Object>> reads =
          IntStream.range(0, 8)
              .mapToObj(i -> CompletableFuture.supplyAsync(() -> read("find", outbox), callers))
              .toList();
      reads.forEach(read -> assertUnavailable(read::join, "find"));
      answered.countDown();
      await().untilAsserted(() -> assertThat(outbox.stats().states()).isEmpty());

      assertThat(store.callsOf("find")).hasSizeLessThanOrEqualTo(4);
    }
  }

  @Test
  void anInterruptedCallerIsToldSoAndKeepsItsFlag() {
    hang();
    try (Outbox outbox = Outbox.builder(store.store()).build()) {
      Thread.currentThread().interrupt();

      assertThatThrownBy(outbox::stats)
          .isInstanceOfSatisfying(
              StoreException.class,
              thrown -> assertThat(thrown.reason()).isEqualTo(StoreException.Reason.INTERRUPTED));
      assertThat(Thread.interrupted()).as("flag").isTrue();
    }
  }

  @Test
  void whatTheStoreThrowsIsThrownWithTheFramesOfTheCaller() {
    StoreException failure =
        CompletableFuture.supplyAsync(
                () -> new StoreException(StoreException.Reason.MISCONFIGURED, "no table", null))
            .join();
    store.before(
        "stats",
        arguments -> {
          throw failure;
        });
    try (Outbox outbox = Outbox.builder(store.store()).build()) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(outbox::stats).isSameAs(failure);
      }
      assertThat(Stream.of(failure.getStackTrace()).map(StackTraceElement::getMethodName))
          .containsOnlyOnce("whatTheStoreThrowsIsThrownWithTheFramesOfTheCaller");
    }
  }

  @Test
  void requeueingManyHasTheDeadlineForEachPage() {
    hang();
    try (Outbox outbox = Outbox.builder(store.store()).readTimeout(SHORT).build()) {
      assertUnavailable(() -> outbox.requeueAll(EmailQuery.all()), "query");
    }
  }

  @Test
  void noThreadIsLeftAfterCloseAndReadsStillWork() {
    Outbox outbox = Outbox.builder(store.store()).nodeName("reader").build();
    outbox.stats();
    assertThat(threads()).isPositive();

    outbox.close();

    await().atMost(Duration.ofSeconds(5)).until(() -> threads() == 0);
    assertThat(outbox.stats().states()).isEmpty();
    await().atMost(Duration.ofSeconds(5)).until(() -> threads() == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.0001S", "P2D"})
  void aTimeoutThatCannotWorkIsRejected(Duration timeout) {
    assertThatThrownBy(() -> Outbox.builder(store.store()).readTimeout(timeout))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("readTimeout")
        .hasMessageContaining(timeout.toString());
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("outbox-reader-read-"))
        .count();
  }

  private static void assertUnavailable(ThrowingCallable read, String message) {
    assertThatThrownBy(read)
        .satisfies(
            thrown -> {
              Throwable failure =
                  thrown instanceof CompletionException ? thrown.getCause() : thrown;
              assertThat(failure)
                  .isInstanceOfSatisfying(
                      StoreException.class,
                      store ->
                          assertThat(store.reason()).isEqualTo(StoreException.Reason.UNAVAILABLE))
                  .hasMessageContaining(message);
            });
  }

  private static Object read(String name, Outbox outbox) {
    return Objects.requireNonNull(READS.get(name)).apply(outbox);
  }

  private void hang() {
    for (String method : new String[] {"stats", "find", "history", "query"}) {
      store.before(method, arguments -> answered.await());
    }
  }
}
