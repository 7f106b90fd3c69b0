package dev.outbox.verification.chaos;

import dev.outbox.testsupport.TcpProxy;
import dev.outbox.verification.chaos.RelayTemper.Mood;
import dev.outbox.verification.chaos.RelayTemper.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Makes faults come about. Each is made on a thread of its own, from its beginning to its end. */
final class FaultMaker {

  private static final long LONG_WAY_MILLIS = 60;
  private static final Duration LONG_WAY = Duration.ofMillis(900);
  private static final List<Step> DROPS =
      List.of(Step.values()); // each of them is a moment to hang up
  private static final List<Step> STALLS =
      List.of(Step.CONNECT, Step.EHLO, Step.MAIL, Step.RCPT, Step.DATA, Step.BODY, Step.DOT);
  private static final List<Step> REPLIES =
      List.of(Step.CONNECT, Step.EHLO, Step.MAIL, Step.RCPT, Step.DATA, Step.DOT);
  private static final List<FaultyReceiver.Mood> CALLS =
      List.of(
          FaultyReceiver.Mood.ERROR,
          FaultyReceiver.Mood.CONFLICT,
          FaultyReceiver.Mood.TOO_MANY,
          FaultyReceiver.Mood.STALL,
          FaultyReceiver.Mood.RESET,
          FaultyReceiver.Mood.LONG_ERROR,
          FaultyReceiver.Mood.LONG_ANSWER);

  private final Site site;
  private final FaultLog log;
  private final Queue<Poisoned> poison = new ConcurrentLinkedQueue<>();
  private final SenderFaults senders;
  private final DotTrap trap = new DotTrap();
  private final ReentrantLock databaseLock = new ReentrantLock();
  private final ReentrantLock diskLock = new ReentrantLock();
  private final CountDownLatch never = new CountDownLatch(1);

  /** A row that was made unreadable. */
  record Poisoned(Line line, String id) {}

  FaultMaker(Site site, FaultLog log) {
    this.site = site;
    this.log = log;
    this.senders = new SenderFaults(site, log);
    site.relay().listen(trap::dot);
  }

  List<Poisoned> poison() {
    return List.copyOf(poison);
  }

  void make(Fault fault) {
    switch (fault.kind()) {
      case KILL_WORKER -> kill(fault, worker(fault));
      case KILL_PRODUCER -> kill(fault, pick(site.producers(), fault));
      case FREEZE_WORKER -> freeze(fault, worker(fault));
      case KILL_AT_DOT, FREEZE_AT_DOT -> atDot(fault, worker(fault));
      case CLOSE_WORKER -> close(fault, worker(fault));
      case CLOCK_JUMP -> jump(fault);
      case KILL_DATABASE -> killDatabase(fault);
      case CUT_NODE -> weather(fault, TcpProxy.Weather.CUT);
      case HOLD_NODE -> weather(fault, TcpProxy.Weather.HELD);
      case DROP_ALL -> during(fault, () -> proxies().values().forEach(TcpProxy::drop), () -> {});
      case SLOW_DATABASE ->
          during(
              fault,
              () -> proxies().values().forEach(each -> each.delay(5 + fault.choice() % 120)),
              () -> proxies().values().forEach(each -> each.delay(0)));
      case LOCK_TABLES -> lock(fault);
      case RELAY_SLOW -> temper(fault, Mood.SLOW, fault.choice() % 3 == 0 ? REPLIES : dot());
      case RELAY_STALL -> temper(fault, Mood.STALL, STALLS);
      case RELAY_DROP -> temper(fault, Mood.DROP, DROPS);
      case RELAY_DEFER -> temper(fault, Mood.DEFER, REPLIES);
      case RELAY_BUSY -> temper(fault, Mood.BUSY, REPLIES);
      case RELAY_CUT -> during(fault, site.relayProxy()::drop, () -> {});
      case CALLBACK_FAULT ->
          during(
              fault,
              () -> site.receiver().turn(CALLS.get(fault.choice() % CALLS.size())),
              () -> site.receiver().turn(FaultyReceiver.Mood.CALM));
      case FULL_DISK -> fillDisk(fault);
      case POISON_ROW -> poison(fault);
      case INTERRUPT_SENDERS -> senders.interrupt(fault);
      case POISON_EMAIL -> senders.poison(fault);
      case RELAY_LONG_REPLY -> temper(fault, Mood.LONG, REPLIES);
    }
  }

  private static List<Step> dot() {
    return List.of(Step.DOT);
  }

  private NodeSlot worker(Fault fault) {
    return pick(site.workers(), fault);
  }

  private static NodeSlot pick(List<NodeSlot> nodes, Fault fault) {
    return nodes.get(fault.target() % nodes.size());
  }

  private Map<String, TcpProxy> proxies() {
    return site.databaseProxies();
  }

  private void during(Fault fault, Runnable begin, Runnable end) {
    Instant from = Instant.now();
    begin.run();
    pause(fault.length());
    end.run();
    log.add(fault.kind(), null, from);
  }

