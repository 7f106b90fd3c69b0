package dev.outbox.verification.chaos;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** Leads a run: lets faults happen by the schedule, then lets all come to rest, then looks. */
final class Director {

  private static final Duration STUCK = Duration.ofMinutes(4);
  private static final Duration ANSWER = Duration.ofSeconds(90);

  private final Plan plan;
  private final Consumer<String> console;
  private final FaultLog log = new FaultLog();
  private final Queue<String> trouble = new ConcurrentLinkedQueue<>();
  private final CountDownLatch never = new CountDownLatch(1);

  Director(Plan plan, Consumer<String> console) {
    this.plan = plan;
    this.console = console;
  }

  /** Runs from the beginning to the end, and returns what the oracle finds. */
  Report run() {
    Stalls stalls = new Stalls();
    FailedSends failedSends = new FailedSends();
    try (StallWatch watch =
            new StallWatch(plan.store().times(), length -> stalls.add(null, length));
        Site site = new Site(plan, stalls, failedSends)) {
      watch.start();
      Schedule schedule = Schedule.of(plan.seed(), plan.store(), plan.length(), site.without());
      console.accept(
          "%s, seed %d: %d faults in %d s; left out: %s"
              .formatted(
                  plan.store(),
                  plan.seed(),
                  schedule.faults().size(),
                  plan.length().toSeconds(),
                  site.without()));
      write("schedule.txt", schedule.faults().stream().map(Fault::toString).toList());
      site.open();
      FaultMaker maker = new FaultMaker(site, log);
      happen(site, schedule, maker);
      console.accept("faults are over, %d missed their target".formatted(log.missed()));
      Duration drained = drain(site);
      console.accept("at rest after " + drained.toSeconds() + " s");
      List<String> leaks = new ArrayList<>(trouble);
      site.nodes().forEach(node -> leaks.addAll(close(node)));
      leaks.addAll(clients(site));
      write("faults.txt", log.happened().stream().map(Happening::toString).toList());
      Evidence evidence = evidence(site, maker, stalls, failedSends, leaks);
      return Report.of(plan, log, evidence, drained);
    }
  }

  private void happen(Site site, Schedule schedule, FaultMaker maker) {
    ScheduledExecutorService threads = Executors.newScheduledThreadPool(24);
    Instant start = Instant.now();
    for (Fault fault : schedule.faults()) {
      Future<?> unused =
          threads.schedule(() -> make(maker, fault), fault.at().toMillis(), TimeUnit.MILLISECONDS);
    }
    Future<?> unused =
        threads.scheduleWithFixedDelay(
            () -> site.nodes().forEach(NodeSlot::revive), 500, 500, TimeUnit.MILLISECONDS);
    pause(plan.length().minus(Duration.between(start, Instant.now())));
    threads.shutdown();
    try {
      if (!threads.awaitTermination(3, TimeUnit.MINUTES)) {
        trouble.add("a fault did not end within three minutes");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void make(FaultMaker maker, Fault fault) {
    try {
      maker.make(fault);
    } catch (Throwable e) {
      // The database may be away at that moment; what must never happen is in the report.
      log.missed(fault);
      write("missed-" + fault.at().toMillis() + ".txt", List.of(fault + ": " + e));
      if (fault.kind() == FaultKind.CLOSE_WORKER) {
        trouble.add(String.valueOf(e.getMessage()));
      }
    }
  }

  /** Waits until no email is on its way any more, or for {@link #STUCK} none has come through. */
  private Duration drain(Site site) {
    Instant start = Instant.now();
    for (NodeSlot node : site.nodes()) {
      node.revive();
      node.process().tell("quiet");
      if (node.process().await("quiet", ANSWER) == null && !revived(node)) {
        trouble.add(node.runName() + " does not stop asking");
      }
    }
    long left = pending(site);
    Instant progress = start;
    while (left != 0 && Instant.now().isBefore(progress.plus(STUCK))) {
      pause(Duration.ofSeconds(1));
      site.nodes().forEach(NodeSlot::revive);
      long now = pending(site);
      if (now >= 0 && now != left) {
        left = now;
        progress = Instant.now();
      }
    }
    return Duration.between(start, Instant.now());
  }

  /** A node that came up without its database ends, and its next run has nothing to stop. */
  private static boolean revived(NodeSlot node) {
    node.revive();
    node.process().tell("quiet");
    return node.process().await("quiet", ANSWER) != null;
  }

  private long pending(Site site) {
    if (plan.store() != StoreKind.H2) {
      return Arrays.stream(Line.values()).mapToLong(site.database()::pending).sum();
    }
    ChildProcess node = site.workers().get(0).process();
    node.tell("pending");
    String answer = node.await("pending", ANSWER);
    return answer == null ? -1 : Long.parseLong(answer.split(" ", 2)[1]);
  }

  private List<String> close(NodeSlot node) {
    ChildProcess process = node.process();
    process.tell("close");
    if (process.await("closed", ANSWER) == null) {
      return List.of(node.runName() + " does not close");
    }
    Instant end = Instant.now().plusSeconds(15);
    List<String> left = LeftOver.of(process.pid());
    while (!left.isEmpty() && Instant.now().isBefore(end)) {
      pause(Duration.ofMillis(200));
      left = LeftOver.of(process.pid());
    }
    process.hangUp();
    if (!process.awaitEnd(Duration.ofSeconds(30))) {
      return List.of(node.runName() + " does not end after closing");
    }
    return left.stream().map(each -> node.runName() + " after closing: " + each).toList();
  }

  /** The relay may be waiting on a stalled connection, and notices later that nobody is there. */
  private List<String> clients(Site site) {
    Instant end = Instant.now().plus(plan.store().times().stalledRelay().multipliedBy(2));
    while (site.relay().connections() > 0 && Instant.now().isBefore(end)) {
      pause(Duration.ofMillis(200));
    }
    int left = site.relay().connections();
    return left == 0 ? List.of() : List.of("the relay still has clients: " + left);
  }

  private Evidence evidence(
      Site site, FaultMaker maker, Stalls stalls, FailedSends failedSends, List<String> leaks) {
    List<Line> lines = List.of(Line.values());
    return new Evidence(
        plan.store().times(),
        lines.stream().collect(toMap(Function.identity(), site.database()::read)),
        lines.stream()
            .collect(toMap(Function.identity(), line -> JournalRecord.read(site.journals(), line))),
        site.relay().received(),
        site.receiver().calls(),
        log.happened(),
        stalls.seen(),
        failedSends.seen(),
        maker.poison().stream().map(FaultMaker.Poisoned::id).collect(toSet()),
        site.logs(),
        files(site.disk().directory()),
        leaks);
  }

  private static List<String> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).map(Path::toString).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String name, List<String> lines) {
    try {
      Files.write(plan.folder().resolve(name), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void pause(Duration time) {
    try {
      never.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
