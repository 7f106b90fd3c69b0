package dev.outbox.internal;

import com.google.common.eventbus.AllowConcurrentEvents;
import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import dev.outbox.event.OutboxEvent;
import dev.outbox.event.SendEmail;
import java.util.function.Function;

/** The outbox's own ears on the event bus. */
final class BusPort {

  private final EventBus bus;
  private final Function<Email, Receipt> send;
  private final Runnable wake;

  BusPort(EventBus bus, Function<Email, Receipt> send, Runnable wake) {
    this.bus = bus;
    this.send = send;
    this.wake = wake;
  }

  void open() {
    bus.register(this);
  }

  void close() {
    bus.unregister(this);
  }

  /** Stores an email; the bus would swallow what goes wrong, so the request is told. */
  @Subscribe
  @AllowConcurrentEvents
  void on(SendEmail request) {
    Receipt receipt;
    try {
      receipt = send.apply(request.email());
    } catch (Throwable e) {
      request.refuse(e);
      return;
    }
    request.accept(receipt);
  }

  /** Wakes the processor for an email that somebody else has stored. */
  @Subscribe
  @AllowConcurrentEvents
  void on(OutboxEvent.EmailAccepted accepted) {
    wake.run();
  }
}
