package dev.outbox.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import dev.outbox.examples.ShopDemo;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people do with the page, done with a real browser on the shop of the examples. */
class DashboardTest {

  private static Chromium chromium;

  @TempDir Path folder;
  private ShopDemo shop;
  private Screen screen;

  @BeforeAll
  static void launch() {
    chromium = new Chromium();
  }

  @AfterAll
  static void quit() {
    chromium.close();
  }

  @BeforeEach
  void openTheShop() {
    shop = ShopDemo.start(folder.resolve("outbox"), 0);
    screen = Screen.wide(chromium.browser());
  }

  @AfterEach
  void closeTheShop() {
    screen.close();
    shop.close();
  }

  @Test
  void anOrderIsSeenArrivingWithoutAReload() {
    screen.open(outbox());
    assertThat(screen.page().locator("#empty")).containsText("No email has been stored yet");
    screen.fits();

    Customers.order(chromium.browser(), shop, "Ada Lovelace", "ada@example.com");

    assertThat(screen.row("ada@example.com").first()).isVisible();
    assertThat(screen.row("Your order 1001 at Paper & Ink")).containsText("SENT");
    assertThat(screen.row("ACCEPTED")).hasCount(1);
    assertThat(screen.page().locator(".tile", tile("Sent here"))).containsText("1");
    assertThat(screen.page().locator(".tile", tile("Accepted"))).containsText("1");
    assertThat(screen.page().locator("#activity")).hasText("Running");
    screen.isContent();
  }

  @Test
  void theTimelineTellsEveryStep() {
    Customers.order(chromium.browser(), shop, "Ada Lovelace", "ada@example.com");
    screen.open(outbox());

    screen.row("SENT").click();

    Locator steps = screen.page().locator("ol.timeline li b");
    assertThat(steps).hasText(new String[] {"ACCEPTED", "INTAKING", "PROCESSING", "SENT"});
    assertThat(screen.page().locator("#detail .said").first()).containsText("250 2.0.0");
    assertThat(screen.page().frameLocator("iframe.html").locator("body"))
        .containsText("Hello Ada Lovelace");
    screen.page().getByRole(AriaRole.TAB, name("Text")).click();
    assertThat(screen.page().locator(".content pre")).containsText("In all: 12.50 EUR");
    screen.page().getByRole(AriaRole.TAB, name("Headers")).click();
    assertThat(screen.page().locator(".content .facts")).containsText("Message-ID");
    screen.page().getByRole(AriaRole.TAB, name("Raw")).click();
    assertThat(screen.page().locator(".content pre")).containsText("multipart/alternative");
    screen.isContent();
  }

  @Test
  void aHostileEmailNeitherRunsNorLoadsAnything() {
    try (Trap trap = new Trap()) {
      String id = Customers.post(shop, trap.email());

      screen.open(outbox() + "#/emails/" + id);
      assertThat(screen.page().frameLocator("iframe.html").locator("#words"))
          .hasText("Hello from a stranger");
      assertThat(screen.page().locator("iframe.html")).hasAttribute("sandbox", "");
      screen.page().waitForTimeout(500);
      assertThat(screen.page().title()).isEqualTo("Outbox");

      screen.open(shop.address() + "outbox/api/emails/" + id + "/html");
      assertThat(screen.page().locator("#words")).hasText("Hello from a stranger");
      screen.page().waitForTimeout(500);
      assertThat(screen.page().title()).isNotEqualTo("caught");
      assertThat(trap.visited()).isEmpty();

      // the trap does work where nobody looks after the visitor
      screen.open(trap.unguarded());
      screen
          .page()
          .waitForCondition(
              () ->
                  trap.visited()
                      .containsAll(List.of("/open.png", "/style.css", "/script", "/error")));
    }
  }

  @Test
  void aFailedEmailIsRequeuedAfterAQuestion() {
    screen.open(outbox());
    Customers.order(chromium.browser(), shop, "Bob", "bob@full.example");
    assertThat(screen.page().locator(".tile", tile("Failed"))).containsText("1");

    screen.page().locator(".tile", tile("Failed")).click();
    screen.row("FAILED").click();
    assertThat(screen.page().locator("#detail .reason")).containsText("REFUSED");

    screen.page().getByRole(AriaRole.BUTTON, name("Requeue")).click();
    assertThat(screen.page().locator("#confirm")).containsText("bob@full.example");
    screen.page().getByText("Leave it").click();
    assertThat(screen.page().locator("#detail header .badge")).hasText("FAILED");

    screen.page().getByRole(AriaRole.BUTTON, name("Requeue")).click();
    screen.page().locator("#confirm-yes").click();

    assertThat(screen.page().locator("#detail header .badge")).hasText("SENT");
    assertThat(screen.page().locator("ol.timeline")).containsText("generation 1");
    assertThat(screen.page().locator("#empty")).containsText("No email fits");
    screen.isContent();
  }

  @Test
  void aPlannedEmailIsCancelled() {
    Customers.order(chromium.browser(), shop, "Ada Lovelace", "ada@example.com");
    screen.open(outbox());

    screen.row("ACCEPTED").click();
    assertThat(screen.page().locator("#detail .facts")).containsText("Next try");
    screen.page().getByRole(AriaRole.BUTTON, name("Cancel")).click();
    screen.page().locator("#confirm-yes").click();

    assertThat(screen.page().locator("#detail header .badge")).hasText("FAILED");
    assertThat(screen.page().locator("#detail .reason")).containsText("CANCELLED");
    assertThat(screen.page().locator("#toast")).hasText("Cancelled");
    screen.isContent();
  }

