package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.callback.CallbackVerifier;
import dev.outbox.callback.HttpCallback;
import dev.outbox.email.Email;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.RecordingTransport;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The code of docs/callbacks.md. */
class CallbacksTest {

  private final String secret = "keep this one in your vault";
  private final InMemoryStore store = new InMemoryStore();
  private final RecordingTransport smtp = new RecordingTransport();
  private final Instant yesterday = Instant.now().minus(Duration.ofDays(1));

  @Test
  void whatWasGivenUpIsFound() {
    Outbox outbox =
        Outbox.builder(store)
            .transport(smtp)
            .callback(HttpCallback.builder().secrets(secret).build())
            .callbackUrl(URI.create("https://shop.example.com/mail-events"))
            .build();
    outbox.send(
        Email.to("ada@example.com")
            .from("shop@example.com")
            .subject("Order 42")
            .text("Thank you.")
            .callbackUrl(URI.create("http://127.0.0.1:1/")) // not allowed: given up at once
            .build());
    outbox.processDue();

    List<EmailSummary> givenUp =
        outbox
            .query(
                EmailQuery.all()
                    .states(
                        State.CALLING_SENT_CALLBACK,
                        State.CALLING_FAILED_CALLBACK,
                        State.CALLING_INVALID_CALLBACK)
                    .createdSince(yesterday),
                100)
            .emails()
            .stream()
            .filter(email -> email.owner() == null && email.due() == null)
            .toList();

    assertThat(givenUp).hasSize(1);
  }

  @Test
  void whatIsNotSignedIsNotGenuine() {
    String key = "01946b2e-SENT-0";
    String signature = "t=1893456000,v1=5f0c";
    byte[] body = "{}".getBytes(StandardCharsets.UTF_8);

    CallbackVerifier verifier = CallbackVerifier.of(secret);
    boolean genuine = verifier.verify(key, signature, body);

    assertThat(genuine).isFalse();
  }
}
