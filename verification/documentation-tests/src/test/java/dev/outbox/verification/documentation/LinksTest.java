package dev.outbox.verification.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.verification.documentation.MarkdownPage.Link;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every link from one page of the repository into it leads somewhere. */
class LinksTest {

  @ParameterizedTest
  @MethodSource("pages")
  void everyLinkLeadsToAFileAndItsAnchorToAHeading(MarkdownPage page) {
    assertThat(dead(page)).isEmpty();
  }

  @Test
  void whatLeadsNowhereIsFound(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("other.md"), "# Two words\n## `Code`, and more\n## Two words");
    MarkdownPage page =
        new MarkdownPage(
            folder.resolve("page.md"),
            """
            # Here
            [a](other.md) [b](other.md#two-words-1) [c](other.md#code-and-more) [d](#here)
            [e](missing.md) [f](other.md#missing) [g](#missing) <img src="missing.png">
            [h](https://example.com/missing)
            ```
            [i](in-code.md)
            ```
            """);
    assertThat(dead(page))
        .containsExactly("missing.md", "other.md#missing", "#missing", "missing.png");
  }

  static Stream<MarkdownPage> pages() {
    return MarkdownPage.all().stream();
  }

  private static List<String> dead(MarkdownPage page) {
    return page.links().stream()
        .map(Link::target)
        .filter(target -> !target.matches("[a-z]+:.*"))
        .filter(target -> !leadsSomewhere(page, target))
        .toList();
  }

  private static boolean leadsSomewhere(MarkdownPage page, String target) {
    int hash = target.indexOf('#');
    String path = hash < 0 ? target : target.substring(0, hash);
    Path file = path.isEmpty() ? page.file() : page.file().resolveSibling(path).normalize();
    if (hash < 0) {
      return Files.exists(file);
    }
    MarkdownPage there = path.isEmpty() ? page : existing(file);
    return there.anchors().contains(target.substring(hash + 1));
  }

  private static MarkdownPage existing(Path file) {
    return Files.isRegularFile(file) ? MarkdownPage.read(file) : new MarkdownPage(file, "");
  }
}
