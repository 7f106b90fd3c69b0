package dev.outbox.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.sun.net.httpserver.HttpServer;
import dev.outbox.examples.ShopDemo;
import java.awt.Color;
import java.awt.Graphics;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The preview of an email in a real browser: it shows its images and opens no connection. */
class PreviewTest {

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
    screen = new Screen(chromium.withProfile(folder.resolve("profile")));
  }

  @AfterEach
  void closeTheShop() {
    screen.close();
    shop.close();
  }

  @Test
  void aPreviewOpensNoConnection() throws IOException {
    try (ConnectionCounter foreign = new ConnectionCounter()) {
      String id = Customers.post(shop, ConnectingEmail.json(foreign.address()));

      screen.open(outbox() + "#/emails/" + id);
      assertThat(screen.page().frameLocator("iframe.html").locator("#end")).hasText("Good bye");
      screen.open(outbox() + "#/inbox/1");
      assertThat(screen.page().frameLocator("#letter iframe.html").locator("#end"))
          .hasText("Good bye");
      for (String preview : new String[] {"emails/" + id + "/html", "inbox/1/html"}) {
        screen.open(outbox() + "api/" + preview);
        assertThat(screen.page().locator("#words")).hasText("Hello");
        assertThat(screen.page().content().toLowerCase(Locale.ROOT))
            .doesNotContain("<link", "<iframe");
      }

      // a page without protection connects; by then the previews would have connected, too
      waitUntilAnUnprotectedPageConnects();
      assertThat(foreign.accepted()).isZero();
    }
  }

  @Test
  void theImagesOfANewsletterAreShownWhereverItUsesThem() throws IOException {
    String html =
        "<link rel='stylesheet' href='https://fonts.example/css'>"
            + "<style>.box { background: url(cid:bar) } td { padding: 6px }</style>"
            + "<img src='cid:logo' alt='Paper and Ink'><h1>News</h1>"
            + "<table><tr><td><img src='cid:bar' alt=''></td><td>One</td></tr>"
            + "<tr><td><img src='cid:bar' alt=''></td><td>Two</td></tr></table>"
            + "<p class='box' style='height: 30px'></p><img src='cid:logo' alt='Paper and Ink'>";
    String id =
        Customers.post(
            shop,
            """
            {"to": "ada@example.com", "subject": "News", "html": "%s", "attachments": [
              {"fileName": "logo.png", "contentType": "image/png", "contentId": "logo", "content": "%s"},
              {"fileName": "bar.png", "contentType": "image/png", "contentId": "bar", "content": "%s"}]}"""
                .formatted(html, image(160, 60, Color.RED), image(30, 30, Color.BLUE)));

    screen.open(outbox() + "#/emails/" + id);
    Locator images = screen.page().frameLocator("iframe.html").locator("img");
    assertThat(images).hasCount(4);
    assertThat(images.evaluateAll("all => all.map(each => each.naturalWidth)"))
        .isEqualTo(List.of(160, 30, 30, 160));
    screen.picture("preview");
  }

  private void waitUntilAnUnprotectedPageConnects() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try (ConnectionCounter other = new ConnectionCounter()) {
      server.createContext(
          "/",
          exchange -> {
            byte[] page =
                ConnectingEmail.preconnect(other.address()).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/html; charset=utf-8");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
          });
      server.start();
      screen.open("http://127.0.0.1:" + server.getAddress().getPort() + "/");
      screen.page().waitForCondition(() -> other.accepted() > 0);
    } finally {
      server.stop(0);
    }
  }

  /** Returns an image of one colour with a white corner, in base64. */
  private static String image(int width, int height, Color colour) throws IOException {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics graphics = image.getGraphics();
    graphics.setColor(colour);
    graphics.fillRect(0, 0, width, height);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(4, 4, 8, 8);
    graphics.dispose();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "png", out);
    return Base64.getEncoder().encodeToString(out.toByteArray());
  }

  private String outbox() {
    return shop.address() + "outbox/";
  }
}
