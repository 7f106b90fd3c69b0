package dev.outbox.internal;

import dev.outbox.callback.Callback;
import dev.outbox.callback.CallbackResult;
import dev.outbox.email.NodeId;
import dev.outbox.store.OutboxStore;
import dev.outbox.transport.Transport;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a node that sends, put together; threads or not is somebody else's choice. */
final class Machinery {

  private static final Logger log = LoggerFactory.getLogger(Machinery.class);

  final Wiring wiring;
  final OutboxStore store;
  final Transport transport;
  final LongSupplier nanos;
  final Signal signal = new Signal();
  final InFlight inFlight = new InFlight(signal);
  final Outage outage;
  final Meter meter;
  final Lease lease;
  final Ledger ledger;
  final UnrecordedDeliveries unrecorded;
  final Pulse pulse;
  final Recovery recovery;
  final Claims claims;
  final Workshop workshop;
  final Jobs jobs;
  final Maintenance maintenance;
  final boolean calls;

  Machinery(Wiring wiring, Notices notices) {
    this.wiring = wiring;
    this.store = wiring.store();
    this.transport = Objects.requireNonNull(wiring.transport());
    this.nanos = wiring.nanos();
    this.outage = new Outage(nanos);
    this.meter = new Meter(wiring.metrics());
    this.jobs = new Jobs(nanos);
    this.calls = wiring.callback() != null;
    this.lease =
        new Lease(NodeId.incarnate(wiring.nodeName()), store, nanos, wiring.lease().length());
    this.ledger = new Ledger(store, outage, inFlight, notices, meter);
    this.unrecorded =
        new UnrecordedDeliveries(
            wiring.processor().maxUnrecordedResults(),
            wiring.processor().maxUnrecordedAge(),
            nanos);
    ledger.onRecorded(unrecorded::recorded, unrecorded::wake);
    outage.onBegin(unrecorded::wake);
    this.recovery = new Recovery(store, lease.node(), inFlight, ledger, outage);
    this.pulse =
        new Pulse(
            store,
            lease,
            new NodeWatch(lease.node(), wiring.lease().length()),
            ledger,
            outage,
            wiring.reaping(),
            notices,
            meter,
            nanos,
            wiring.lease().beat());
    this.claims =
        new Claims(
            store,
            lease.node(),
            transport,
            wiring.processor(),
            inFlight,
            outage,
            meter,
            recovery::expectLostClaim,
            nanos);
    this.workshop =
        new Workshop(store, intake(), delivery(), calling(), outage, inFlight, meter, nanos);
    this.maintenance =
        new Maintenance(store, wiring.retention(), jobs, outage, meter, nanos, wiring.processor());
  }

  private Intake intake() {
    return new Intake(
        wiring.templates(), transport, Intake.PutBack.within(wiring.processor().rollingDeploy()));
  }

  private Delivery delivery() {
    return new Delivery(
        transport,
        lease,
        wiring.retries(),
        wiring.reaping().unknownOutcome(),
        wiring.keepsContent(),
        nanos);
  }

  private Calling calling() {
    Callback callback = wiring.callback();
    return new Calling(
        callback == null
            ? notice -> new CallbackResult.Unavailable(null, "no callback is set up", null)
            : callback,
        wiring.callbacks(),
        wiring.keepsContent());
  }

  Pass pass() {
    return new Pass(
        pulse,
        lease,
        recovery,
        claims,
        workshop,
        ledger,
        outage,
        maintenance,
        calls,
        wiring.processor());
  }

  /** Takes the node out of the store's list; what it could not record is left to others. */
  void leave(boolean settled) {
    if (!settled || !isRetired()) {
      log.error(
          "closed while the store was out of reach: {} emails are left to other nodes",
          inFlight.size());
    }
  }

  private boolean isRetired() {
    try {
      // A call with the interrupt flag set could fail for that alone.
      return Threads.await(
          System.nanoTime(),
          nanos -> {
            store.retire(lease.node());
            return true;
          });
    } catch (Throwable e) {
      return false;
    }
  }
}
