package dev.outbox.javalin;

import dev.outbox.Outbox;
import dev.outbox.OutboxBuilder;
import dev.outbox.email.EmailId;
import dev.outbox.testkit.TestOutbox;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An application with the plugin, and an outbox whose time is moved by hand. */
final class App implements AutoCloseable {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final @Nullable TestOutbox mail;
  private final Outbox outbox;
  private final Javalin server;

  private App(@Nullable TestOutbox mail, Outbox outbox, Consumer<OutboxPluginConfig> settings) {
    this.mail = mail;
    this.outbox = outbox;
    this.server =
        Javalin.create(
                config -> {
                  config.startup.showJavalinBanner = false;
                  config.registerPlugin(
                      new OutboxPlugin(outbox, p -> settings.accept(p.runsOutbox(false))));
                })
            .start("127.0.0.1", 0);
  }

  static App with(Consumer<OutboxPluginConfig> settings) {
    return with(builder -> builder, settings);
  }

  static App with(UnaryOperator<OutboxBuilder> outbox, Consumer<OutboxPluginConfig> settings) {
    TestOutbox mail = TestOutbox.with(outbox);
    return new App(mail, mail.outbox(), settings);
  }

  /** Makes an application around an outbox that the test closes by itself. */
  static App around(Outbox outbox) {
    return new App(null, outbox, p -> p.access(context -> AccessRole.ADMIN));
  }

  static App forAdmins() {
    return with(p -> p.access(context -> AccessRole.ADMIN));
  }

  Outbox outbox() {
    return outbox;
  }

  TestOutbox mail() {
    return Objects.requireNonNull(mail);
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  /** Begins a request to a path below the plugin's own. */
  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(uri("/outbox" + path));
  }

  Answer get(String path) {
    return ask(request(path));
  }

  /** Posts JSON. */
  Answer post(String path, String json) {
    return ask(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  /** Does what a button of the page does. */
  Answer act(String path) {
    return ask(request(path).header(CsrfCheck.ACTION, "1").POST(BodyPublishers.noBody()));
  }

  EmailId send(String json) {
    return EmailId.parse(post("/api/emails", json).json().get("id").textValue());
  }

  static Answer ask(HttpRequest.Builder request) {
    return Answer.to(CLIENT, request.build());
  }

  @Override
  public void close() {
    server.stop();
    if (mail != null) {
      mail.close();
    }
  }
}
