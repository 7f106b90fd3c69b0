package dev.outbox.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.javalin.AccessRole;
import dev.outbox.javalin.DevelopmentInbox;
import dev.outbox.javalin.OutboxPlugin;
import dev.outbox.testkit.InMemoryStore;
import io.javalin.Javalin;
import org.junit.jupiter.api.Test;

/** What the page shows to somebody who may only look, and to somebody who may not. */
class ViewerTest {

  @Test
  void aViewerSeesNoAddressesNoContentAndNoButtons() {
    Outbox outbox = outbox();
    outbox.send(Email.to("Ada <ada@example.com>").subject("For ada@example.com").text("x").build());
    Javalin app = app(outbox, AccessRole.VIEWER);
    try (Chromium chromium = new Chromium();
        Screen screen = Screen.wide(chromium.browser())) {
      screen.open("http://127.0.0.1:" + app.port() + "/outbox/");
      screen.row("a***@example.com").click();

      assertThat(screen.page().locator("#detail .facts")).containsText("a***@example.com");
      assertThat(screen.page().locator("#detail .content")).containsText("hides addresses");
      assertThat(screen.page().locator("#detail button[data-act]")).hasCount(0);
      assertThat(screen.page().content()).doesNotContain("ada@example.com");
      screen.isContent();
    } finally {
      app.stop();
    }
  }

  @Test
  void aSearchForAnAddressNeedsMoreRightsThanAViewerHas() {
    Outbox outbox = outbox();
    outbox.send(Email.to("ada@example.com").subject("s").text("x").tag("orders").build());
    Javalin app = app(outbox, AccessRole.VIEWER);
    try (Chromium chromium = new Chromium();
        Screen screen = Screen.wide(chromium.browser())) {
      screen.open("http://127.0.0.1:" + app.port() + "/outbox/");
      assertThat(screen.row("")).hasCount(1);
      assertThat(screen.page().locator("#query")).hasAttribute("placeholder", "Id or tag:name");

      screen.page().locator("#query").fill("ada@example.com");
      screen.page().keyboard().press("Enter");

      assertThat(screen.page().locator("#rejected"))
          .containsText("recipient: a search by this needs the right to see addresses");
      assertThat(screen.row("")).hasCount(0);
      screen.fits();

      screen.page().locator("#query").fill("tag:orders");
      screen.page().keyboard().press("Enter");
      assertThat(screen.row("")).hasCount(1);
      assertThat(screen.page().locator("#rejected")).isHidden();
    } finally {
      app.stop();
    }
  }

  @Test
  void withoutARuleThereIsNoPage() {
    Javalin app = app(outbox(), AccessRole.DENIED);
    try (Chromium chromium = new Chromium();
        Screen screen = Screen.wide(chromium.browser())) {
      screen.open("http://127.0.0.1:" + app.port() + "/outbox/");

      assertThat(screen.page().content()).contains("urn:outbox:forbidden").doesNotContain("<nav");
    } finally {
      app.stop();
    }
  }

  private static Outbox outbox() {
    return Outbox.builder(new InMemoryStore())
        .transport(new DevelopmentInbox(10, address -> true))
        .defaultFrom("shop@example.com")
        .build();
  }

  private static Javalin app(Outbox outbox, AccessRole access) {
    return Javalin.create(
            config -> config.registerPlugin(new OutboxPlugin(outbox, p -> p.access(ctx -> access))))
        .start("127.0.0.1", 0);
  }
}
