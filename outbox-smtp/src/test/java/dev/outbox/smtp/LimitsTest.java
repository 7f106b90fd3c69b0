package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.testkit.TestOutbox;
import dev.outbox.transport.DeliveryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Shares, rests and failover, in moved time. */
class LimitsTest {

  private static final Bytes MESSAGE = MimeComposer.compose(Mails.simple());

  private final AtomicLong nanos = new AtomicLong();
  private final ScriptedServer first = ScriptedServer.start();
  private final ScriptedServer second = ScriptedServer.start();

  @AfterEach
  void close() {
    first.close();
    second.close();
  }

  private static DeliveryResult send(SmtpTransport transport) {
    return transport.deliver(Mails.envelope("ada@example.com"), MESSAGE, () -> true);
  }

  private void advance(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void noMoreIsGrantedThanTheRelaysShare() {
    try (SmtpTransport smtp =
        SmtpTransport.over(List.of(first.relay().emailsPerSecond(10)), nanos::get)) {
      assertThat(smtp.availableCapacity(500)).isEqualTo(10);
      for (int i = 0; i < 10; i++) {
        assertThat(send(smtp)).isInstanceOf(DeliveryResult.Answered.class);
      }
      assertThat(smtp.availableCapacity(500)).isZero();
      advance(Duration.ofMillis(500));
      assertThat(smtp.availableCapacity(500)).isEqualTo(5);
      advance(Duration.ofHours(1));
      assertThat(smtp.availableCapacity(500)).isEqualTo(10);
    }
  }

  @Test
  void whatIsHeldBackComesBackOneByOneAndBlocksNobody() {
    try (SmtpTransport smtp =
        SmtpTransport.over(List.of(first.relay().emailsPerSecond(2)), nanos::get)) {
      List<Duration> waits = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        if (send(smtp) instanceof DeliveryResult.Postponed wait) {
          waits.add(wait.delay());
        }
      }
      assertThat(waits)
          .containsExactly(
              Duration.ofMillis(500),
              Duration.ofMillis(1000),
              Duration.ofMillis(1500),
              Duration.ofMillis(2000));
      assertThat(first.messages()).hasSize(2);
    }
  }

  @Test
  void anOutboxKeepsToTheShare() {
    SmtpTransport smtp = SmtpTransport.over(List.of(first.relay().emailsPerSecond(5)), nanos::get);
    try (TestOutbox mail = TestOutbox.with(builder -> builder.transport(smtp))) {
      for (int i = 0; i < 40; i++) {
        mail.outbox().send(Email.to("a@example.com").subject("x").text("x").build());
      }
      for (int second = 0; second <= 10; second++) {
        mail.process();
        assertThat(first.messages()).hasSize(Math.min(40, 5 * (second + 1)));
        mail.advance(Duration.ofSeconds(1));
        advance(Duration.ofSeconds(1));
      }
    }
  }

  @Test
  void theNextRelayIsUsedWhileTheFirstIsDownAndTheFirstAgainWhenItIsBack() {
    try (SmtpTransport smtp =
        SmtpTransport.over(List.of(first.relay(), second.relay()), nanos::get)) {
      send(smtp);
      assertThat(first.messages()).hasSize(1);
      first.down();
      assertThat(send(smtp)).isInstanceOf(DeliveryResult.Answered.class);
      assertThat(send(smtp)).isInstanceOf(DeliveryResult.Answered.class);
      assertThat(second.messages()).hasSize(2);
      assertThat(smtp.availableCapacity(50)).isEqualTo(50);

      first.up();
      send(smtp);
      assertThat(second.messages()).as("the circuit is still open").hasSize(3);
      advance(Duration.ofSeconds(1));
      send(smtp);
      assertThat(first.messages()).hasSize(2);
    }
  }

  @Test
  void aRefusedEmailIsNotTriedElsewhere() {
    first.on("RCPT", "550 5.1.1 unknown");
    try (SmtpTransport smtp = SmtpTransport.over(first.relay(), second.relay())) {
      send(smtp);
    }
    assertThat(second.connections()).isZero();
  }

  @Test
  void anEmailThatMayHaveArrivedIsNotTriedElsewhere() {
    first.on("DOT", ScriptedServer.DROP);
    try (SmtpTransport smtp = SmtpTransport.over(first.relay(), second.relay())) {
      assertThat(send(smtp)).isInstanceOf(DeliveryResult.Unknown.class);
    }
    assertThat(second.connections()).isZero();
  }

  @Test
  void restsGrowAndOnlyOneEmailTriesAtATime() {
    RelayCircuitBreaker circuitBreaker = new RelayCircuitBreaker("relay", nanos::get);
    RelayFailure down = RelayFailure.unreachable(SmtpStep.CONNECT, "no connection");
    for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      RelayCircuitBreaker.Ticket pass = Objects.requireNonNull(circuitBreaker.enter());
      assertThat(circuitBreaker.open(9)).isEqualTo(seconds == 1 ? 9 : 0);
      circuitBreaker.troubled(pass, down);
      circuitBreaker.troubled(pass, down);
      assertThat(circuitBreaker.timeUntilRetry()).isEqualTo(Duration.ofSeconds(seconds));
      assertThat(circuitBreaker.enter()).isNull();
      advance(Duration.ofSeconds(seconds));
      assertThat(circuitBreaker.open(9)).isEqualTo(1);
    }
    RelayCircuitBreaker.Ticket probe = Objects.requireNonNull(circuitBreaker.enter());
    assertThat(circuitBreaker.enter()).isNull();
    circuitBreaker.toldNothing(probe);
    RelayCircuitBreaker.Ticket again = Objects.requireNonNull(circuitBreaker.enter());
    circuitBreaker.succeeded(again);
    assertThat(circuitBreaker.open(9)).isEqualTo(9);
    circuitBreaker.troubled(again, down);
    assertThat(circuitBreaker.timeUntilRetry()).isEqualTo(Duration.ofSeconds(1));
  }
}
