package dev.outbox.internal.event;

import dev.outbox.internal.logging.ErrorSummary;
import dev.outbox.monitoring.OutboxMetrics;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports figures to the host's metrics, and survives what these throw. */
public final class GuardedMetrics {

  private static final Logger log = LoggerFactory.getLogger(GuardedMetrics.class);

  private final OutboxMetrics metrics;

  public GuardedMetrics(OutboxMetrics metrics) {
    this.metrics = metrics;
  }

  /** Reports a figure. What the metrics throw is logged. */
  public void report(Consumer<OutboxMetrics> figure) {
    try {
      figure.accept(metrics);
    } catch (Throwable e) {
      ErrorSummary.logSafely(
          () -> log.error("the host's metrics failed: {}", ErrorSummary.describe(e)));
    }
  }
}
