package dev.outbox.internal;

import dev.outbox.event.OutboxMetrics;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports figures to the host's metrics, and survives what these throw. */
final class Meter {

  private static final Logger log = LoggerFactory.getLogger(Meter.class);

  private final OutboxMetrics metrics;

  Meter(OutboxMetrics metrics) {
    this.metrics = metrics;
  }

  void report(Consumer<OutboxMetrics> figure) {
    try {
      figure.accept(metrics);
    } catch (Throwable e) {
      Failures.logSafely(() -> log.error("the host's metrics failed: {}", Failures.describe(e)));
    }
  }
}
