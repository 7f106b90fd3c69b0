package dev.outbox.internal.event;

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
final class SendRequestRouter {

  /** The bus holds its subscriber, and nothing else does. */
  private static final Map<EventBus, WeakReference<SendRequestRouter>> BUSES = new WeakHashMap<>();

  private final List<BusSubscriber> open = new CopyOnWriteArrayList<>();

  private SendRequestRouter() {}

  /** Returns the subscriber of a bus, and registers it if there is none. */
  static SendRequestRouter on(EventBus bus) {
    synchronized (BUSES) {
      WeakReference<SendRequestRouter> known = BUSES.get(bus);
      SendRequestRouter requests = known == null ? null : known.get();
      if (requests == null) {
        requests = new SendRequestRouter();
        bus.register(requests);
        BUSES.put(bus, new WeakReference<>(requests));
      }
      return requests;
    }
  }

  void add(BusSubscriber busSubscriber) {
    open.add(busSubscriber);
  }

  void remove(BusSubscriber busSubscriber) {
    open.remove(busSubscriber);
  }

  /** Hands a request to the first outbox that takes it. */
  @Subscribe
  @AllowConcurrentEvents
  void on(SendEmail request) {
    for (BusSubscriber busSubscriber : open) {
      if (busSubscriber.takes(request)) {
        busSubscriber.store(request);
        return;
      }
    }
    if (request.take()) {
      request.refuse(
          new IllegalStateException("not stored: there is no open outbox on this event bus"));
    }
  }
}
