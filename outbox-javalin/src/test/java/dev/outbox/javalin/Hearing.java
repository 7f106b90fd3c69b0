package dev.outbox.javalin;

import java.util.List;
import java.util.concurrent.Flow;

/** Writes down each line of an answer that does not end. */
record Hearing(List<String> heard) implements Flow.Subscriber<String> {

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(String line) {
    heard.add(line);
  }

  @Override
  public void onError(Throwable thrown) {}

  @Override
  public void onComplete() {}
}
