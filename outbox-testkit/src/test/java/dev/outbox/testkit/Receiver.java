package dev.outbox.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.outbox.email.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A host in another process, as far as the outbox can tell: a real HTTP server on loopback. */
final class Receiver implements AutoCloseable {

  /** What it says unless a test wants otherwise. */
  static final String WORDS = "words of the receiver";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private volatile Function<Call, Reply> answer = call -> new Reply(200, Map.of(), "thanks");

  private volatile Duration delay = Duration.ZERO;

  /** A call as it came in; the names of headers are in lower case. */
  record Call(String method, String path, Map<String, String> headers, Bytes body) {}

  /** What is answered. */
  record Reply(int status, Map<String, String> headers, String body) {}

  Receiver() throws IOException {
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  URI url(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  void answer(Function<Call, Reply> how) {
    answer = how;
  }

  void answer(int status) {
    answer(call -> new Reply(status, Map.of(), WORDS));
  }

  /** Sets how long an answer takes. */
  void delay(Duration time) {
    delay = time;
  }

  List<Call> calls() {
    return List.copyOf(calls);
  }

  private void handle(HttpExchange exchange) throws IOException {
    Map<String, String> headers = new HashMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
    Call call =
        new Call(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            Map.copyOf(headers),
            Bytes.owned(exchange.getRequestBody().readAllBytes()));
    calls.add(call);
    if (delay.isZero()) {
      reply(exchange, answer.apply(call));
    } else {
      CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS, threads)
          .execute(() -> reply(exchange, answer.apply(call)));
    }
  }

  private static void reply(HttpExchange exchange, Reply reply) {
    reply.headers().forEach(exchange.getResponseHeaders()::set);
    byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
