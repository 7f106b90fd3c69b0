package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Previews in a JVM with 256 MB, in which an OutOfMemoryError ends the process. */
@Timeout(120)
class SmallHeapPreviewTest {

  private static final String HTML = "<p>Hello</p>" + "<img src='cid:logo'>".repeat(50_000);

  private final HttpClient client = HttpClient.newHttpClient();

  /** 50,000 uses of 10 KB are 680 MB of html, and of 4 MB more than a text can have. */
  @ParameterizedTest
  @ValueSource(ints = {10_000, 4_000_000})
  void aPreviewThatRepeatsAnImageThousandsOfTimesNeedsLittleMemory(int image) throws Exception {
    try (SmallHeapServer server = SmallHeapServer.start()) {
      String tomorrow = Instant.now().plus(Duration.ofDays(1)).toString();
      String id = send(server, image, ", \"sendAt\": \"" + tomorrow + "\"");
      send(server, image, "");
      await().until(() -> server.get("/api/inbox/1").status() == 200);

      List<Long> sizes = sizes(server, "/api/emails/" + id + "/html");
      sizes.addAll(sizes(server, "/api/inbox/1/html"));

      long stored = (long) HTML.length() + image;
      assertThat(sizes)
          .hasSize(8)
          .allSatisfy(size -> assertThat(size).isBetween(stored, 4 * stored + (5 << 20)));
      assertThat(server.isAlive()).as(server.said()).isTrue();
      assertThat(server.liveBytes()).isLessThan(100L << 20);
      server.get("/api/health").is(200);
    }
  }

  /** Asks for a preview four times at once, and returns how many bytes each answer has. */
  private List<Long> sizes(SmallHeapServer server, String path) throws Exception {
    ExecutorService callers = Executors.newFixedThreadPool(4);
    try {
      Callable<Long> preview = () -> size(server, path);
      List<Long> sizes = new ArrayList<>();
      for (Future<Long> each : callers.invokeAll(Collections.nCopies(4, preview))) {
        sizes.add(each.get());
      }
      return sizes;
    } finally {
      callers.shutdownNow();
    }
  }

  private long size(SmallHeapServer server, String path) throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        client.send(server.request(path).build(), BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      assertThat(response.statusCode()).isEqualTo(200);
      return body.transferTo(OutputStream.nullOutputStream());
    }
  }

  private static String send(SmallHeapServer server, int image, String more) {
    String json =
        """
        {"to": "ada@example.com", "subject": "s", "html": "%s", "attachments": [{
          "fileName": "logo.png", "contentType": "image/png", "contentId": "logo",
          "content": "%s"}]%s}"""
            .formatted(HTML, Base64.getEncoder().encodeToString(new byte[image]), more);
    return server.post("/api/emails", json).is(201).json().get("id").textValue();
  }
}
