package dev.outbox.internal.config;

import com.google.common.eventbus.EventBus;
import dev.outbox.callback.Callback;
import dev.outbox.email.Address;
import dev.outbox.email.EmailLimits;
import dev.outbox.monitoring.OutboxMetrics;
import dev.outbox.retry.RetryPolicy;
import dev.outbox.settings.CallbackSettings;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.ReapPolicy;
import dev.outbox.template.Templates;
import dev.outbox.transport.Transport;
import java.net.URI;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All that an outbox is put together from.
 *
 * @param store where emails are kept
 * @param transport how they leave; null on a node that only stores them
 * @param templates what they are rendered from; null if all bodies are inline
 * @param callback how hosts are told; null if they are not
 * @param bus where events are told
 * @param metrics where figures are reported
 * @param nodeName a name for people
 * @param nanos the monotonic clock
 * @param defaults what an email gets that does not say otherwise
 * @param limits how large an email may be
 * @param retries when a delivery is repeated
 * @param callbacks when a callback is repeated
 * @param reaping what becomes of emails whose worker died
 * @param retention how long what is settled is kept
 * @param lease how nodes notice that one of them is dead
 * @param processing how much a node does at once
 * @param readTimeout how long a read that a caller waits for may take
 */
public record OutboxConfig(
    OutboxStore store,
    @Nullable Transport transport,
    @Nullable Templates templates,
    @Nullable Callback callback,
    EventBus bus,
    OutboxMetrics metrics,
    String nodeName,
    LongSupplier nanos,
    Defaults defaults,
    EmailLimits limits,
    RetryPolicy retries,
    CallbackSettings callbacks,
    ReapPolicy reaping,
    RetentionSettings retention,
    LeaseSettings lease,
    ProcessingSettings processing,
    Duration readTimeout) {

  /**
   * What an email gets that does not say otherwise.
   *
   * @param from the sender, or null
   * @param callbackUrl who is told, or null
   * @param lifetime how long after it was due it may still leave
   */
  public record Defaults(@Nullable Address from, @Nullable URI callbackUrl, Duration lifetime) {}

  /** Returns whether the content of sent emails is kept. */
  public boolean keepsContent() {
    return !retention.sentContent().isZero();
  }
}
