package dev.outbox.javalin;

import com.google.common.eventbus.AllowConcurrentEvents;
import com.google.common.eventbus.Subscribe;
import dev.outbox.Outbox;
import dev.outbox.event.OutboxEvent;
import io.javalin.http.Context;
import io.javalin.http.Header;
import io.javalin.http.sse.SseClient;
import io.javalin.http.sse.SseHandler;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends what happens to emails on this node to all listeners, and counts it. A listener that reads
 * too slowly is disconnected and does not delay the others.
 */
final class EventStream {

  private static final int BEAT_SECONDS = 15;

  private final ThroughputHistory throughput = new ThroughputHistory(System::nanoTime);
  private final Set<EventStreamClient> listeners = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Running running;

  /** What lives from the start of the server to its stop. */
  private record Running(
      Outbox outbox,
      ExecutorService talkers,
      ScheduledExecutorService beat,
      ScheduledFuture<?> beating) {}

  ThroughputHistory throughput() {
    return throughput;
  }

  /** Starts to listen to an outbox. */
  void open(Outbox outbox) {
    ThreadFactory threads =
        work -> {
          Thread thread = new Thread(work, "outbox-live");
          thread.setDaemon(true);
          return thread;
        };
    ScheduledExecutorService beat = Executors.newSingleThreadScheduledExecutor(threads);
    ScheduledFuture<?> beating =
        beat.scheduleAtFixedRate(
            () -> listeners.forEach(EventStreamClient::beat),
            BEAT_SECONDS,
            BEAT_SECONDS,
            TimeUnit.SECONDS);
    outbox.register(this);
    running = new Running(outbox, Executors.newCachedThreadPool(threads), beat, beating);
  }

  /**
   * Takes one more listener, as Server-Sent Events.
   *
   * @param ended is run once the listener is gone, also if it could not be taken
   */
  void listen(Context context, Runnable ended) {
    Running parts = running;
    if (parts == null) {
      ended.run();
      throw ProblemDetails.unavailable("the server is not running").asException();
    }
    // A listener that is disconnected has to see the end of the stream and not wait for more.
    context.header(Header.CONNECTION, "close");
    SseHandler handler = new SseHandler(0, client -> seat(client, parts, ended));
    boolean taken = false;
    try {
      handler.handle(context);
      taken = true;
    } finally {
      if (!taken) {
        ended.run();
      }
    }
  }

  private void seat(SseClient client, Running parts, Runnable ended) {
    EventStreamClient listener = new EventStreamClient(client, parts.talkers);
    client.onClose(
        () -> {
          listeners.remove(listener);
          ended.run();
        });
    client.keepAlive();
    listeners.add(listener);
    listener.send("hello", "{}");
    if (running == null) {
      listener.hangUp();
    }
  }

  /** Counts an event and passes it on. */
  @Subscribe
  @AllowConcurrentEvents
  void publish(OutboxEvent event) {
    if (event instanceof OutboxEvent.EmailSent) {
      throughput.sent();
    } else if (event instanceof OutboxEvent.EmailFailed
        || event instanceof OutboxEvent.EmailInvalid) {
      throughput.failed();
    }
    if (!listeners.isEmpty()) {
      String data = Json.text(EventJson.of(event));
      listeners.forEach(listener -> listener.send("email", data));
    }
  }

  /** Ends all conversations, so that the server need not wait for them. */
  void hangUp() {
    listeners.forEach(EventStreamClient::hangUp);
  }

  /** Stops listening to the outbox; twice is fine. */
  void close() {
    Running parts = running;
    running = null;
    if (parts != null) {
      parts.outbox.unregister(this);
      parts.beating.cancel(false);
      parts.beat.shutdown();
      hangUp();
      parts.talkers.shutdown();
    }
  }
}
