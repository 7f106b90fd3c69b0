package dev.outbox.testkit;

import com.google.common.eventbus.AllowConcurrentEvents;
import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import dev.outbox.email.EmailId;
import dev.outbox.event.OutboxEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Hears every event on a bus. */
final class EventLog {

  private final List<OutboxEvent> events = new CopyOnWriteArrayList<>();

  static EventLog on(EventBus bus) {
    EventLog log = new EventLog();
    bus.register(log);
    return log;
  }

  /** Remembers an event. */
  @Subscribe
  @AllowConcurrentEvents
  public void hear(OutboxEvent event) {
    events.add(event);
  }

  List<OutboxEvent> all() {
    return List.copyOf(events);
  }

  List<OutboxEvent> of(EmailId id) {
    return events.stream().filter(event -> event.id().equals(id)).toList();
  }

  <T extends OutboxEvent> List<T> of(Class<T> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
