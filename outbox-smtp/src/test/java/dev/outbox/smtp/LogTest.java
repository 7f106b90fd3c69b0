package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two lines for an outage, and nothing about people in them. */
class LogTest {

  private final List<LogRecord> lines = new CopyOnWriteArrayList<>();
  private final Logger ours = Logger.getLogger("dev.outbox.smtp");
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  private final AtomicLong nanos = new AtomicLong();
  private final ScriptedServer server = ScriptedServer.start();
  private final SmtpTransport smtp = SmtpTransport.over(List.of(server.relay()), nanos::get);
  private final Bytes message = smtp.compose(Mails.simple());

  @BeforeEach
  void listen() {
    ours.setLevel(Level.INFO);
    ours.addHandler(handler);
  }

  @AfterEach
  void close() {
    ours.removeHandler(handler);
    ours.setLevel(null);
    smtp.close();
    server.close();
  }

  private void send() {
    smtp.deliver(Mails.envelope("ada@example.com"), message, () -> true);
  }

  private List<String> said() {
    return lines.stream()
        .map(line -> line.getLevel() + " " + new SimpleFormatter().formatMessage(line))
        .toList();
  }

  @Test
  void anOutageIsTwoLines() {
    server.on("MAIL", "451 4.3.2 come back later, <ada@example.com>");
    for (int i = 0; i < 5; i++) {
      send();
      nanos.addAndGet(Duration.ofMinutes(10).toNanos());
    }
    server.usual("MAIL");
    send();
    String relay = "relay localhost:" + server.port();
    assertThat(said())
        .containsExactly(
            "WARNING " + relay + " circuit open for PT5S: the relay answered 451 4.3.2 at MAIL",
            "WARNING " + relay + " is back");
  }

  @Test
  void aRelayThatRefusesUsIsAnError() {
    server.on("MAIL", "550 5.7.1 <shop@example.com> is blocked");
    send();
    assertThat(said())
        .containsExactly(
            "SEVERE relay localhost:%d refuses us, resting PT30S: the relay answered 550 5.7.1 at MAIL"
                .formatted(server.port()));
  }

  @Test
  void oneEmailsTroubleIsNotWorthALine() {
    server.on("RCPT", "550 5.1.1 <ada@example.com> unknown");
    send();
    server.on("RCPT", "452 4.2.2 <ada@example.com> full");
    send();
    server.on("DOT", ScriptedServer.DROP).usual("RCPT");
    send();
    assertThat(said()).isEmpty();
  }
}
