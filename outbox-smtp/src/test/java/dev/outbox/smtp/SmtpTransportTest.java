package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.email.Bytes;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.transport.DeliveryResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SmtpTransportTest {

  private final ScriptedServer server = ScriptedServer.start();
  private final SmtpTransport transport = SmtpTransport.over(server.relay());
  private final Bytes message = transport.compose(Mails.simple());

  @AfterEach
  void close() {
    transport.close();
    server.close();
  }

  private DeliveryResult send(String... recipients) {
    return transport.deliver(Mails.envelope(recipients), message, () -> true);
  }

  private DeliveryResult.Answered answered(String... recipients) {
    return (DeliveryResult.Answered) send(recipients);
  }

  @Test
  void aMessageArrivesAsItWasComposed() {
    DeliveryResult.Answered answer = answered("ada@example.com");
    assertThat(answer.recipients())
        .containsExactly(
            new RecipientResult("ada@example.com", Status.ACCEPTED, "250 2.0.0 queued"));
    assertThat(answer.response()).isEqualTo("250 2.0.0 queued");
    assertThat(server.only().unstuffed()).isEqualTo(message.toArray());
    assertThat(server.only().recipients()).containsExactly("ada@example.com");
    assertThat(server.only().from()).isEqualTo("shop@example.com");
  }

  @Test
  void connectionsAreUsedAgain() {
    for (int i = 0; i < 20; i++) {
      answered("ada@example.com");
    }
    assertThat(server.messages()).hasSize(20);
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void aTransportThatWasClosedWithOneOutboxIsRefusedByTheNext() {
    outbox("first").start().close();
    Outbox second = outbox("second");

    assertThatThrownBy(second::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the SmtpTransport to localhost:%d was closed, with its outbox or by a call of close(): make a new one",
            server.port());
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("outbox-second"));
  }

  private Outbox outbox(String name) {
    return Outbox.builder(new InMemoryStore()).transport(transport).nodeName(name).build();
  }
}
