package dev.outbox.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.examples.ShopDemo;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the page looks: light, dark and narrow. The documentation shows these pictures. */
class PicturesTest {

  @TempDir static Path folder;
  private static Chromium chromium;
  private static ShopDemo shop;

  @BeforeAll
  static void aBusyDay() {
    chromium = new Chromium();
    shop = ShopDemo.start(folder.resolve("outbox"), 0);
    Customers.order(chromium.browser(), shop, "Ada Lovelace", "ada@example.com");
    Customers.order(chromium.browser(), shop, "Grace Hopper", "grace@example.org");
    Customers.order(chromium.browser(), shop, "Katherine Johnson", "katherine@full.example");
    Customers.post(shop, "{\"to\": \"alan@example.net\", \"template\": \"order-placed\"}");
    Customers.order(chromium.browser(), shop, "Barbara Liskov", "barbara@full.example");
    Customers.order(chromium.browser(), shop, "Edsger Dijkstra", "edsger@example.com");
  }

  @AfterAll
  static void closingTime() {
    shop.close();
    chromium.close();
  }

  @Test
  void theDashboard() {
    try (Screen screen = Screen.wide(chromium.browser())) {
      screen.open(outbox());
      screen.row("edsger@example.com").last().click();
      assertThat(screen.page().frameLocator("iframe.html").locator("body")).containsText("Hello");
      screen.picture("dashboard");
      screen.isContent();
    }
  }

  @Test
  void theDashboardInTheDark() {
    try (Screen screen = Screen.dark(chromium.browser())) {
      screen.open(outbox());
      screen.row("katherine@full.example").last().click();
      assertThat(screen.page().locator("#detail .reason")).isVisible();
      assertThat(screen.page().locator("#figures")).isVisible();
      assertThat(luminance(screen, "body", "backgroundColor")).isLessThan(60);
      assertThat(luminance(screen, "#detail h2", "color")).isGreaterThan(200);
      screen.picture("dashboard-dark");
      screen.isContent();
    }
  }

  @Test
  void theDashboardByDayIsLight() {
    try (Screen screen = Screen.wide(chromium.browser())) {
      screen.open(outbox());
      assertThat(screen.row("").first()).isVisible();
      assertThat(luminance(screen, "body", "backgroundColor")).isGreaterThan(230);
    }
  }

  @Test
  void theFailures() {
    try (Screen screen = Screen.wide(chromium.browser())) {
      screen.open(outbox() + "#/failures");
      assertThat(screen.page().locator(".groups li")).hasCount(2);
      screen.picture("failures");
      screen.isContent();
    }
  }

  @Test
  void theInbox() {
    try (Screen screen = Screen.wide(chromium.browser())) {
      screen.open(outbox() + "#/inbox");
      screen.row("ada@example.com").click();
      assertThat(screen.page().frameLocator("#letter iframe.html").locator("body"))
          .containsText("Hello Ada Lovelace");
      screen.picture("inbox");
      screen.isContent();
    }
  }

  @Test
  void aPhone() {
    try (Screen screen = Screen.narrow(chromium.browser())) {
      screen.open(outbox());
      assertThat(screen.row("").first()).isVisible();
      screen.picture("phone-list");

      screen.row("grace@example.org").last().click();
      assertThat(screen.page().frameLocator("iframe.html").locator("body")).containsText("Hello");
      assertThat(screen.page().locator("#rows")).isHidden();
      screen.wholePicture("phone-email");
      screen.page().getByText("‹ Back").click();
      assertThat(screen.page().locator("#rows")).isVisible();

      screen.open(outbox() + "#/failures");
      assertThat(screen.page().locator(".groups li")).hasCount(2);
      screen.fits();
      screen.open(outbox() + "#/inbox");
      screen.row("ada@example.com").click();
      screen.page().locator("#letter iframe.html").waitFor();
      screen.fits();
      screen.isContent();
    }
  }

  private static int luminance(Screen screen, String selector, String property) {
    Object sum =
        screen
            .page()
            .evaluate(
                "([s, p]) => getComputedStyle(document.querySelector(s))[p].match(/\\d+/g)"
                    + ".slice(0, 3).reduce((sum, each) => sum + Number(each), 0)",
                new String[] {selector, property});
    return ((Number) sum).intValue() / 3;
  }

  private static String outbox() {
    return shop.address() + "outbox/";
  }
}
