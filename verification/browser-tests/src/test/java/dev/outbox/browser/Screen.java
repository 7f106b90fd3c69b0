package dev.outbox.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** One window with the page in it, which notes all that the page complains about. */
final class Screen implements AutoCloseable {

  private final BrowserContext context;
  private final Page page;
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  private Screen(Browser browser, int width, int height, ColorScheme colours) {
    this(
        browser.newContext(
            new Browser.NewContextOptions()
                .setViewportSize(width, height)
                .setLocale("en-GB")
                .setTimezoneId("UTC")
                .setColorScheme(colours)));
  }

  /** Opens a window in a browser, which is closed together with it. */
  Screen(BrowserContext context) {
    this.context = context;
    context.setDefaultTimeout(15_000);
    page = context.newPage();
    page.onPageError(complaints::add);
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error")) {
            complaints.add(message.text());
          }
        });
  }

  static Screen wide(Browser browser) {
    return new Screen(browser, 1280, 900, ColorScheme.LIGHT);
  }

  static Screen dark(Browser browser) {
    return new Screen(browser, 1280, 900, ColorScheme.DARK);
  }

  static Screen narrow(Browser browser) {
    return new Screen(browser, 360, 740, ColorScheme.LIGHT);
  }

  Page page() {
    return page;
  }

  Screen open(String address) {
    page.navigate(address);
    return this;
  }

  Locator row(String text) {
    return page.locator("section:not([hidden]) .row", new Page.LocatorOptions().setHasText(text));
  }

  /** Takes a picture of what is seen, once nothing moves any more. */
  void picture(String name) {
    picture(name, false);
  }

  /** Takes a picture of the whole page, also of what one has to scroll to. */
  void wholePicture(String name) {
    picture(name, true);
  }

  private void picture(String name, boolean whole) {
    if (whole) {
      // frames are painted only where they can be seen
      Number height = (Number) page.evaluate("document.documentElement.scrollHeight");
      page.setViewportSize(page.viewportSize().width, height.intValue());
    }
    page.waitForFunction("document.getAnimations().every(each => each.playState === 'finished')");
    fits();
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(Path.of(System.getProperty("outbox.screenshots"), name + ".png")));
  }

  /** Checks that nothing is wider than the window, and that no text is cut off without dots. */
  void fits() {
    assertThat(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))
        .as("what sticks out to the right")
        .isEqualTo(0);
    assertThat(
            page.evaluate(
                """
                [...document.querySelectorAll("body *")]
                  .filter(e => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1)
                  .filter(e => !["ellipsis"].includes(getComputedStyle(e).textOverflow))
                  .filter(e => !["auto", "scroll"].includes(getComputedStyle(e).overflowX))
                  .filter(e => e.tagName !== "INPUT" && e.tagName !== "SELECT")
                  .map(e => e.tagName + "." + e.className)"""))
        .as("what is cut off")
        .isEqualTo(List.of());
  }

  /**
   * Checks that the page had nothing to complain about: no error, nothing that its policy stops.
   */
  void isContent() {
    assertThat(complaints).isEmpty();
  }

  @Override
  public void close() {
    context.close();
  }
}
