package dev.outbox.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The browser of this machine, without a window; nothing is downloaded. */
final class Chromium implements AutoCloseable {

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");

  /** Its own sandbox does not work for root, as which builds in containers run. */
  private static final List<String> ARGUMENTS = List.of("--no-sandbox", "--disable-gpu");

  private final Playwright playwright;
  private final Browser browser;

  Chromium() {
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions().setExecutablePath(executable()).setArgs(ARGUMENTS));
  }

  Browser browser() {
    return browser;
  }

  /**
   * Starts another browser, with a profile in a folder. Windows of {@link #browser} are private
   * ones, in which Chromium does not preconnect.
   */
  BrowserContext withProfile(Path folder) {
    return playwright
        .chromium()
        .launchPersistentContext(
            folder,
            new BrowserType.LaunchPersistentContextOptions()
                .setExecutablePath(executable())
                .setArgs(ARGUMENTS)
                .setViewportSize(1280, 900));
  }

  private static Path executable() {
    return Stream.concat(
            Optional.ofNullable(System.getenv("OUTBOX_BROWSER")).map(Path::of).stream(), onPath())
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no browser: set OUTBOX_BROWSER, or install one of %s on the PATH"
                        .formatted(NAMES)));
  }

  private static Stream<Path> onPath() {
    return Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator), -1))
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)));
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
