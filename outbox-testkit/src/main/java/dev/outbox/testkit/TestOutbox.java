package dev.outbox.testkit;

import dev.outbox.Outbox;
import dev.outbox.OutboxBuilder;
import dev.outbox.template.TemplateException;
import dev.outbox.template.Templates;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * An outbox for a host's tests: everything is real but the database and the relay. It renders the
 * host's templates, starts no threads, and its time moves only by hand.
 *
 * <pre>{@code
 * TestOutbox mail = TestOutbox.create();
 * new Checkout(mail.outbox()).pay(order);
 * mail.assertSent().to("ada@example.com").subject("Order 42").textContains("42");
 * }</pre>
 *
 * <p>Not for use by several threads at once.
 */
public final class TestOutbox implements AutoCloseable {

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final InMemoryStore store = new InMemoryStore(Clock.fixed(START, ZoneOffset.UTC));
  private final RecordingTransport transport = new RecordingTransport();
  private final AtomicLong nanos = new AtomicLong();
  private final Outbox outbox;

  private TestOutbox(UnaryOperator<OutboxBuilder> settings) {
    OutboxBuilder builder =
        Outbox.builder(store)
            .transport(transport)
            .monotonicClock(nanos::get)
            .defaultFrom("test@example.com");
    this.outbox = settings.apply(builder).build();
  }

  /**
   * Makes an outbox with the templates in the class path's folder {@code mail}, if there is one.
   *
   * @throws TemplateException if one of them is broken
   */
  public static TestOutbox create() {
    boolean hasTemplates =
        Thread.currentThread().getContextClassLoader().getResource("mail") != null;
    return with(builder -> hasTemplates ? builder.templates(Templates.classpath("mail")) : builder);
  }

  /** Makes an outbox with the host's own settings, templates included. */
  public static TestOutbox with(UnaryOperator<OutboxBuilder> settings) {
    return new TestOutbox(settings);
  }

  /** Returns the outbox to hand to the code under test. */
  public Outbox outbox() {
    return outbox;
  }

  /** Returns the transport, to script what the relay answers. */
  public RecordingTransport transport() {
    return transport;
  }

  /** Returns the store. */
  public InMemoryStore store() {
    return store;
  }

  /** Moves time forward, for emails, leases and deadlines alike. */
  public void advance(Duration duration) {
    store.advance(duration);
    nanos.addAndGet(duration.toNanos());
  }

  /** Sends all that is due; {@link #assertSent()} does so by itself. */
  public void process() {
    outbox.processDue();
  }

  /**
   * Sends all that is due, and looks at what was sent so far.
   *
   * @throws AssertionError if nothing was sent
   */
  public SentAssert assertSent() {
    process();
    return new SentAssert(transport.sent()).some();
  }

  /**
   * Sends all that is due, and fails if anything was sent so far.
   *
   * @throws AssertionError listing what was sent
   */
  public void assertNothingSent() {
    process();
    new SentAssert(transport.sent()).count(0);
  }

  /** Closes the outbox. */
  @Override
  public void close() {
    outbox.close();
  }
}
