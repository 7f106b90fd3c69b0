package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.store.StoreException;
import dev.outbox.testkit.Cluster.Node;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogTest {

  private static final String PERSONAL = "countess-lovelace";

  private final Logger logger = Logger.getLogger("dev.outbox");
  private final Lines lines = new Lines();
  private final Cluster cluster = new Cluster();

  @BeforeEach
  void listen() {
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    logger.addHandler(lines);
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(lines);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }

  @Test
  void anOutageIsOneErrorLineWhenItStartsAndOneWhenItEnds() {
    Node node = cluster.node();
    node.process();
    node.faults().down(true);
    for (int i = 0; i < 100; i++) {
      node.process();
      cluster.advance(Duration.ofSeconds(2));
    }
    node.faults().down(false);
    node.process();

    assertThat(lines.of(Level.SEVERE))
        .satisfiesExactly(
            first -> assertThat(first).contains("out of reach"),
            last -> assertThat(last).contains("is back"));
  }

  @Test
  void noLineShowsAnAddressASubjectOrABody() {
    Node node = cluster.node();
    Node other = cluster.node();
    node.transport().answerNext(RecordingTransport::refuse);
    node.transport().answerNext(RecordingTransport::defer);
    node.transport()
        .answerNext(
            envelope -> {
              throw new IllegalStateException(envelope.recipients().get(0).email());
            });
    node.transport()
        .answerNext(
            envelope -> {
              cluster.watchForALease(other);
              return RecordingTransport.accept(envelope);
            });
    for (int i = 0; i < 5; i++) {
      node.outbox().send(personal());
    }
    node.process();
    EmailId waiting = node.outbox().send(personal()).id();
    node.outbox().cancel(waiting);
    node.outbox().requeue(waiting);
    node.faults().down(true);
    try {
      node.outbox().send(personal());
    } catch (StoreException e) {
      assertThat(String.valueOf(e)).doesNotContain(PERSONAL);
    }
    node.process();
    node.faults().down(false);
    node.process();

    assertThat(lines.all()).hasSizeGreaterThan(5);
    assertThat(lines.all()).noneMatch(line -> line.contains(PERSONAL));
  }

  private static Email personal() {
    return Email.to(PERSONAL + "@example.com")
        .subject("Dear " + PERSONAL)
        .text("Hello " + PERSONAL)
        .build();
  }

  /** Every line as it would be written, with what was thrown. */
  private static final class Lines extends Handler {
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    List<String> all() {
      return records.stream().map(new SimpleFormatter()::format).toList();
    }

    List<String> of(Level level) {
      return records.stream()
          .filter(record -> record.getLevel().equals(level))
          .map(new SimpleFormatter()::format)
          .toList();
    }

    @Override
    public void publish(LogRecord record) {
      records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
