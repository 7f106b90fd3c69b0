package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** No request exhausts a heap of 256 MB. */
class SmallHeapTest {

  private static final int BODY = 16 << 20;
  private static final int PIECE = 1 << 16;
  private static final long MOST_LIVE_BYTES = 100L << 20;
  private static final String SEND = "/api/emails";
  private static final String BATCH = "/api/emails/batch";

  private static final String GOOD =
      """
      {"to": "ada@example.com", "subject": "Order 42", "text": "Thank you."}""";

  private static SmallHeapServer server;

  @BeforeAll
  static void start() {
    server = SmallHeapServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  static Stream<Arguments> attacks() {
    return Stream.of(
        Arguments.of("empty emails", BATCH, 413, "{\"emails\": [", "{},"),
        Arguments.of("nested lists", BATCH, 400, "{\"emails\": [{\"data\": {\"a\": ", "["),
        Arguments.of("nested objects", SEND, 400, "{\"data\": ", "{\"a\":"),
        Arguments.of("one number", BATCH, 400, "{\"emails\": [{\"data\": {\"a\": 1", "0"),
        Arguments.of("one fraction", SEND, 400, "{\"data\": {\"a\": 0.", "1"),
        Arguments.of("one name", BATCH, 400, "{\"emails\": [{\"", "n"),
        Arguments.of("one name of an email", SEND, 400, "{\"", "n"),
        Arguments.of("empty lists", BATCH, 413, "{\"emails\": [{\"data\": {\"a\": [", "[],"),
        Arguments.of("addresses", SEND, 413, "{\"to\": [", "\"a@b.cc\","));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("attacks")
  void aBodyOf16MiBIsRejectedAndAGoodEmailIsAcceptedAfterwards(
      String name, String path, int status, String start, String repeated) throws Exception {
    assertThat(statusOf(path, start, repeated)).as(name).isEqualTo(status);

    assertStillWorks();
  }

  @Test
  void manySuchBodiesAtOnceAreRejected() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Integer>> posts = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        posts.add(() -> statusOf(BATCH, "{\"emails\": [", "{},"));
      }
      for (Future<Integer> status : threads.invokeAll(posts, 60, TimeUnit.SECONDS)) {
        assertThat(status.get()).isEqualTo(413);
      }
    } finally {
      threads.shutdownNow();
    }
    assertStillWorks();
  }

  static Stream<Arguments> largest() {
    String recipients =
        "{\"to\": [%s], \"subject\": \"s\", \"text\": \"x\"}"
            .formatted(repeated(990, i -> "\"a%d@b.cc\"".formatted(i)));
    return Map.of(
            "many recipients in many emails",
            "{\"emails\": [%s]}".formatted(repeated(1_000, i -> recipients)),
            "different names in one email",
            inOneEmail("{%s}".formatted(repeated(499_000, i -> "\"n%d\": 7777".formatted(i)))),
            "different names in many emails",
            "{\"emails\": [%s]}"
                .formatted(
                    repeated(
                        1_000,
                        i ->
                            "{\"data\": {%s}}"
                                .formatted(repeated(490, j -> "\"n%d-%d\":7".formatted(i, j))))),
            "texts in one email",
            inOneEmail("{\"a\": [%s]}".formatted(repeated(990_000, i -> "\"t%d\"".formatted(i)))),
            "lists in one email",
            inOneEmail("{\"a\": [%s]}".formatted(repeated(490_000, i -> "[]"))),
            "empty objects in one email",
            inOneEmail("{\"a\": [%s]}".formatted(repeated(490_000, i -> "{}"))),
            "small objects in one email",
            inOneEmail("{\"a\": [%s]}".formatted(repeated(240_000, i -> "{\"a\":7}"))),
            "one long text",
            inOneEmail("{\"a\": \"%s\"}".formatted("x".repeat(BODY - 1_000))))
        .entrySet()
        .stream()
        .map(each -> Arguments.of(each.getKey(), each.getValue()));
  }

  /** What is within the limits of the JSON, and beyond those of an email or its template. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("largest")
  void theLargestBodiesThatAreReadFitIntoTheHeap(String name, String json) {
    assertThat(json.length()).as("bytes").isLessThanOrEqualTo(BODY);

    Answer answer = server.post(json.startsWith("{\"emails\"") ? BATCH : SEND, json);

    assertThat(answer.status()).as("%s: %s", name, server.said()).isIn(200, 422);
    assertStillWorks();
  }

  private static String inOneEmail(String data) {
    return "{\"to\": \"ada@example.com\", \"template\": \"order\", \"data\": " + data + "}";
  }

  private static String repeated(int times, IntFunction<String> part) {
    return IntStream.range(0, times).mapToObj(part).collect(Collectors.joining(","));
  }

  /** Sends 16 MiB, or as much of it as the server takes, and returns the status of the answer. */
  private static int statusOf(String path, String start, String repeated) throws Exception {
    Thread sender;
    int status;
    try (RawPost post = new RawPost(server.port(), path, BODY, Duration.ofSeconds(30))) {
      sender = new Thread(() -> sendAll(post, start, repeated), "sender");
      sender.start();
      status = post.reply().status();
    }
    sender.join();
    return status;
  }

  private static void sendAll(RawPost post, String start, String repeated) {
    try {
      post.send(start);
      String piece = repeated.repeat(PIECE / repeated.length());
      for (int sent = 0; sent < BODY; sent += piece.length()) {
        post.send(piece);
      }
    } catch (IOException e) {
      // The server has answered, and takes no more.
    }
  }

  private static void assertStillWorks() {
    assertThat(server.isAlive()).as(server.said()).isTrue();
    server.post(SEND, GOOD).is(201);
    assertThat(server.liveBytes()).isLessThan(MOST_LIVE_BYTES);
  }
}
