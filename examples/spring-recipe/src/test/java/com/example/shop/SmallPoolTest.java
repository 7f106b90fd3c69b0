package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Eight threads share a pool of four connections, which gives up after 30 seconds. */
@ParameterizedClass
@MethodSource("shops")
class SmallPoolTest {

  private static final int THREADS = 8;
  private static final int CONNECTIONS = 4;
  private static final long SECONDS = 15;

  @Parameter Shop shop;

  static Stream<Shop> shops() {
    return TransactionPhasesTest.shops();
  }

  @ParameterizedTest
  @EnumSource(names = {"AFTER_COMMIT", "AFTER_COMPLETION"})
  void threadsThatHoldAllConnectionsDoNotWaitForEachOther(Phase phase) throws Exception {
    shop.clear();
    CyclicBarrier allConnectionsAreHeld = new CyclicBarrier(CONNECTIONS);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> calls =
          IntStream.range(0, THREADS)
              .<Future<?>>mapToObj(
                  id -> threads.submit(() -> orderAndSend(id, phase, allConnectionsAreHeld)))
              .toList();
      for (Future<?> call : calls) {
        call.get(SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(shop.orders()).isEqualTo(THREADS);
    assertThat(shop.emails()).isEqualTo(THREADS);
  }

  private void orderAndSend(int id, Phase phase, CyclicBarrier allConnectionsAreHeld) {
    shop.transaction()
        .executeWithoutResult(
            status -> {
              shop.order(id);
              phase.run(
                  () -> {
                    await(allConnectionsAreHeld);
                    shop.send();
                  });
            });
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }
}
