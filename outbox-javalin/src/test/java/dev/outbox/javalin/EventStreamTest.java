package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.event.OutboxEvent;
import dev.outbox.testkit.InMemoryStore;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Those who listen do not get in the way of what they listen to. */
class EventStreamTest {

  private static final EmailId ID = EmailId.parse("01890a5d-ac96-774b-bcce-b302099a8057");

  @Test
  void whoDoesNotReadIsHungUpOnAndOthersHearOn() throws Exception {
    EventStream eventStream = new EventStream();
    Javalin app =
        Javalin.create(
            config ->
                config.routes.get("/events", context -> eventStream.listen(context, () -> {})));
    try (Outbox outbox = Outbox.builder(new InMemoryStore()).build()) {
      eventStream.open(outbox);
      app.start("127.0.0.1", 0);
      Semaphore pace = new Semaphore(500);
      AtomicBoolean greeted = new AtomicBoolean();
      AtomicBoolean last = new AtomicBoolean();
      CompletableFuture<?> reader =
          HttpClient.newHttpClient()
              .sendAsync(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.port() + "/events"))
                      .header("Accept", "text/event-stream")
                      .build(),
                  BodyHandlers.fromLineSubscriber(
                      new Hearing(
                          line -> {
                            if (line.contains("accepted")) {
                              pace.release();
                            }
                            greeted.compareAndSet(false, line.contains("hello"));
                            last.compareAndSet(false, line.contains("invalid"));
                          })));
      try (Socket sleeper = sleeper(app.port())) {
        await().until(() -> sleeper.getInputStream().available() > 0);
        await().untilTrue(greeted);

        // 13 MB at a pace that a reader can keep: more than all buffers between the two ends can
        // hold, of which the kernel lets one grow to 4 MB
        for (int i = 0; i < 100_000; i++) {
          assertThat(pace.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
          eventStream.publish(new OutboxEvent.EmailAccepted(ID));
        }
        eventStream.publish(new OutboxEvent.EmailInvalid(ID));

        await().untilTrue(last);
        assertThat(reader.isDone()).isFalse();
        assertThat(reachesItsEnd(sleeper)).isTrue();
      }
    } finally {
      eventStream.close();
      app.stop();
    }
  }

  @Test
  void aListenerThatTheFeedDoesNotTakeIsReported() {
    AtomicBoolean ended = new AtomicBoolean();

    assertThatThrownBy(() -> new EventStream().listen(brokenContext(), () -> ended.set(true)))
        .isInstanceOf(ProblemException.class);

    assertThat(ended).isTrue();
  }

  @Test
  void aListenerWhoseConnectionIsBrokenIsReported() {
    EventStream eventStream = new EventStream();
    AtomicBoolean ended = new AtomicBoolean();
    try (Outbox outbox = Outbox.builder(new InMemoryStore()).build()) {
      eventStream.open(outbox);

      assertThatThrownBy(() -> eventStream.listen(brokenContext(), () -> ended.set(true)))
          .hasMessage("broken");

      assertThat(ended).isTrue();
    } finally {
      eventStream.close();
    }
  }

  /** Returns a request whose answer cannot be written. */
  private static Context brokenContext() {
    return (Context)
        Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("res")) {
                throw new IllegalStateException("broken");
              }
              return arguments.length == 1 ? "text/event-stream" : proxy;
            });
  }

  private static Socket sleeper(int port) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4_096);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket
        .getOutputStream()
        .write(
            "GET /events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static boolean reachesItsEnd(Socket socket) throws IOException {
    socket.setSoTimeout((int) Duration.ofSeconds(10).toMillis());
    InputStream in = socket.getInputStream();
    byte[] chunk = new byte[65_536];
    int read;
    do {
      read = in.read(chunk);
    } while (read >= 0);
    return true;
  }

  static List<OutboxEvent> everyKind() {
    return List.of(
        new OutboxEvent.EmailAccepted(ID),
        new OutboxEvent.EmailSent(ID, 1),
        new OutboxEvent.EmailRetryScheduled(ID, 1, Duration.ofMinutes(1)),
        new OutboxEvent.EmailFailed(
            ID,
            FailureCode.REFUSED,
            List.of(
                new RecipientResult(
                    "ada@example.com", RecipientResult.Status.REFUSED, "550 ada@example.com"))),
        new OutboxEvent.EmailInvalid(ID),
        new OutboxEvent.EmailReaped(ID, 1),
        new OutboxEvent.EmailRequeued(ID),
        new OutboxEvent.EmailErased(ID),
        new OutboxEvent.PossibleDuplicate(ID),
        new OutboxEvent.CallbackAcknowledged(ID, State.SENT),
        new OutboxEvent.CallbackAbandoned(ID, State.FAILED));
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void anEventHasItsKindAndIdAndNothingPersonal(OutboxEvent event) {
    String json = Json.text(EventJson.of(event));

    assertThat(json)
        .startsWith("{\"type\":\"")
        .contains("\"id\":\"" + ID + "\"")
        .doesNotContain("@");
  }

  @Test
  void theKindsAreNamedAsOnTheWire() {
    assertThat(everyKind())
        .extracting(EventJson::type)
        .containsExactly(
            "accepted",
            "sent",
            "retry-scheduled",
            "failed",
            "invalid",
            "reaped",
            "requeued",
            "erased",
            "possible-duplicate",
            "callback-acknowledged",
            "callback-abandoned");
  }
}
