package dev.outbox;

import com.google.common.eventbus.EventBus;
import dev.outbox.callback.Callback;
import dev.outbox.email.Address;
import dev.outbox.email.EmailLimits;
import dev.outbox.email.SendOptions;
import dev.outbox.internal.OutboxEngine;
import dev.outbox.internal.config.OutboxConfig;
import dev.outbox.monitoring.OutboxMetrics;
import dev.outbox.retry.RetryPolicy;
import dev.outbox.settings.CallbackSettings;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.ReapPolicy;
import dev.outbox.template.Templates;
import dev.outbox.transport.Transport;
import java.net.URI;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The one way to put an {@link Outbox} together; made by {@link Outbox#builder}. Every setting but
 * the store has a default. Not for use by several threads at once.
 */
public final class OutboxBuilder {

  private static final Duration LIFETIME = Duration.ofDays(3);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration MAX_LIFE = Duration.ofDays(3650);
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(3);

  private final OutboxStore store;
  private @Nullable Transport transport;
  private @Nullable Templates templates;
  private @Nullable Callback callback;
  private @Nullable URI callbackUrl;
  private @Nullable Address defaultFrom;
  private @Nullable EventBus bus;
  private OutboxMetrics metrics = OutboxMetrics.NONE;
  private String nodeName = "node";
  private LongSupplier nanos = System::nanoTime;
  private Duration expireAfter = LIFETIME;
  private EmailLimits limits = EmailLimits.DEFAULT;
  private RetryPolicy retries = RetryPolicy.standard();
  private CallbackSettings callbacks = CallbackSettings.DEFAULT;
  private ReapPolicy reaping = ReapPolicy.DEFAULT;
  private RetentionSettings retention = RetentionSettings.DEFAULT;
  private LeaseSettings lease = LeaseSettings.DEFAULT;
  private ProcessingSettings processing = ProcessingSettings.DEFAULT;
  private Duration readTimeout = READ_TIMEOUT;

  OutboxBuilder(OutboxStore store) {
    this.store = store;
  }

  /** Sets how emails leave. Default: none, which makes an outbox that only stores them. */
  public OutboxBuilder transport(Transport transport) {
    this.transport = transport;
    return this;
  }

  /** Sets what emails are rendered from. Default: none, and all bodies are inline. */
  public OutboxBuilder templates(Templates templates) {
    this.templates = templates;
    return this;
  }

  /** Sets the sender of emails that name none, as {@code Shop <shop@example.com>}. */
  public OutboxBuilder defaultFrom(String address) {
    this.defaultFrom = Address.parse("defaultFrom", address);
    return this;
  }

  /** Sets how many emails are on the wire at once. Default: 8. */
  public OutboxBuilder workers(int number) {
    this.processing = processing.workers(number);
    return this;
  }

  /**
   * Sets how hosts in other processes are told what became of their emails. Default: they are not.
   */
  public OutboxBuilder callback(Callback callback) {
    this.callback = callback;
    return this;
  }

  /**
   * Sets who is told of emails that name nobody. It is fixed when an email is accepted. An outbox
   * that sends needs a {@link #callback} with it. Default: nobody.
   *
   * @throws dev.outbox.email.InvalidEmailException if it is not an http or https URL, or holds
   *     credentials
   */
  public OutboxBuilder callbackUrl(URI url) {
    this.callbackUrl = SendOptions.checkedUrl(url);
    return this;
  }

  /** Sets how often a host is told that does not answer. */
  public OutboxBuilder callbacks(CallbackSettings policy) {
    this.callbacks = policy;
    return this;
  }

  /** Sets the bus on which events are told and {@code SendEmail} is heard. Default: one of ours. */
  public OutboxBuilder eventBus(EventBus bus) {
    this.bus = bus;
    return this;
  }

  /** Sets where figures are reported. Default: nowhere. */
  public OutboxBuilder metrics(OutboxMetrics metrics) {
    this.metrics = metrics;
    return this;
  }

  /** Sets a name for people, which appears in histories and thread names. Default: {@code node}. */
  public OutboxBuilder nodeName(String name) {
    this.nodeName = name;
    return this;
  }

  /** Sets how long after it was due an email may still leave, up to 3650 days. Default: 3 days. */
  public OutboxBuilder expireAfter(Duration age) {
    if (age.isZero() || age.isNegative() || age.compareTo(MAX_LIFE) > 0) {
      throw new IllegalArgumentException(
          "expireAfter: must be positive and at most %s, is %s".formatted(MAX_LIFE, age));
    }
    this.expireAfter = age;
    return this;
  }

  /** Sets how large an email may be. */
  public OutboxBuilder limits(EmailLimits limits) {
    this.limits = limits;
    return this;
  }

  /** Sets when a delivery is repeated. Default: {@link RetryPolicy#standard()}. */
  public OutboxBuilder retries(RetryPolicy policy) {
    this.retries = policy;
    return this;
  }

  /**
   * Sets what happens to an email that the relay may or may not have. Default: it is sent again.
   */
  public OutboxBuilder unknownOutcome(UnknownOutcomePolicy policy) {
    this.reaping = new ReapPolicy(reaping.isolateAfter(), reaping.failAfter(), policy);
    return this;
  }

  /** Sets how long what is settled is kept. Default: 30 days, without the content of sent mail. */
  public OutboxBuilder retention(RetentionSettings retention) {
    this.retention = retention;
    return this;
  }

  /** Sets how nodes notice that one of them is dead. Default: beats of 2 s, a lease of 15 s. */
  public OutboxBuilder lease(LeaseSettings settings) {
    this.lease = settings;
    return this;
  }

  /** Sets how much the node does at once, and how long it waits for what. */
  public OutboxBuilder processing(ProcessingSettings settings) {
    this.processing = settings;
    return this;
  }

  /**
   * Sets how long {@code stats}, {@code find}, {@code history}, {@code query} and {@code preview}
   * wait for the store, and {@code requeueAll} for each page. Default: 3 s.
   */
  public OutboxBuilder readTimeout(Duration timeout) {
    if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(DAY) > 0) {
      throw new IllegalArgumentException("readTimeout: want 1 ms to 1 day, is " + timeout);
    }
    this.readTimeout = timeout;
    return this;
  }

  /**
   * Sets the monotonic clock for leases and deadlines, in nanoseconds; for tests that move time.
   * Default: {@link System#nanoTime()}.
   */
  public OutboxBuilder monotonicClock(LongSupplier nanos) {
    this.nanos = nanos;
    return this;
  }

  /**
   * Puts the outbox together. Nothing runs before {@link Outbox#start()}.
   *
   * @throws IllegalStateException if it has a transport and a {@link #callbackUrl}, but no {@link
   *     #callback}
   */
  public Outbox build() {
    if (transport != null && callbackUrl != null && callback == null) {
      throw new IllegalStateException(
          "callback: missing, but callbackUrl is set; set one, such as"
              + " HttpCallback, or if other nodes make the calls, name the URL in each email");
    }
    OutboxEngine engine =
        new OutboxEngine(
            new OutboxConfig(
                store,
                transport,
                templates,
                callback,
                bus == null ? ownBus() : bus,
                metrics,
                nodeName,
                nanos,
                new OutboxConfig.Defaults(defaultFrom, callbackUrl, expireAfter),
                limits,
                retries,
                callbacks,
                reaping,
                retention,
                lease,
                processing,
                readTimeout));
    return new Outbox(store, engine);
  }

  private static EventBus ownBus() {
    return new EventBus(
        (thrown, context) ->
            LoggerFactory.getLogger(Outbox.class)
                .error(
                    "a subscriber to {} failed: {}",
                    context.getEvent().getClass().getSimpleName(),
                    thrown.getClass().getName()));
  }
}
