package dev.outbox.benchmarks;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.mysql.MySqlStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** How long emails take while a node sends and callers store at the same time. */
final class Latency {

  static final String BOTH = "ours: stored by send from 8 threads and drained, both at once/s";
  static final String SEND = "ours: send to the relay's 250 at half that rate,";
  static final String WAKE = "ours: commit of a host's connection to claim, idle,";
  static final String WAKE_SEND = "ours: send returned to claim, idle,";

  private static final int THREADS = 8;

  private final BenchmarkEnvironment environment;
  private final Email email = SampleOrder.email(1);

  Latency(BenchmarkEnvironment environment) {
    this.environment = environment;
  }

  void run() throws Exception {
    TimedTransport transport = new TimedTransport(Competitors.smtp(environment.smtpPort()));
    SentCounter counter = new SentCounter();
    try (MySqlStore store = environment.server().store();
        Outbox outbox =
            Outbox.builder(store)
                .metrics(counter)
                .transport(transport)
                .templates(SampleOrder.TEMPLATES)
                .build()
                .start()) {
      for (int round = 0; round < environment.rounds(); round++) {
        double rate = bothAtOnce(outbox, counter);
        atHalfRate(outbox, counter, transport, rate / 2);
        wakeUp(store, outbox, counter);
      }
    }
  }

  private double bothAtOnce(Outbox outbox, SentCounter counter) throws Exception {
    long before = counter.sent();
    int emails = environment.emails();
    AtomicInteger left = new AtomicInteger(emails);
    return environment.rate(
        BOTH,
        emails,
        () -> {
          Parallel.run(
              THREADS,
              () -> {
                while (left.getAndDecrement() > 0) {
                  outbox.send(email);
                }
              });
          counter.awaitSent(before + emails);
        });
  }

  private void atHalfRate(Outbox outbox, SentCounter counter, TimedTransport transport, double rate)
      throws Exception {
    int emails = (int) (rate * 5);
    long before = counter.sent();
    Map<EmailId, Long> begun = new ConcurrentHashMap<>();
    transport.taken().clear();
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime();
    Parallel.run(
        THREADS,
        () -> {
          for (int i = next.getAndIncrement(); i < emails; i = next.getAndIncrement()) {
            long at = start + (long) (i * 1e9 / rate);
            while (System.nanoTime() < at) {
              LockSupport.parkNanos(at - System.nanoTime());
            }
            // From when it should have begun: a caller that was held up counts as well.
            begun.put(outbox.send(email).id(), at);
          }
        });
    counter.awaitSent(before + emails);
    List<Long> times = new ArrayList<>();
    begun.forEach((id, at) -> times.add(Objects.requireNonNull(transport.taken().get(id)) - at));
    report(SEND, Percentiles.ofNanos(times));
  }

  private void wakeUp(MySqlStore store, Outbox outbox, SentCounter counter) throws Exception {
    int times = 200;
    long[] joined = new long[times];
    long[] sent = new long[times];
    try (Connection host = environment.server().connect()) {
      host.setAutoCommit(false);
      for (int i = 0; i < times; i++) {
        pause();
        long before = counter.sent();
        outbox.in(store.transaction(host)).send(email);
        host.commit();
        long committed = System.nanoTime();
        counter.awaitSent(before + 1);
        joined[i] = Math.max(0, counter.claimedAt() - committed);
        pause();
        outbox.send(email);
        long returned = System.nanoTime();
        counter.awaitSent(before + 2);
        sent[i] = Math.max(0, counter.claimedAt() - returned);
      }
    }
    report(WAKE, Percentiles.ofNanos(joined));
    report(WAKE_SEND, Percentiles.ofNanos(sent));
  }

  private void report(String name, Percentiles times) {
    times.addTo(environment.figures(), name);
    environment.say("%-62s %s".formatted(name, times));
  }

  private static void pause() {
    LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
  }
}
