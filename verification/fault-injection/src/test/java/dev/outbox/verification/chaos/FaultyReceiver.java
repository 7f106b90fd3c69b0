package dev.outbox.verification.chaos;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A receiver of callbacks that fails when it is told to, and writes down all calls. */
final class FaultyReceiver implements AutoCloseable {

  private static final int ONE_IN = 2;
  private static final long STALL_SECONDS = 3;
  private static final byte[] LONG_BODY =
      (Request.MARK + " ").repeat(2_000).getBytes(StandardCharsets.UTF_8);

  /** What it does instead of its work. */
  enum Mood {
    CALM,
    ERROR,
    CONFLICT,
    TOO_MANY,
    STALL,
    RESET,
    /** 500 with a body of several thousand characters. */
    LONG_ERROR,
    /** 200 with a body of several thousand characters. */
    LONG_ANSWER
  }

  /**
   * One call.
   *
   * @param key what it gave as its idempotency key
   * @param body what it said
   * @param acknowledged whether it was answered with 2xx
   */
  record Call(String key, String body, boolean acknowledged) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
  private volatile Mood mood = Mood.CALM;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Random random;

  FaultyReceiver(long seed) {
    this.random = new Random(seed);
    try {
      this.server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::receive);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  void turn(Mood next) {
    mood = next;
  }

  List<Call> calls() {
    return List.copyOf(calls);
  }

  private void receive(HttpExchange call) throws IOException {
    try (call) {
      String key = String.valueOf(call.getRequestHeaders().getFirst("Idempotency-Key"));
      String body = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Mood now = call.getRequestURI().getPath().equals("/never") ? Mood.ERROR : draw();
      calls.add(new Call(key, body, now == Mood.CALM || now == Mood.LONG_ANSWER));
      switch (now) {
        case CALM -> call.sendResponseHeaders(200, -1);
        case ERROR -> call.sendResponseHeaders(500, -1);
        case CONFLICT -> call.sendResponseHeaders(409, -1);
        case TOO_MANY -> {
          call.getResponseHeaders().add("Retry-After", "1");
          call.sendResponseHeaders(429, -1);
        }
        case STALL -> closed.await(STALL_SECONDS, TimeUnit.SECONDS);
        case RESET -> {}
        case LONG_ERROR -> answer(call, 500);
        case LONG_ANSWER -> answer(call, 200);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(HttpExchange call, int status) throws IOException {
    call.sendResponseHeaders(status, LONG_BODY.length);
    call.getResponseBody().write(LONG_BODY);
  }

  private Mood draw() {
    synchronized (random) {
      return random.nextInt(ONE_IN) == 0 ? mood : Mood.CALM;
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
