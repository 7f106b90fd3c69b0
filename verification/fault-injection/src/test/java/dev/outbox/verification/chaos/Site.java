package dev.outbox.verification.chaos;

import dev.outbox.testsupport.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All that takes part in a run: database, relay, receiver, disk, proxies and nodes. */
final class Site implements AutoCloseable {

  private final Plan plan;
  private final Stalls stalls;
  private final FailedSends failedSends;
  private final Path logs;
  private final Path journals;
  private final DatabaseSite database;
  private final FaultyRelay relay;
  private final FaultyReceiver receiver;
  private final ContentDisk disk;
  private final boolean jumps;
  private final TcpProxy relayProxy;
  private final Map<String, TcpProxy> databaseProxies = new HashMap<>();
  private final Map<String, JumpingClock> clocks = new HashMap<>();
  private final List<NodeSlot> workers = new ArrayList<>();
  private final List<NodeSlot> producers = new ArrayList<>();

  Site(Plan plan, Stalls stalls, FailedSends failedSends) {
    this.plan = plan;
    this.stalls = stalls;
    this.failedSends = failedSends;
    this.logs = folder(plan.folder().resolve("logs"));
    this.journals = folder(plan.folder().resolve("journals"));
    this.relay = new FaultyRelay(new RelayTemper(plan.seed()), plan.store().times());
    this.relayProxy = new TcpProxy(relay.port());
    this.receiver = new FaultyReceiver(plan.seed());
    this.disk = new ContentDisk(plan.folder().resolve("content"));
    this.jumps = !plan.without().contains(FaultKind.CLOCK_JUMP) && JumpingClock.compile(clock());
    Path data = folder(plan.folder().resolve("database"));
    this.database =
        switch (plan.store()) {
          case MARIADB -> new MariaSite(data);
          case H2 -> new H2Site(data);
          case DYNAMODB -> new DynamoSite(data);
        };
  }

  private Path clock() {
    return plan.folder().resolve("clock.so");
  }

  private static Path folder(Path path) {
    try {
      return Files.createDirectories(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts all nodes, and waits until they are up. */
  void open() {
    for (int i = 0; i < plan.workers(); i++) {
      workers.add(slot("w" + i, true));
    }
    for (int i = 0; i < plan.producers(); i++) {
      producers.add(slot("p" + i, false));
    }
    nodes().forEach(NodeSlot::awaitUp);
  }

  private NodeSlot slot(String name, boolean works) {
    int port = database.port();
    if (port != 0) {
      databaseProxies.put(name, new TcpProxy(port));
    }
    if (jumps && name.endsWith("0")) {
      clocks.put(name, new JumpingClock(clock(), plan.folder().resolve("clock-" + name)));
    }
    boolean produces = !works || plan.producers() == 0;
    return new NodeSlot(name, run -> start(name, run, works, produces ? plan.perSecond() : 0));
  }

  private ChildProcess start(String name, String run, boolean works, int perSecond) {
    TcpProxy proxy = databaseProxies.get(name);
    NodeSettings settings =
        new NodeSettings(
            run,
            works,
            perSecond,
            plan.store(),
            database.url(proxy == null ? 0 : proxy.port()),
            disk.directory(),
            relayProxy.port(),
            receiver.port(),
            journals.resolve(run),
            plan.seed() * 31 + run.hashCode());
    JumpingClock clock = clocks.get(name);
    return ChildProcess.start(
        logs.resolve(run + ".log"),
        note -> hear(run, note),
        List.of(),
        clock == null ? Map.of() : clock.environment(),
        NodeMain.class,
        settings.arguments());
  }

  private void hear(String run, String note) {
    if (note.startsWith(Order.STALLED)) {
      stalls.add(run, note);
    } else {
      failedSends.add(run, note);
    }
  }

  /** Returns the kinds of faults that cannot be made on this machine, or are not wanted. */
  Set<FaultKind> without() {
    Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
    kinds.addAll(plan.without());
    if (!disk.isLimited()) {
      kinds.add(FaultKind.FULL_DISK);
    }
    if (!jumps) {
      kinds.add(FaultKind.CLOCK_JUMP);
    }
    return kinds;
  }

  Plan plan() {
    return plan;
  }

  DatabaseSite database() {
    return database;
  }

  FaultyRelay relay() {
    return relay;
  }

  TcpProxy relayProxy() {
    return relayProxy;
  }

  FaultyReceiver receiver() {
    return receiver;
  }

  ContentDisk disk() {
    return disk;
  }

  List<NodeSlot> workers() {
    return workers;
  }

  List<NodeSlot> producers() {
    return producers;
  }

  List<NodeSlot> nodes() {
    List<NodeSlot> all = new ArrayList<>(workers);
    all.addAll(producers);
    return all;
  }

  Map<String, TcpProxy> databaseProxies() {
    return databaseProxies;
  }

  Map<String, JumpingClock> clocks() {
    return clocks;
  }

  Path logs() {
    return logs;
  }

  Path journals() {
    return journals;
  }

  @Override
  public void close() {
    nodes().forEach(node -> node.process().kill());
    database.close();
    databaseProxies.values().forEach(TcpProxy::close);
    relayProxy.close();
    relay.close();
    receiver.close();
    disk.close();
  }
}