  private void temper(Fault fault, Mood mood, List<Step> steps) {
    RelayTemper temper = site.relay().temper();
    Step step = steps.get(fault.choice() % steps.size());
    during(fault, () -> temper.turn(mood, step), temper::calm);
  }

  private void kill(Fault fault, NodeSlot node) {
    if (!node.take()) {
      log.missed(fault);
      return;
    }
    TcpProxy proxy = proxies().get(node.name());
    if (proxy != null && fault.choice() % 2 == 0) {
      // What takes a moment only takes long enough to be hit in the middle.
      proxy.delay(LONG_WAY_MILLIS);
      pause(LONG_WAY);
    }
    Instant from = Instant.now();
    node.process().kill();
    log.add(fault.kind(), node.runName(), from);
    if (proxy != null) {
      proxy.delay(0);
    }
    pause(fault.length());
    node.restart();
    node.release();
  }

  private void freeze(Fault fault, NodeSlot node) {
    if (!node.take()) {
      log.missed(fault);
      return;
    }
    Instant from = Instant.now();
    node.process().signal("STOP");
    pause(fault.length());
    node.process().signal("CONT");
    log.add(fault.kind(), node.runName(), from);
    node.release();
  }

  private void close(Fault fault, NodeSlot node) {
    if (!node.take()) {
      log.missed(fault);
      return;
    }
    Instant from = Instant.now();
    boolean ended = node.terminate();
    log.add(fault.kind(), node.runName(), from);
    if (!ended) {
      throw new IllegalStateException(node.runName() + " did not close within a minute");
    }
    pause(fault.length());
    node.restart();
    node.release();
  }

  private void atDot(Fault fault, NodeSlot node) {
    if (!node.take()) {
      log.missed(fault);
      return;
    }
    boolean freezes = fault.kind() == FaultKind.FREEZE_AT_DOT;
    Runnable strike = freezes ? () -> node.process().signal("STOP") : () -> node.process().kill();
    if (!trap.catches(node.runName(), fault.choice() % 2 == 0, strike)) {
      node.release();
      log.missed(fault);
      return;
    }
    Instant from = Instant.now();
    if (freezes) {
      pause(fault.length());
      node.process().signal("CONT");
      log.add(fault.kind(), node.runName(), from);
    } else {
      log.add(fault.kind(), node.runName(), from);
      pause(fault.length());
      node.restart();
    }
    node.release();
  }

  private void jump(Fault fault) {
    NodeSlot node =
        fault.target() % 2 == 0 || site.producers().isEmpty()
            ? site.workers().get(0)
            : site.producers().get(0);
    JumpingClock clock = Objects.requireNonNull(site.clocks().get(node.name()));
    // Where the node's clock is the store's, what is due in the future would wait for an hour.
    boolean ahead = site.plan().store() == StoreKind.MARIADB && fault.choice() % 2 == 0;
    during(
        fault,
        () -> clock.set(ahead ? JumpingClock.HOUR : JumpingClock.HOUR.negated()),
        () -> clock.set(Duration.ZERO));
  }

  private void killDatabase(Fault fault) {
    databaseLock.lock();
    try {
      Instant from = Instant.now();
      site.database().kill();
      pause(fault.length());
      site.database().restart();
      log.add(fault.kind(), null, from);
    } finally {
      databaseLock.unlock();
    }
  }

  private void weather(Fault fault, TcpProxy.Weather weather) {
    NodeSlot node = pick(site.nodes(), fault);
    if (!node.take()) {
      log.missed(fault);
      return;
    }
    Instant from = Instant.now();
    TcpProxy proxy = Objects.requireNonNull(proxies().get(node.name()));
    proxy.turn(weather);
    pause(fault.length());
    proxy.turn(TcpProxy.Weather.FAIR);
    log.add(fault.kind(), node.runName(), from);
    node.release();
  }

  private void lock(Fault fault) {
    Instant from = Instant.now();
    site.database().lock(fault.length());
    log.add(fault.kind(), null, from);
  }

  private void fillDisk(Fault fault) {
    diskLock.lock();
    try {
      during(fault, site.disk()::fill, site.disk()::free);
    } finally {
      diskLock.unlock();
    }
  }

  private void poison(Fault fault) {
    Instant from = Instant.now();
    Line line = fault.target() % 2 == 0 ? Line.RESEND : Line.HOLD;
    if (site.plan().store() != StoreKind.H2) {
      add(line, fault);
      log.add(fault.kind(), null, from);
      return;
    }
    // Only who has the file can write into it, so that its node has to go for a moment.
    NodeSlot node = site.workers().get(0);
    if (!node.take()) {
      log.missed(fault);
      return;
    }
    node.process().kill();
    log.add(FaultKind.KILL_WORKER, node.runName(), from);
    add(line, fault);
    log.add(fault.kind(), null, from);
    node.restart();
    node.release();
  }

  private void add(Line line, Fault fault) {
    databaseLock.lock();
    try {
      poison.add(new Poisoned(line, site.database().poison(line, fault.choice())));
    } finally {
      databaseLock.unlock();
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
