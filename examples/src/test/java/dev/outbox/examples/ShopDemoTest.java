package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShopDemoTest {

  private static final String ORDER = "customer=Ada&email=ada@example.com&item=pen&quantity=2";

  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir Path folder;
  private ShopDemo shop;

  @BeforeEach
  void open() {
    shop = ShopDemo.start(folder.resolve("outbox"), 0);
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void anOrderSendsAnEmailAndPlansAnother() throws Exception {
    HttpResponse<String> ordered = order(ORDER);

    assertThat(ordered.statusCode()).isEqualTo(302);
    String page = get(ordered.headers().firstValue("Location").orElseThrow().substring(1));
    assertThat(page).contains("Order 1001 is placed", "outbox/#/emails/");
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> get("outbox/api/inbox?to=ada@example.com").contains("\"total\":1"));
    assertThat(get("outbox/api/inbox/1")).contains("68.00 EUR");
    assertThat(get("outbox/api/emails?state=ACCEPTED&tag=reviews")).contains("order-review");
  }

  @Test
  void theSampleEmailsAreSentRefusedInvalidAndScheduledOnce() throws Exception {
    shop.withSampleEmails();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              assertThat(countOf("outbox/api/emails?state=SENT")).isEqualTo(2);
              assertThat(countOf("outbox/api/emails?state=FAILED&code=REFUSED")).isEqualTo(1);
              assertThat(countOf("outbox/api/invalid")).isEqualTo(1);
              assertThat(countOf("outbox/api/emails?state=ACCEPTED&tag=reviews")).isEqualTo(3);
            });

    shop.withSampleEmails();
    assertThat(countOf("outbox/api/emails")).isEqualTo(7);
  }

  @Test
  void whatTheShopDoesNotHaveIsRefused() throws Exception {
    assertThat(order("customer=Ada&email=ada@example.com&item=car&quantity=1").statusCode())
        .isEqualTo(400);
    assertThat(order("customer=Ada&email=nobody&item=pen&quantity=1").body()).startsWith("to[0]:");
    assertThat(order("item=pen").statusCode()).isEqualTo(400);
  }

  @Test
  void nobodyCanWriteIntoTheShopsPage() throws Exception {
    assertThat(get("?order=%3Cscript%3E&email=%3Cscript%3E")).doesNotContain("<script>", "placed");
  }

  /** A name of another site that leads to 127.0.0.1 is what DNS rebinding uses. */
  @Test
  void aForeignHostGetsNeitherTheShopNorItsEmails() throws Exception {
    for (String path :
        new String[] {"", "orders", "outbox/", "outbox/api/emails", "outbox/api/inbox"}) {
      for (String host :
          new String[] {"evil.example", "127.0.0.1.evil.example", "evil.localhost"}) {
        assertThat(firstLine("GET /" + path, host)).as(path + " " + host).contains(" 421 ");
        assertThat(firstLine("POST /" + path, host)).as(path + " " + host).doesNotContain(" 20");
      }
    }
    assertThat(firstLine("POST /orders", "evil.example")).contains(" 421 ");
    assertThat(countOf("outbox/api/emails")).isZero();
    for (String host : new String[] {"localhost", "LOCALHOST:7070", "127.0.0.1"}) {
      assertThat(firstLine("GET /", host)).contains(" 200 ");
      assertThat(firstLine("GET /outbox/api/emails", host)).contains(" 200 ");
    }
  }

  @Test
  void aGetIsNoOrder() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(shop.address() + "orders"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("X-HTTP-Method-Override", "POST")
            .method("GET", BodyPublishers.ofString(ORDER))
            .build();

    assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(400);
    assertThat(countOf("outbox/api/emails")).isZero();
  }

  /** Returns the status line; Java's HTTP client does not let us choose the host. */
  private String firstLine(String methodAndPath, String host) throws IOException {
    try (Socket socket =
            new Socket(InetAddress.getLoopbackAddress(), URI.create(shop.address()).getPort());
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      String request =
          """
          %s HTTP/1.1
          Host: %s
          Connection: close
          Content-Type: application/x-www-form-urlencoded
          Content-Length: %d

          %s"""
              .formatted(methodAndPath, host, ORDER.length(), ORDER)
              .replace("\n", "\r\n");
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return String.valueOf(lines.readLine());
    }
  }

  private int countOf(String path) throws IOException, InterruptedException {
    return get(path).split("\"id\":", -1).length - 1;
  }

  private HttpResponse<String> order(String form) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(shop.address() + "orders"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build(),
        BodyHandlers.ofString());
  }

  private String get(String path) throws IOException, InterruptedException {
    return client
        .send(
            HttpRequest.newBuilder(URI.create(shop.address() + path)).build(),
            BodyHandlers.ofString())
        .body();
  }
}
