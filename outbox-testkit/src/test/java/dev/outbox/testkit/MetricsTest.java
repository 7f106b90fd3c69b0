package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.monitoring.OutboxMetrics;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.ReapPolicy;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The figures a host gets. */
class MetricsTest {

  private final Figures figures = new Figures();
  private final FakeHost host = new FakeHost();
  private final TestOutbox mail =
      TestOutbox.with(builder -> Mails.templates(builder).metrics(figures).callback(host));
  private final Outbox outbox = mail.outbox();

  /** Writes every figure down as a line. */
  private static final class Figures implements OutboxMetrics {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<Duration> times = new CopyOnWriteArrayList<>();

    @Override
    public void backlog(State state, int emails, Duration overdue) {
      lines.add("backlog %s %d %s".formatted(state, emails, overdue));
    }

    @Override
    public void claimed(State from, int emails) {
      lines.add("claimed %s %d".formatted(from, emails));
    }

    @Override
    public void claimsLost(int emails) {
      lines.add("claimsLost " + emails);
    }

    @Override
    public void reaped(int emails) {
      lines.add("reaped " + emails);
    }

    @Override
    public void possibleDuplicate() {
      lines.add("possibleDuplicate");
    }

    @Override
    public void recorded(State from, State to) {
      lines.add("recorded %s %s".formatted(from, to));
    }

    @Override
    public void worked(State busy, Duration time) {
      lines.add("worked " + busy);
      times.add(time);
    }

    List<String> of(String name) {
      return lines.stream().filter(line -> line.startsWith(name)).toList();
    }
  }

  @Test
  void claimsResultsAndTimesAreReportedForEachStage() {
    mail.transport()
        .answer(
            envelope -> {
              mail.advance(Duration.ofMillis(250));
              return RecordingTransport.accept(envelope);
            });
    outbox.sendAll(Mails.many(2));
    outbox.send(FakeHost.email().build());
    mail.process();

    assertThat(figures.of("claimed")).containsExactly("claimed ACCEPTED 3", "claimed SENT 1");
    assertThat(figures.of("recorded"))
        .containsExactly(
            "recorded PROCESSING SENT",
            "recorded PROCESSING SENT",
            "recorded PROCESSING SENT",
            "recorded CALLING_SENT_CALLBACK SENT_ACKNOWLEDGED");
    assertThat(figures.of("worked"))
        .containsExactly(
            "worked INTAKING",
            "worked INTAKING",
            "worked INTAKING",
            "worked PROCESSING",
            "worked PROCESSING",
            "worked PROCESSING",
            "worked CALLING_SENT_CALLBACK");
    assertThat(figures.times.subList(3, 6)).containsOnly(Duration.ofMillis(250));
  }

  @Test
  void everyOutcomeIsRecorded() {
    mail.transport().answerNext(RecordingTransport::refuse);
    mail.transport().answerNext(RecordingTransport::defer);
    outbox.sendAll(Mails.many(2));
    outbox.send(Email.to("ada@example.com").template("welcome", Map.of("name", "Ada")).build());
    mail.process();

    assertThat(figures.of("recorded"))
        .containsExactlyInAnyOrder(
            "recorded PROCESSING FAILED", "recorded PROCESSING READY", "recorded INTAKING INVALID");
  }

  @Test
  void claimsLostBeforeTheWireAndAfterAreCounted() {
    EmailId cancelled = outbox.send(Mails.to("cancelled@example.com").build()).id();
    EmailId requeued = outbox.send(Mails.to("stolen@example.com").build()).id();
    WireTap wire = new WireTap();
    wire.compose(
        message -> {
          if (message.id().equals(cancelled)) {
            mail.store().apply(OperatorAction.CANCEL, List.of(cancelled));
          }
          return Bytes.utf8("x");
        });
    wire.answer(
        envelope -> {
          steal();
          return RecordingTransport.defer(envelope);
        });
    try (Outbox other =
        Outbox.builder(mail.store())
            .transport(wire)
            .defaultFrom("a@example.com")
            .metrics(figures)
            .build()) {
      other.processDue();
    }

    assertThat(figures.of("claimsLost")).containsExactly("claimsLost 1", "claimsLost 1");
    assertThat(Mails.summary(mail, requeued).owner()).isNotNull();
  }

