package dev.outbox.verification.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Faults that a node which sends makes itself, on an order: interrupts and poison emails. */
final class SenderFaults {

  /** The database may be away for most of that time. */
  private static final Duration PATIENCE = Duration.ofSeconds(45);

  private final Site site;
  private final FaultLog log;

  SenderFaults(Site site, FaultLog log) {
    this.site = site;
    this.log = log;
  }

  /** Interrupts the threads of one node that send, for the length of the fault. */
  void interrupt(Fault fault) {
    order(fault, Order.INTERRUPT, fault.length().toMillis() + " " + fault.choice());
  }

  /** Lets one node send emails with texts that are too long. */
  void poison(Fault fault) {
    order(fault, Order.POISON, Integer.toString(fault.choice()));
  }

  private void order(Fault fault, String order, String arguments) {
    List<NodeSlot> nodes = site.producers().isEmpty() ? site.workers() : site.producers();
    NodeSlot node = nodes.get(fault.target() % nodes.size());
    ChildProcess process = node.process();
    String run = node.runName();
    if (!process.isUp()) {
      log.missed(fault);
      return;
    }
    Instant from = Instant.now();
    process.tell(order + " " + arguments);
    String answer = process.await(order, fault.length().plus(PATIENCE));
    if (answer == null) {
      log.missed(fault);
      return;
    }
    log.add(fault.kind(), run, from);
    log.count(fault.kind(), Integer.parseInt(answer.substring(order.length() + 1)));
  }
}
