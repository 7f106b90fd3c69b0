package dev.outbox.internal;

import com.google.common.eventbus.AllowConcurrentEvents;
import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import dev.outbox.event.SendEmail;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The one subscriber to {@link SendEmail} on a bus: hands each request to the first open outbox. It
 * stays on the bus when all outboxes are closed, so that a request is then refused and not ignored.
 * Safe for many threads.
 */
final class BusRequests {

  /** The bus holds its subscriber, and nothing else does. */
  private static final Map<EventBus, WeakReference<BusRequests>> BUSES = new WeakHashMap<>();

  private final List<BusPort> open = new CopyOnWriteArrayList<>();

  private BusRequests() {}

  /** Returns the subscriber of a bus, and registers it if there is none. */
  static BusRequests on(EventBus bus) {
    synchronized (BUSES) {
      WeakReference<BusRequests> known = BUSES.get(bus);
      BusRequests requests = known == null ? null : known.get();
      if (requests == null) {
        requests = new BusRequests();
        bus.register(requests);
        BUSES.put(bus, new WeakReference<>(requests));
      }
      return requests;
    }
  }

  void add(BusPort port) {
    open.add(port);
  }

  void remove(BusPort port) {
    open.remove(port);
  }

  /** Hands a request to the first outbox that takes it. */
  @Subscribe
  @AllowConcurrentEvents
  void on(SendEmail request) {
    for (BusPort port : open) {
      if (port.takes(request)) {
        port.store(request);
        return;
      }
    }
    if (request.take()) {
      request.refuse(
          new IllegalStateException("not stored: there is no open outbox on this event bus"));
    }
  }
}