  @Test
  void whatIsLookedForIsFound() {
    Customers.order(chromium.browser(), shop, "Ada Lovelace", "ada@example.com");
    Customers.order(chromium.browser(), shop, "Grace Hopper", "grace@example.org");
    screen.open(outbox());
    assertThat(screen.row("")).hasCount(4);

    search("grace@example.org");
    assertThat(screen.row("")).hasCount(2);
    assertThat(screen.row("ada@example.com")).hasCount(0);

    search("tag:reviews ada@example.com");
    assertThat(screen.row("")).hasCount(1);

    search("template:order-placed");
    assertThat(screen.row("")).hasCount(2);

    search("nobody@example.com");
    assertThat(screen.page().locator("#empty")).containsText("No email fits");
  }

  @Test
  void aRejectedSearchShowsNoRowsAndKeepsItsMessageUntilTheNextSearch() {
    Customers.order(chromium.browser(), shop, "Ada Lovelace", "ada@example.com");
    screen.open(outbox());
    assertThat(screen.row("")).hasCount(2);
    Locator message = screen.page().locator("#rejected");
    assertThat(message).isHidden();

    search("nonsense");
    assertThat(message).containsText("recipient: not a usable address");
    assertThat(screen.row("")).hasCount(0);
    assertThat(screen.page().locator("#empty")).isHidden();

    // the page asks for the figures and the list again, by itself
    Customers.order(chromium.browser(), shop, "Grace Hopper", "grace@example.org");
    assertThat(screen.page().locator(".tile", tile("Sent here"))).containsText("2");
    assertThat(message).containsText("recipient: not a usable address");
    assertThat(screen.row("")).hasCount(0);
    screen.fits();

    search("ada@example.com");
    assertThat(screen.row("")).hasCount(2);
    assertThat(message).isHidden();
  }

  @Test
  void aSearchThatFailsDoesNotShowTheRowsOfTheSearchBefore() {
    Customers.order(chromium.browser(), shop, "Ada Lovelace", "ada@example.com");
    screen.open(outbox());
    assertThat(screen.row("")).hasCount(2);
    screen
        .page()
        .route(
            url -> url.contains("/api/emails?"),
            route -> route.fulfill(new Route.FulfillOptions().setStatus(503)));

    search("grace@example.org");
    assertThat(screen.row("")).hasCount(0);
    assertThat(screen.page().locator("#rejected")).isHidden();
    assertThat(screen.page().locator("#empty")).isHidden();
  }

  @Test
  void failuresStandTogetherAndAreRequeuedTogether() {
    Customers.order(chromium.browser(), shop, "Bob", "bob@full.example");
    Customers.order(chromium.browser(), shop, "Carol", "carol@full.example");
    screen.open(outbox() + "#/failures");

    assertThat(screen.page().locator(".groups li")).hasCount(1);
    assertThat(screen.page().locator(".groups .count")).hasText("2");
    assertThat(screen.page().locator(".groups .words")).containsText("550 5.1.1");

    screen.page().getByText("Requeue all that failed").click();
    screen.page().locator("#confirm-yes").click();

    assertThat(screen.page().locator("#toast")).hasText("2 emails requeued");
    assertThat(screen.page().locator(".groups")).hasText("Nothing has failed.");
    screen.isContent();
  }

  @Test
  void theInboxIsAMailbox() {
    screen.open(outbox() + "#/inbox");
    assertThat(screen.page().locator("#inbox-empty")).hasText("Nothing has been caught yet.");
    Customers.order(chromium.browser(), shop, "Ada Lovelace", "ada@example.com");
    Customers.order(chromium.browser(), shop, "Grace Hopper", "grace@example.org");
    assertThat(screen.row("")).hasCount(2);

    screen.page().locator("#inbox-query").fill("hopper");
    assertThat(screen.row("")).hasCount(1);
    screen.row("grace@example.org").click();
    assertThat(screen.page().frameLocator("#letter iframe.html").locator("body"))
        .containsText("Hello Grace Hopper");

    screen.page().getByText("Clear all").first().click();
    screen.page().locator("#confirm-yes").click();
    assertThat(screen.page().locator("#inbox-empty")).isVisible();
    screen.isContent();
  }

  @Test
  void everythingCanBeReachedByKeyboard() {
    Customers.order(chromium.browser(), shop, "Ada Lovelace", "ada@example.com");
    screen.open(outbox());
    assertThat(screen.row("")).hasCount(2);
    Page page = screen.page();

    page.keyboard().press("/");
    assertThat(page.locator("#query")).isFocused();
    page.keyboard().type("ada@example.com");
    page.keyboard().press("Enter");
    page.keyboard().press("Tab"); // since
    page.keyboard().press("Tab"); // the button
    page.keyboard().press("Tab");
    assertThat(page.locator("#rows .row").first()).isFocused();
    page.keyboard().press("ArrowDown");
    assertThat(page.locator("#rows .row").nth(1)).isFocused();
    page.keyboard().press("Enter");
    assertThat(page.locator("ol.timeline")).containsText("SENT");
    page.keyboard().press("Escape");
    assertThat(page.locator("#detail .hint")).isVisible();
  }

  @Test
  void aServerThatIsGoneIsTold() {
    screen.open(outbox());
    assertThat(screen.page().locator("#activity")).hasText("Running");

    screen.page().context().setOffline(true);
    shop.close();

    assertThat(screen.page().locator("#activity")).hasText("Reconnecting");
    assertThat(screen.page().locator("#trouble")).containsText("cannot be reached");
    screen.fits();
  }

  private void search(String text) {
    screen.page().locator("#query").fill(text);
    screen.page().keyboard().press("Enter");
  }

  private String outbox() {
    return shop.address() + "outbox/";
  }

  private static Page.LocatorOptions tile(String label) {
    return new Page.LocatorOptions().setHasText(label);
  }

  private static Page.GetByRoleOptions name(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }
}
