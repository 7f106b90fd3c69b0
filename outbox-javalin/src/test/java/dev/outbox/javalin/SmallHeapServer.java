package dev.outbox.javalin;

import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testsupport.ChildJvm;
import io.javalin.Javalin;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An application with the plugin in a JVM of its own whose heap has 256 MB. Everybody is an
 * administrator, the store is in memory, and a {@link DevelopmentInbox} keeps what is sent. The JVM
 * ends at the first {@link OutOfMemoryError}, whichever thread it happens in.
 */
final class SmallHeapServer implements AutoCloseable {

  private static final Pattern PORT = Pattern.compile("port (\\d+)\\R");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HttpClient client = HttpClient.newHttpClient();
  private final ChildJvm process;
  private final int port;

  private SmallHeapServer(ChildJvm process) {
    this.process = process;
    this.port = awaitPort();
  }

  static SmallHeapServer start() {
    return new SmallHeapServer(
        ChildJvm.start(List.of("-Xmx256m", "-XX:+ExitOnOutOfMemoryError"), SmallHeapServer.class));
  }

  private int awaitPort() {
    await().atMost(PATIENCE).until(() -> !process.isAlive() || PORT.matcher(said()).find());
    Matcher found = PORT.matcher(said());
    if (!found.find()) {
      throw new AssertionError("the server did not start: " + said());
    }
    return Integer.parseInt(found.group(1));
  }

  int port() {
    return port;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns what the JVM has printed. */
  String said() {
    return process.said();
  }

  /** Begins a request to a path below the plugin's own. */
  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/outbox" + path));
  }

  Answer get(String path) {
    return Answer.to(client, request(path).build(), PATIENCE);
  }

  /** Posts JSON that the server reads to its end; an answer before that needs a socket. */
  Answer post(String path, String json) {
    return Answer.to(
        client,
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json))
            .build(),
        PATIENCE);
  }

  /** Returns how many bytes of the server's heap are in use after a garbage collection. */
  long liveBytes() {
    URI heap = URI.create("http://127.0.0.1:" + port + "/heap");
    HttpRequest request = HttpRequest.newBuilder(heap).build();
    return Long.parseLong(Answer.to(client, request, PATIENCE).is(200).text());
  }

  @Override
  public void close() {
    process.close();
  }

  /** Runs the server until the process that started it ends. */
  public static void main(String[] args) throws IOException {
    DevelopmentInbox inbox = new DevelopmentInbox();
    Outbox outbox =
        Outbox.builder(new InMemoryStore())
            .transport(inbox)
            .defaultFrom("shop@example.com")
            .build();
    Javalin server =
        Javalin.create(
                config -> {
                  config.startup.showJavalinBanner = false;
                  config.routes.get("/heap", context -> context.result(Long.toString(live())));
                  config.registerPlugin(
                      new OutboxPlugin(
                          outbox, p -> p.inbox(inbox).access(context -> AccessRole.ADMIN)));
                })
            .start("127.0.0.1", 0);
    System.out.println("port " + server.port());
    while (System.in.read() >= 0) {
      // The input ends together with the process that started this one.
    }
    server.stop();
  }

  private static long live() {
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }
}
