package dev.outbox.javalin;

import io.javalin.http.sse.SseClient;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One who listens to what happens, with a bounded queue of what he has not read yet. At most one
 * thread at a time talks to him.
 */
final class EventStreamClient {

  private static final int PATIENCE = 1_000;

  private final SseClient client;
  private final Executor talkers;
  private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(PATIENCE);
  private final AtomicBoolean talking = new AtomicBoolean();

  EventStreamClient(SseClient client, Executor talkers) {
    this.client = client;
    this.talkers = talkers;
  }

  private record Item(String name, String data) {}

  void send(String name, String data) {
    if (queue.offer(new Item(name, data))) {
      talk();
    } else {
      hangUp();
    }
  }

  /** Keeps the line open, and finds out whether anybody is there. */
  void beat() {
    send("beat", "{}");
  }

  void hangUp() {
    client.close();
  }

  private void talk() {
    if (talking.compareAndSet(false, true)) {
      try {
        talkers.execute(this::empty);
      } catch (RejectedExecutionException e) {
        hangUp();
      }
    }
  }

  private void empty() {
    try {
      Item item = queue.poll();
      while (item != null && !client.terminated()) {
        client.sendEvent(item.name, item.data);
        item = queue.poll();
      }
    } catch (RuntimeException e) {
      hangUp();
    } finally {
      talking.set(false);
    }
    if (!queue.isEmpty() && !client.terminated()) {
      talk();
    }
  }
}
