package dev.outbox.internal.event;

import com.google.common.eventbus.AllowConcurrentEvents;
import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import dev.outbox.event.OutboxEvent;
import dev.outbox.event.SendEmail;
import java.util.function.Function;

/** What one outbox does with the events on its bus, from open to close. Safe for many threads. */
public final class BusSubscriber {

  private final EventBus bus;
  private final SendRequestRouter requests;
  private final Function<Email, Receipt> send;
  private final Runnable wake;
  private boolean open;

  public BusSubscriber(EventBus bus, Function<Email, Receipt> send, Runnable wake) {
    this.bus = bus;
    this.requests = SendRequestRouter.on(bus);
    this.send = send;
    this.wake = wake;
  }

  /** Starts to handle the events on the bus. */
  public void open() {
    setOpen(true);
    requests.add(this);
    bus.register(this);
  }

  /** Takes no request from now on; one that was taken before is still stored. */
  public void close() {
    setOpen(false);
    requests.remove(this);
    bus.unregister(this);
  }

  private synchronized void setOpen(boolean isOpen) {
    open = isOpen;
  }

  /** Takes a request, which is then to be stored, unless the outbox is closed. */
  synchronized boolean takes(SendEmail request) {
    return open && request.take();
  }

  /** Stores an email that was taken; the bus hides exceptions, so the request gets them. */
  void store(SendEmail request) {
    Receipt receipt;
    try {
      receipt = send.apply(request.email());
    } catch (Throwable e) {
      request.refuse(e);
      return;
    }
    request.accept(receipt);
  }

  /** Wakes the processor for an email that another outbox on the bus has stored. */
  @Subscribe
  @AllowConcurrentEvents
  void on(OutboxEvent.EmailAccepted accepted) {
    wake.run();
  }
}
