package dev.outbox.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import dev.outbox.examples.ShopDemo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Those who make the shop send emails. */
final class Customers {

  private Customers() {}

  /** Orders a notebook as people do, in a window of their own. */
  static void order(Browser browser, ShopDemo shop, String name, String email) {
    try (Page page = browser.newPage()) {
      page.navigate(shop.address());
      page.fill("[name=customer]", name);
      page.fill("[name=email]", email);
      page.click("button");
      assertThat(page.locator(".done")).containsText("is placed");
    }
  }

  /** Sends an email over the API; returns its id. */
  static String post(ShopDemo shop, String json) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(shop.address() + "outbox/api/emails"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json))
            .build();
    try {
      HttpResponse<String> response =
          HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
      if (response.statusCode() != 201) {
        throw new IllegalStateException(response.body());
      }
      return response.body().replaceAll(".*\"id\":\"([^\"]+)\".*", "$1");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
