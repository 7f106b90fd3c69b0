package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.email.Email;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** How many event streams may be open, for one caller and for all. */
class EventStreamsTest {

  private static final Email EMAIL = Email.to("ada@example.com").subject("s").text("x").build();
  private static final Consumer<OutboxPluginConfig> NAMED =
      p -> p.caller(context -> context.header("User")).access(context -> AccessRole.VIEWER);

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void oneCallerCannotTakeTheStreamsOfOthers() {
    try (App app = App.with(NAMED)) {
      for (int i = 0; i < 10; i++) {
        open(app, "alice").started();
      }

      Answer refused = App.ask(request(app, "alice"));

      refused.problem(429, "too-many-streams");
      assertThat(refused.header("Retry-After")).isEqualTo("5");
      assertThat(refused.text()).doesNotContain("alice");
      open(app, "bob").started();
    }
  }

  @Test
  void aClosedStreamMakesRoomForTheNextOne() {
    try (App app = App.with(NAMED.andThen(p -> p.eventStreamsPerCaller(2)))) {
      Stream first = open(app, "alice").started();
      open(app, "alice").started();
      App.ask(request(app, "alice")).problem(429, "too-many-streams");

      first.call().cancel(true);

      await()
          .until(
              () -> {
                app.outbox().send(EMAIL); // the server notices a closed stream when it writes
                return open(app, "alice").isTaken();
              });
      App.ask(request(app, "alice")).problem(429, "too-many-streams");
    }
  }

  @Test
  void aCallerWithoutAnIdentityIsItsAddress() {
    try (App app = App.with(NAMED.andThen(p -> p.eventStreamsPerCaller(2)))) {
      open(app, "").started();
      open(app, "").started();

      App.ask(request(app, "")).problem(429, "too-many-streams");
      open(app, "127.0.0.1").started(); // a name that looks like an address is another caller
    }
  }

  @Test
  void allCallersTogetherHaveALimitToo() {
    try (App app = App.with(NAMED)) {
      for (int i = 0; i < 100; i++) {
        open(app, "caller " + i).started();
      }

      Answer refused = App.ask(request(app, "one more"));

      refused.problem(503, "unavailable");
      assertThat(refused.header("Retry-After")).isEqualTo("5");
    }
  }

  @Test
  void headAnswersAtOnceAndTakesNoStream() {
    try (App app = App.with(NAMED.andThen(p -> p.eventStreamsPerCaller(1)))) {
      for (int i = 0; i < 3; i++) {
        Answer head =
            App.ask(request(app, "alice").method("HEAD", BodyPublishers.noBody())).is(200);
        assertThat(head.header("Content-Type")).startsWith("text/event-stream");
        assertThat(head.text()).isEmpty();
      }
      open(app, "alice").started();

      App.ask(request(app, "alice").method("HEAD", BodyPublishers.noBody())).is(200);
    }
  }

  @Test
  void aStreamThatEndsTwiceIsCountedOnce() {
    EventStreamLimit limit = new EventStreamLimit(3, 2);
    Runnable end = limit.open("alice");
    limit.open("alice");

    end.run();
    end.run();

    limit.open("alice");
    assertThatThrownBy(() -> limit.open("alice")).isInstanceOf(ProblemException.class);
    limit.open("bob");
    assertThatThrownBy(() -> limit.open("bob")).isInstanceOf(ProblemException.class);
  }

  private static HttpRequest.Builder request(App app, String user) {
    HttpRequest.Builder request = app.request("/api/events").header("Accept", "text/event-stream");
    return user.isEmpty() ? request : request.header("User", user);
  }

  private Stream open(App app, String user) {
    List<String> lines = new CopyOnWriteArrayList<>();
    return new Stream(
        client.sendAsync(
            request(app, user).build(), BodyHandlers.fromLineSubscriber(new Hearing(lines::add))),
        lines);
  }

  /** A call for events, and the lines that came so far. */
  private record Stream(CompletableFuture<?> call, List<String> lines) {

    Stream started() {
      await().until(() -> lines.contains("event: hello"));
      return this;
    }

    /** Returns whether the server took the call; the answer of a refused one has an end. */
    boolean isTaken() {
      await().until(() -> lines.contains("event: hello") || call.isDone());
      return lines.contains("event: hello");
    }
  }
}
