package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.store.StoreException;
import dev.outbox.testkit.Cluster.Node;
import dev.outbox.testsupport.LogLines;
import java.time.Duration;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogTest {

  private static final String PERSONAL = "countess-lovelace";

  private final LogLines lines = new LogLines();
  private final Cluster cluster = new Cluster();

  @AfterEach
  void stopListening() {
    lines.close();
  }

  @Test
  void anOutageIsOneErrorLineWhenItStartsAndOneOfInformationWhenItEnds() {
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
            only ->
                assertThat(only).contains("unavailable, processing paused: what the fault says"));
    assertThat(lines.of(Level.INFO))
        .filteredOn(line -> line.contains("is available again"))
        .hasSize(1);
  }

  @Test
  void aStoreThatComesAndGoesIsNotToldWithEveryBeat() {
    Node node = cluster.node();
    node.process();
    node.faults().loseAnswersOf("claim");
    for (int i = 0; i < 100; i++) {
      node.process();
      cluster.advance(Duration.ofSeconds(2));
    }

    assertThat(lines.of(Level.SEVERE)).hasSize(1);
    assertThat(lines.of(Level.INFO))
        .filteredOn(line -> line.contains("is available again"))
        .hasSize(1);
  }

  @Test
  void anOutageThatLastsIsToldThoughThereWasOneJustBefore() {
    Node node = cluster.node();
    for (int i = 0; i < 2; i++) {
      node.faults().down(true);
      for (int beat = 0; beat < 10; beat++) {
        node.process();
        cluster.advance(Duration.ofSeconds(2));
      }
      node.faults().down(false);
      node.process();
    }

    assertThat(lines.of(Level.SEVERE)).hasSize(2);
  }

  @Test
  void aDefectOfTheStoreIsNotCalledAnOutage() {
    StoreGate gate = new StoreGate(cluster.store());
    gate.fail("heartbeat", () -> new IllegalStateException("about " + PERSONAL));
    Outbox outbox =
        Outbox.builder(gate.store())
            .transport(new RecordingTransport())
            .defaultFrom("shop@example.com")
            .build();

    outbox.processDue();

    assertThat(lines.of(Level.SEVERE))
        .satisfiesExactly(
            only ->
                assertThat(only)
                    .contains(
                        "the store failed, processing paused: java.lang.IllegalStateException")
                    .doesNotContain("unavailable")
                    .doesNotContain(PERSONAL));
  }

  @Test
  void aTransportThatSomebodyElseHasClosedIsAnErrorAndItsEmailsWait() {
    WireTap wire = new WireTap();
    TestOutbox mail = TestOutbox.with(builder -> builder.transport(wire));
    EmailId id = mail.outbox().send(Mails.plain()).id();
    wire.grant(
        wanted -> {
          throw new IllegalStateException(PERSONAL);
        });
    mail.process();

    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.ACCEPTED);
    assertThat(lines.of(Level.SEVERE))
        .isNotEmpty()
        .allMatch(line -> line.contains("the transport failed when asked for a grant"))
        .noneMatch(line -> line.contains(PERSONAL));
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
}