  /** Lets every node but the thief die, and the thief claim what they held. */
  private void steal() {
    NodeId thief = NodeId.incarnate("thief");
    mail.store()
        .heartbeat(thief)
        .forEach(beat -> mail.store().reap(beat.node(), beat.beat(), ReapPolicy.DEFAULT, 10));
    for (State from : List.of(State.ACCEPTED, State.READY)) {
      mail.store().claim(new ClaimRequest(thief, from, Map.of(PriorityLane.NORMAL, 10), 1 << 20));
    }
  }

  @Test
  void aPossibleDuplicateIsCounted() {
    outbox.send(Mails.plain());
    mail.transport()
        .answer(
            envelope -> {
              steal();
              return RecordingTransport.accept(envelope);
            });
    mail.process();

    assertThat(figures.of("possibleDuplicate")).hasSize(1);
  }

  @Test
  void whatIsTakenFromDeadNodesIsCounted() {
    outbox.sendAll(Mails.many(3));
    NodeId dead = NodeId.incarnate("dead");
    mail.store()
        .claim(new ClaimRequest(dead, State.ACCEPTED, Map.of(PriorityLane.NORMAL, 10), 1 << 20));
    for (int i = 0; i < 10; i++) {
      mail.process();
      mail.advance(Duration.ofSeconds(2));
    }

    assertThat(figures.of("reaped")).containsExactly("reaped 3");
  }

  @Test
  void theBacklogIsReportedEveryTenSecondsAndSoIsItsEnd() {
    mail.transport().limitCapacity(0);
    outbox.sendAll(Mails.many(3));
    mail.process();
    assertThat(figures.of("backlog")).isEmpty();

    mail.advance(Duration.ofSeconds(10));
    mail.process();
    assertThat(figures.of("backlog ACCEPTED")).containsExactly("backlog ACCEPTED 3 PT10S");

    mail.transport().limitCapacity(10);
    mail.process();
    mail.advance(Duration.ofSeconds(10));
    mail.process();
    assertThat(figures.of("backlog ACCEPTED")).last().isEqualTo("backlog ACCEPTED 0 PT0S");
  }

  @Test
  void metricsThatThrowChangeNothing() {
    List<String> called = new ArrayList<>();
    OutboxMetrics broken =
        (OutboxMetrics)
            Proxy.newProxyInstance(
                OutboxMetrics.class.getClassLoader(),
                new Class<?>[] {OutboxMetrics.class},
                (proxy, method, args) -> {
                  called.add(method.getName());
                  throw new StackOverflowError();
                });
    TestOutbox measured =
        TestOutbox.with(builder -> builder.metrics(broken).callback(new FakeHost()));
    measured.outbox().send(FakeHost.email().build());
    measured.advance(Duration.ofSeconds(10));
    measured.process();

    measured.assertSent().count(1);
    assertThat(measured.outbox().stats().states()).isEmpty();
    assertThat(called).contains("claimed", "recorded", "worked");
  }

  @Test
  void metricsThatThrowDoNotStopAStartedOutbox() {
    InMemoryStore store = new InMemoryStore();
    OutboxMetrics broken =
        (OutboxMetrics)
            Proxy.newProxyInstance(
                OutboxMetrics.class.getClassLoader(),
                new Class<?>[] {OutboxMetrics.class},
                (proxy, method, args) -> {
                  throw new IllegalStateException("a defect of the host's");
                });
    try (Outbox started =
        Outbox.builder(store)
            .transport(new RecordingTransport())
            .defaultFrom("a@example.com")
            .metrics(broken)
            .build()
            .start()) {
      started.sendAll(Mails.many(100));
      await().until(() -> store.stats().isEmpty());
    }
  }
}
