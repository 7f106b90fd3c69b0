package dev.outbox.verification.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.verification.reactor.Repository;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The code in the documentation is code that is compiled, and mostly run by a test. */
class SnippetsTest {

  private static final Path EXAMPLES = Repository.root().resolve("examples");
  private static final List<String> SOURCES =
      Repository.files(EXAMPLES, name -> name.endsWith(".java")).stream()
          .map(MarkdownPage::read)
          .map(MarkdownPage::text)
          .map(SnippetsTest::plain)
          .toList();

  @ParameterizedTest
  @MethodSource("pages")
  void everyPieceOfJavaStandsInAnExample(MarkdownPage page) {
    assertThat(page.pieces("java"))
        .filteredOn(piece -> SOURCES.stream().noneMatch(source -> holds(source, plain(piece))))
        .as("pieces that are in no example")
        .isEmpty();
  }

  @Test
  void thePomOfTheReadmeIsThatOfTheHostProject() {
    String pom = plain(MarkdownPage.read(EXAMPLES.resolve("host-project/pom.xml")).text());

    assertThat(readme().pieces("xml"))
        .isNotEmpty()
        .filteredOn(piece -> !pom.contains(plain(piece)))
        .as("pieces that are not in the host project's POM")
        .isEmpty();
  }

  @Test
  void theGradleScriptOfThePagesIsThatOfTheHostProject() {
    String script =
        plain(MarkdownPage.read(EXAMPLES.resolve("host-project/build.gradle.kts")).text());

    assertThat(readme().pieces("kotlin")).isNotEmpty();
    assertThat(pages().flatMap(page -> page.pieces("kotlin").stream()))
        .filteredOn(piece -> !holds(script, plain(piece)))
        .as("pieces that are not in the host project's Gradle script")
        .isEmpty();
  }

  @Test
  void theReadmeHasCodeAndIsShort() {
    assertThat(readme().pieces("java")).isNotEmpty();
    assertThat(readme().text().lines()).hasSizeLessThan(200);
  }

  static Stream<MarkdownPage> pages() {
    return MarkdownPage.all().stream();
  }

  private static MarkdownPage readme() {
    return MarkdownPage.read(Repository.root().resolve("README.md"));
  }

  /** Whole lines only: half a statement would not be what is compiled. */
  private static boolean holds(String source, String piece) {
    return ("\n" + source + "\n").contains("\n" + piece + "\n");
  }

  /** Drops all indentation: a page shows statements without what is around. */
  private static String plain(String code) {
    return code.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining("\n"));
  }
}
