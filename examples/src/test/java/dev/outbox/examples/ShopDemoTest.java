package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShopDemoTest {

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
    HttpResponse<String> ordered = order("customer=Ada&email=ada@example.com&item=pen&quantity=2");

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
