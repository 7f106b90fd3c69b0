package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.callback.HttpCallback;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.testkit.Cluster.Node;
import dev.outbox.testkit.Receiver.Reply;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that dies after the receiver's answer and before it is recorded. */
@Timeout(60)
class CallbackDeathTest {

  private final Cluster cluster = new Cluster();
  private final Receiver receiver = new Receiver();

  CallbackDeathTest() throws IOException {}

  @AfterEach
  void close() {
    receiver.close();
  }

  @Test
  void theReceiverGetsARepeatWithTheSameIdempotencyKeyAndTheEmailEndsAcknowledged() {
    Node doomed = node();
    Node other = node();
    receiver.answer(
        call -> {
          doomed.die();
          return new Reply(200, Map.of(), "thanks");
        });
    EmailId id =
        doomed
            .outbox()
            .send(
                Email.to("ada@example.com")
                    .subject("Hello")
                    .text("Hello")
                    .callbackUrl(receiver.url("/told"))
                    .build())
            .id();
    doomed.process();
    assertThat(cluster.state(id)).isEqualTo(State.CALLING_SENT_CALLBACK);

    receiver.answer(200);
    cluster.watchForALease(other);

    assertThat(receiver.calls()).hasSize(2);
    assertThat(receiver.calls())
        .extracting(call -> call.headers().get("idempotency-key"))
        .containsOnly(id + "-SENT-0");
    assertThat(receiver.calls().get(1).body()).isEqualTo(receiver.calls().get(0).body());
    assertThat(cluster.state(id)).isEqualTo(State.SENT_ACKNOWLEDGED);
    assertThat(cluster.find(id).summary().archived()).isTrue();
  }

  private Node node() {
    return cluster.node(
        builder -> builder.callback(HttpCallback.builder().allow("127.0.0.1").build()));
  }
}
