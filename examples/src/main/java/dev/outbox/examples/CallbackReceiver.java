package dev.outbox.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.outbox.Outbox;
import dev.outbox.callback.CallbackVerifier;
import dev.outbox.callback.HttpCallback;
import dev.outbox.email.Email;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.RecordingTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A receiver of callbacks that trusts only what is signed, and an outbox that calls it. */
public final class CallbackReceiver {

  private static final String SECRET = "keep this one in your vault";

  private final CallbackVerifier verifier = CallbackVerifier.of(SECRET);
  private final Set<String> handled = ConcurrentHashMap.newKeySet();

  private CallbackReceiver() {}

  /** Runs the example. */
  public static void main(String[] args) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/mail-events", new CallbackReceiver()::receive);
    server.start();

    try (Outbox outbox =
        Outbox.builder(new InMemoryStore())
            .transport(new RecordingTransport())
            .defaultFrom("Shop <shop@example.com>")
            .callback(HttpCallback.builder().secrets(SECRET).allow("127.0.0.1").build())
            .callbackUrl(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mail-events"))
            .build()) {
      outbox.send(Email.to("ada@example.com").subject("Order 42").text("Thank you.").build());
      outbox.processDue();
    } finally {
      server.stop(0);
    }
  }

  private void receive(HttpExchange request) throws IOException {
    try (request) {
      byte[] body = request.getRequestBody().readAllBytes();
      String key = request.getRequestHeaders().getFirst("Idempotency-Key");
      String signature = request.getRequestHeaders().getFirst("Outbox-Signature");
      if (!verifier.verify(key, signature, body)) {
        request.sendResponseHeaders(401, -1);
        return;
      }
      if (handled.add(key)) {
        System.out.println(new String(body, StandardCharsets.UTF_8));
      }
      request.sendResponseHeaders(204, -1);
    }
  }
}
