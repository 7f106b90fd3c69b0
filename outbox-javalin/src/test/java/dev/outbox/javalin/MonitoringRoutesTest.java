package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.store.StoreException;
import dev.outbox.testkit.RecordingTransport;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How the outbox is doing, asked and told. */
class MonitoringRoutesTest {

  private static final Email EMAIL =
      Email.to("ada@example.com").subject("Order 42").text("x").build();

  @Test
  void theFiguresAreThoseOfTheOutbox() {
    try (App app = App.forAdmins()) {
      app.outbox().send(EMAIL);
      app.mail().process();
      app.outbox().send(EMAIL);
      app.mail().advance(Duration.ofMinutes(2));

      JsonNode stats = app.get("/api/stats").is(200).json();

      assertThat(stats.at("/states/ACCEPTED/count").intValue()).isEqualTo(1);
      assertThat(stats.at("/states/ACCEPTED/bound").booleanValue()).isFalse();
      assertThat(stats.get("backlogSeconds").intValue()).isEqualTo(120);
      assertThat(stats.at("/node/sent").intValue()).isEqualTo(1);
      assertThat(stats.at("/throughput/sent")).hasSize(60);
      assertThat(stats.at("/throughput/sent/59").intValue()).isEqualTo(1);
    }
  }

  @Test
  void howeverManyWatchTheStoreIsCountedOnceInASecond() {
    CountingStore store = new CountingStore();
    try (Outbox outbox = Outbox.builder(store.store()).build();
        App app = App.around(outbox)) {
      long start = System.nanoTime();
      for (int i = 0; i < 20; i++) {
        app.get("/api/stats").is(200);
      }
      long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();

      assertThat(store.questions().stream().filter("stats"::equals).count())
          .isBetween(1L, 1 + seconds);
    }
  }

  @Test
  void healthIsAboutTheStoreTheBacklogAndThePause() {
    CountingStore store = new CountingStore();
    AtomicLong nanos = new AtomicLong();
    try (Outbox outbox =
            Outbox.builder(store.store())
                .transport(new RecordingTransport())
                .monotonicClock(nanos::get)
                .defaultFrom("a@example.com")
                .build()
                .start();
        App app = App.around(outbox)) {
      await().until(() -> outbox.health().lastHeartbeat().isPresent());
      outbox.pause();
      outbox.send(EMAIL);
      JsonNode paused = app.get("/api/health").is(200).json();
      assertThat(paused.get("status").textValue()).isEqualTo("up");
      assertThat(paused.get("store").textValue()).isEqualTo("reachable");
      assertThat(paused.get("paused").booleanValue()).isTrue();
      assertThat(paused.get("lastHeartbeatSeconds").intValue()).isZero();

      store.advance(Duration.ofMinutes(16));
      nanos.addAndGet(Duration.ofSeconds(11).toNanos());
      await().until(() -> outbox.health().backlog().isPresent() && outbox.health().isUp());
      JsonNode late = app.get("/api/health").is(503).json();
      assertThat(late.get("status").textValue()).isEqualTo("backlog");
      assertThat(late.get("backlogSeconds").intValue()).isBetween(960, 990);

      store.fail(new StoreException(StoreException.Reason.UNAVAILABLE, "unavailable", null));
      nanos.addAndGet(Duration.ofSeconds(3).toNanos());
      JsonNode down = app.get("/api/health").is(503).json();
      assertThat(down.get("status").textValue()).isEqualTo("down");
      assertThat(down.get("store").textValue()).isEqualTo("unavailable");
      assertThat(down.get("unreachableSeconds").intValue()).isGreaterThanOrEqualTo(3);
      assertThat(down.get("endedThreads")).isEmpty();
      assertThat(down.get("failingClaims")).isEmpty();
      App.ask(app.request("/api/health").method("HEAD", BodyPublishers.noBody())).is(503);
      store.fail(null);
    }
  }

