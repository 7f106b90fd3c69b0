package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.email.Bytes;
import dev.outbox.smtp.ConnectionPool.Lent;
import dev.outbox.transport.DeliveryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PoolTest {

  private static final Bytes MESSAGE = MimeComposer.compose(Mails.simple());

  private final ScriptedServer server = ScriptedServer.start();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    threads.shutdownNow();
    server.close();
  }

  private static DeliveryResult send(SmtpTransport transport) {
    return transport.deliver(Mails.envelope("ada@example.com"), MESSAGE, () -> true);
  }

  private static SmtpRelay.Limits limits(int connections, int each, Duration idle) {
    return new SmtpRelay.Limits(connections, each, Integer.MAX_VALUE, idle);
  }

  @Test
  void thereAreNoMoreConnectionsThanAllowed() throws Exception {
    try (SmtpTransport transport = SmtpTransport.over(server.relay().connections(3))) {
      List<Future<DeliveryResult>> results = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        results.add(threads.submit(() -> send(transport)));
      }
      for (Future<DeliveryResult> each : results) {
        assertThat(each.get(30, TimeUnit.SECONDS)).isInstanceOf(DeliveryResult.Answered.class);
      }
    }
    assertThat(server.messages()).hasSize(200);
    assertThat(server.mostOpenConnections()).isLessThanOrEqualTo(3);
  }

  @Test
  void aConnectionIsReplacedAfterSoManyEmails() {
    SmtpRelay relay = server.relay().limits(limits(1, 4, Duration.ofSeconds(30)));
    try (SmtpTransport transport = SmtpTransport.over(relay)) {
      for (int i = 0; i < 10; i++) {
        send(transport);
      }
    }
    assertThat(server.messages()).hasSize(10);
    assertThat(server.connections()).isEqualTo(3);
    await().until(() -> server.count("QUIT") == 2);
  }

  @Test
  void aThreadGetsTheConnectionItHadBefore() throws Exception {
    ConnectionPool pool = new ConnectionPool(server.relay(), () -> {});
    SmtpConnection mine = pool.take(pool.endOfDelivery()).connection();
    Callable<Lent> take = () -> pool.take(pool.endOfDelivery());
    SmtpConnection theirs = threads.submit(take).get(30, TimeUnit.SECONDS).connection();
    pool.giveBack(mine);
    threads.submit(() -> pool.giveBack(theirs)).get(30, TimeUnit.SECONDS);

    assertThat(pool.take(pool.endOfDelivery()).connection()).isSameAs(mine);
    pool.close();
  }

  @Test
  void anIdleConnectionIsClosedPolitely() {
    SmtpRelay relay = server.relay().limits(limits(1, 100, Duration.ofMillis(300)));
    try (SmtpTransport transport = SmtpTransport.over(relay)) {
      send(transport);
      await().until(() -> server.openConnections() == 0);
      assertThat(server.count("QUIT")).isEqualTo(1);
      send(transport);
    }
    assertThat(server.messages()).hasSize(2);
    assertThat(server.connections()).isEqualTo(2);
  }

  @Test
  void aConnectionThatRestedIsAskedBeforeItIsUsed() {
    try (SmtpTransport transport = SmtpTransport.over(server.relay())) {
      send(transport);
      await().pollDelay(Duration.ofMillis(1200)).until(() -> true);
      send(transport);
      assertThat(server.count("NOOP")).isEqualTo(1);
      assertThat(server.connections()).isEqualTo(1);

      server.on("NOOP", ScriptedServer.DROP);
      await().pollDelay(Duration.ofMillis(1200)).until(() -> true);
      assertThat(send(transport)).isInstanceOf(DeliveryResult.Answered.class);
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void closingEndsADeliveryBeforeTheDotAtOnce() throws Exception {
    assertThat(closedWhileStalledAt("RCPT")).isInstanceOf(DeliveryResult.NotSent.class);
    assertThat(server.messages()).isEmpty();
  }

  @Test
  void closingEndsADeliveryWhileConnectingAtOnce() throws Exception {
    assertThat(closedWhileStalledAt("CONNECT")).isInstanceOf(DeliveryResult.NotSent.class);
  }

  @Test
  void closingAfterTheDotLeavesTheOutcomeUnknown() throws Exception {
    assertThat(closedWhileStalledAt("DOT")).isInstanceOf(DeliveryResult.Unknown.class);
  }

  private DeliveryResult closedWhileStalledAt(String step) throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    server.on(
        step,
        line -> {
          reached.countDown();
          return ScriptedServer.STALL;
        });
    SmtpTransport transport = SmtpTransport.over(server.relay());
    Future<DeliveryResult> result = threads.submit(() -> send(transport));
    assertThat(reached.await(10, TimeUnit.SECONDS)).isTrue();
    transport.close();
    DeliveryResult ended = result.get(2, TimeUnit.SECONDS);
    assertThat(send(transport)).isInstanceOf(DeliveryResult.NotSent.class);
    return ended;
  }

  @Test
  void aSmallMessageIsWithheldWhenThePermitHasEnded() {
    assertWithheld(MESSAGE);
  }

  @Test
  void aLargeMessageIsWithheldWhenThePermitHasEnded() {
    assertWithheld(Bytes.utf8("Subject: x\r\n\r\n" + "a line of a message\r\n".repeat(5_000)));
  }

  private void assertWithheld(Bytes message) {
    AtomicReference<String> before = new AtomicReference<>("");
    try (SmtpTransport transport = SmtpTransport.over(server.relay())) {
      DeliveryResult result =
          transport.deliver(
              Mails.envelope("ada@example.com"),
              message,
              () -> {
                before.set(String.join("|", server.commands()));
                return false;
              });
      assertThat(result).isInstanceOf(DeliveryResult.NotSent.class);
      assertThat(before.get()).as("asked as late as can be").endsWith("DATA");
      await().until(() -> server.openConnections() == 0);
      assertThat(server.commands()).doesNotContain("<dot>");
      assertThat(server.messages()).isEmpty();
      assertThat(send(transport)).isInstanceOf(DeliveryResult.Answered.class);
    }
  }

  @Test
  void aPermitThatFailsLeavesTheRelayUsable() {
    AtomicLong nanos = new AtomicLong();
    try (SmtpTransport transport = SmtpTransport.over(List.of(server.relay()), nanos::get)) {
      server.once("MAIL", "451 4.3.0 later");
      assertThat(send(transport)).isInstanceOf(DeliveryResult.Postponed.class);
      nanos.addAndGet(Duration.ofMinutes(1).toNanos());
      assertThatThrownBy(
              () ->
                  transport.deliver(
                      Mails.envelope("ada@example.com"),
                      MESSAGE,
                      () -> {
                        throw new IllegalStateException();
                      }))
          .isInstanceOf(IllegalStateException.class);
      assertThat(transport.availableCapacity(5)).isEqualTo(1);
      assertThat(send(transport)).isInstanceOf(DeliveryResult.Answered.class);
    }
    assertThat(server.messages()).hasSize(1);
  }
}
