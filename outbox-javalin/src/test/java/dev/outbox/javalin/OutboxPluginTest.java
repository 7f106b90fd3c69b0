package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.monitoring.NodeStatus;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.RecordingTransport;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The plugin and the application it lives in. */
class OutboxPluginTest {

  private static final Consumer<OutboxPluginConfig> OPEN =
      p -> p.access(context -> AccessRole.ADMIN);

  @Test
  void theOutboxStartsAndStopsWithTheApplication() {
    Outbox outbox = sending();
    Javalin app = Javalin.create(config -> config.registerPlugin(new OutboxPlugin(outbox, OPEN)));
    assertThat(outbox.status()).isEqualTo(NodeStatus.STOPPED);

    app.start("127.0.0.1", 0);
    assertThat(outbox.status()).isEqualTo(NodeStatus.RUNNING);
    outbox.send(Email.to("ada@example.com").subject("s").text("x").build());
    Awaitility.await().until(() -> outbox.stats().sent() == 1);

    app.stop();
    assertThat(outbox.status()).isEqualTo(NodeStatus.STOPPED);
    assertThatThrownBy(outbox::start).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anOutboxThatTheHostRunsIsLeftAlone() {
    try (Outbox outbox = sending()) {
      Javalin app =
          Javalin.create(
              config -> config.registerPlugin(new OutboxPlugin(outbox, p -> p.runsOutbox(false))));
      app.start("127.0.0.1", 0);
      assertThat(outbox.status()).isEqualTo(NodeStatus.STOPPED);
      outbox.start();

      app.stop();

      assertThat(outbox.status()).isEqualTo(NodeStatus.RUNNING);
    }
  }

  @Test
  void handlersReachTheOutboxThroughTheApplication() {
    Outbox outbox = sending();
    Javalin app =
        Javalin.create(
            config -> {
              config.registerPlugin(new OutboxPlugin(outbox, OPEN));
              config.routes.get(
                  "/order",
                  context ->
                      context.result(
                          context
                              .appData(OutboxPlugin.OUTBOX)
                              .send(Email.to("ada@example.com").subject("s").text("x").build())
                              .id()
                              .toString()));
            });
    app.start("127.0.0.1", 0);
    try {
      String id = get(app, "/order").is(200).text();
      get(app, "/outbox/api/emails/" + id).is(200);
    } finally {
      app.stop();
    }
  }

  @Test
  void severalOutboxesLiveUnderPathsOfTheirOwn() {
    Outbox shop = sending();
    Outbox news = sending();
    Javalin app =
        Javalin.create(
            config -> {
              config.registerPlugin(
                  new OutboxPlugin(shop, OPEN.andThen(p -> p.path("/mail/shop"))));
              config.registerPlugin(
                  new OutboxPlugin(news, OPEN.andThen(p -> p.path("/mail/news"))));
              config.routes.get(
                  "/news",
                  context -> {
                    assertThat(context.appData(OutboxPlugin.key("/mail/news"))).isSameAs(news);
                    assertThat(context.appData(OutboxPlugin.OUTBOX)).isSameAs(shop);
                  });
            });
    app.start("127.0.0.1", 0);
    try {
      String id =
          news.send(Email.to("ada@example.com").subject("s").text("x").build()).id().toString();
      get(app, "/mail/news/api/emails/" + id).is(200);
      get(app, "/mail/shop/api/emails/" + id).is(404);
      get(app, "/news").is(200);
    } finally {
      app.stop();
    }
  }

  @Test
  void twoPluginsAtOnePathAreRefused() {
    assertThatThrownBy(
            () ->
                Javalin.create(
                    config -> {
                      config.registerPlugin(new OutboxPlugin(sending(), OPEN));
                      config.registerPlugin(new OutboxPlugin(sending(), OPEN));
                    }))
        .hasMessageContaining("path: another plugin is at /outbox");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "outbox", "/outbox/", "/{id}", "/a b", "/a//b", "/<x>"})
  void aPathThatCannotWorkIsRefused(String path) {
    assertThatThrownBy(() -> new OutboxPluginConfig().path(path))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("path: ");
  }

  @Test
  void settingsThatCannotWorkAreRefused() {
    OutboxPluginConfig settings = new OutboxPluginConfig();
    assertThatThrownBy(() -> settings.bodyLimit(0)).hasMessage("bodyLimit: must be positive, is 0");
    assertThatThrownBy(() -> settings.backlogAlarm(Duration.ZERO))
        .hasMessageStartingWith("backlogAlarm");
    assertThatThrownBy(() -> settings.eventStreamsPerCaller(0))
        .hasMessage("eventStreamsPerCaller: must be positive, is 0");
    assertThatThrownBy(() -> new DevelopmentInbox(0, address -> false))
        .hasMessageStartingWith("capacity");
  }

  @Test
  void thePageIsFoundWithAndWithoutItsSlash() {
    try (App app = App.forAdmins()) {
      Answer page = app.get("/").is(200);
      assertThat(page.header("Content-Type")).startsWith("text/html");
      assertThat(page.text())
          .contains("<title>Outbox</title>")
          .doesNotContain("http://", "https://");
      Answer bare = app.get("").is(308);
      assertThat(bare.header("Location")).isEqualTo("outbox/");
      app.get("/assets/page.js").is(200);
      app.get("/assets/page.css").is(200);
      app.get("/assets/icon.svg").is(200);
      app.get("/assets/openapi.json").is(404);
    }
  }

  private static Outbox sending() {
    return Outbox.builder(new InMemoryStore())
        .transport(new RecordingTransport())
        .defaultFrom("shop@example.com")
        .build();
  }

  private static Answer get(Javalin app, String path) {
    return App.ask(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.port() + path)));
  }
}
