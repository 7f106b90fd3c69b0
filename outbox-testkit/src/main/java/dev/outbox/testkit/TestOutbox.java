package dev.outbox.testkit;

import dev.outbox.Outbox;
import dev.outbox.OutboxBuilder;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.template.TemplateException;
import dev.outbox.template.Templates;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * An outbox for a host's tests: everything is real but the database and the relay. It renders the
 * host's templates, starts no threads, and its time starts now and moves only by hand.
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

  private final InMemoryStore store = new InMemoryStore(Clock.fixed(Instant.now(), ZoneOffset.UTC));
  private final RecordingTransport transport = new RecordingTransport();
  private final AtomicLong nanos = new AtomicLong();
  private final Outbox outbox;

  private TestOutbox(UnaryOperator<OutboxBuilder> settings) {
    OutboxBuilder builder =
        Outbox.builder(store)
            .transport(transport)
            .monotonicClock(nanos::get)
            .defaultFrom("test@example.com");
    if (Thread.currentThread().getContextClassLoader().getResource("mail") != null) {
      builder.templates(Templates.classpath("mail"));
    }
    this.outbox = settings.apply(builder).build();
  }

  /**
   * Makes an outbox with the templates in the class path's folder {@code mail}, if there is one.
   *
   * @throws TemplateException if one of them is broken
   */
  public static TestOutbox create() {
    return with(builder -> builder);
  }

  /** Makes an outbox as {@link #create()} does, with settings of the host's own on top. */
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
  public SentEmailAssert assertSent() {
    process();
    return look().some();
  }

  /**
   * Sends all that is due, and fails if anything was sent so far.
   *
   * @throws AssertionError listing what was sent
   */
  public void assertNothingSent() {
    process();
    look().none();
  }

  private SentEmailAssert look() {
    List<EmailSummary> unsent =
        outbox.query(EmailQuery.all(), null, 100).emails().stream()
            .filter(email -> email.state().outcome() != State.SENT)
            .toList();
    return new SentEmailAssert(transport.sent(), unsent);
  }

  /** Closes the outbox. */
  @Override
  public void close() {
    outbox.close();
  }
}