  @Test
  void askingForHealthMakesNoCallOfTheStore() {
    CountingStore store = new CountingStore();
    try (Outbox outbox = Outbox.builder(store.store()).build();
        App app = App.around(outbox)) {
      store.fail(new StoreException(StoreException.Reason.UNAVAILABLE, "unavailable", null));

      JsonNode health = app.get("/api/health").is(200).json();

      assertThat(health.get("status").textValue()).isEqualTo("up");
      assertThat(health.get("store").textValue()).isEqualTo("unknown");
      assertThat(store.questions()).isEmpty();
    }
  }

  @Test
  void aStoreOutOfReachIsAPassingProblemWithoutItsWords() {
    CountingStore store = new CountingStore();
    try (Outbox outbox = Outbox.builder(store.store()).build();
        App app = App.around(outbox)) {
      store.fail(new StoreException(StoreException.Reason.UNAVAILABLE, "ada@example.com", null));

      Answer answer = app.get("/api/emails");

      answer.problem(503, "unavailable");
      assertThat(answer.header("Retry-After")).isEqualTo("5");
      assertThat(answer.text()).doesNotContain("ada@");
    }
  }

  @Test
  void whatIsBrokenSaysNothingOfItsInside() {
    CountingStore store = new CountingStore();
    try (Outbox outbox = Outbox.builder(store.store()).build();
        App app = App.around(outbox)) {
      store.fail(new IllegalStateException("ada@example.com"));

      Answer answer = app.get("/api/emails");

      answer.problem(500, "failure");
      assertThat(answer.text()).doesNotContain("ada@", "IllegalState");
    }
  }

  @Test
  void failuresOfOneKindStandTogether() {
    try (App app = App.forAdmins()) {
      app.mail().transport().answer(RecordingTransport::refuse);
      app.outbox().sendAll(List.of(EMAIL, EMAIL, EMAIL));
      app.outbox().send(Email.to("ada@example.com").template("order").build());
      app.mail().process();

      JsonNode json = app.get("/api/failures").is(200).json();

      assertThat(json.get("examined").intValue()).isEqualTo(4);
      assertThat(json.get("more").booleanValue()).isFalse();
      JsonNode groups = json.get("groups");
      assertThat(groups).hasSize(2);
      assertThat(groups.get(0).get("count").intValue()).isEqualTo(3);
      assertThat(groups.get(0).get("code").textValue()).isEqualTo("REFUSED");
      assertThat(groups.get(0).get("text").textValue()).isEqualTo("550 5.1.1 no such mailbox");
      assertThat(groups.get(1).get("outcome").textValue()).isEqualTo("INVALID");
    }
  }

  @Test
  void whatHappensIsToldAtOnceWithoutAnythingPersonal() {
    List<String> heard = new CopyOnWriteArrayList<>();
    CompletableFuture<?> lines;
    try (App app = App.forAdmins()) {
      lines =
          HttpClient.newHttpClient()
              .sendAsync(
                  app.request("/api/events").header("Accept", "text/event-stream").build(),
                  BodyHandlers.fromLineSubscriber(new Hearing(heard::add)));
      await().until(() -> heard.contains("event: hello"));

      app.mail().transport().answerNext(RecordingTransport::refuse);
      EmailId id = app.outbox().send(EMAIL).id();
      app.mail().process();

      String failed =
          "data: {\"type\":\"failed\",\"id\":\"%s\",\"code\":\"REFUSED\"}".formatted(id);
      await().until(() -> heard.contains(failed));
      assertThat(heard)
          .contains("data: {\"type\":\"accepted\",\"id\":\"%s\"}".formatted(id))
          .noneMatch(line -> line.contains("ada@"));
    }
    await().until(lines::isDone);
  }

  @Test
  void whoDoesNotWantEventsGetsNone() {
    try (App app = App.forAdmins()) {
      app.get("/api/events").problem(406, "not-acceptable");
    }
  }
}
