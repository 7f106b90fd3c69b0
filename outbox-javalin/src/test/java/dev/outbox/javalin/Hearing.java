package dev.outbox.javalin;

import java.util.concurrent.Flow;
import java.util.function.Consumer;

/** Passes on each line of an answer that does not end. */
record Hearing(Consumer<String> heard) implements Flow.Subscriber<String> {

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(String line) {
    heard.accept(line);
  }

  @Override
  public void onError(Throwable thrown) {}

  @Override
  public void onComplete() {}
}
