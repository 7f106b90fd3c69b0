package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.TemplateData;
import dev.outbox.template.Templates;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The links of docs/learning/templates.md. */
class TemplateLinksTest {

  @TempDir Path folder;

  static String webLink(String given) {
    URI link = URI.create(given);
    if (!"https".equalsIgnoreCase(link.getScheme()) || link.getHost() == null) {
      throw new IllegalArgumentException("link: not an https URL with a host");
    }
    return link.toASCIIString();
  }

  /** What the page warns of: escaping keeps text inside the attribute, and changes no scheme. */
  @Test
  void escapingDoesNotChangeTheSchemeOfALink() throws IOException {
    assertThat(rendered("<a href=\"{{u}}\">x</a>", "u", "javascript:alert(1)"))
        .isEqualTo("<a href=\"javascript:alert(1)\">x</a>");
  }

  @Test
  void aCheckedLinkIsPrinted() throws IOException {
    String link = webLink("HTTPS://shop.example.com/orders/42?a=1&b=\u00e9#top");

    assertThat(rendered("<a href=\"{{link}}\">x</a>", "link", link))
        .isEqualTo(
            "<a href=\"HTTPS://shop.example.com/orders/42?a&#x3D;1&amp;b&#x3D;%C3%A9#top\">x</a>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "\u0001javascript:alert(1)",
        "javascript://shop.example.com/%0aalert(1)",
        "vbscript:x",
        "data:text/html,<script>alert(1)</script>",
        "data:text/html;base64,PHNjcmlwdD4=",
        "file:///etc/passwd",
        "http://shop.example.com/",
        "//evil.example/",
        "/orders/42",
        "https:evil.example",
        "https:///evil.example",
        "https://shop.example.com/\" onclick=\"x",
        "",
      })
  void aLinkThatIsNotHttpsIsRejected(String given) {
    assertThatThrownBy(() -> webLink(given)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aLinkWhoseBeginningIsInTheTemplateStaysOnItsHost() throws IOException {
    String id = URLEncoder.encode("javascript:x/../?a#b \"", StandardCharsets.UTF_8);

    assertThat(rendered("<a href=\"https://shop.example.com/orders/{{id}}\">x</a>", "id", id))
        .isEqualTo(
            "<a href=\"https://shop.example.com/orders/javascript%3Ax%2F..%2F%3Fa%23b+%22\">x</a>");
  }

  private String rendered(String template, String name, String value) throws IOException {
    Files.writeString(folder.resolve("t.html.mustache"), template);
    return String.valueOf(
        Templates.directory(folder).render("t", null, TemplateData.of(Map.of(name, value))).html());
  }
}
