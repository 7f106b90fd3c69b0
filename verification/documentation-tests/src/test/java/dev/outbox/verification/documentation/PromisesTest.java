package dev.outbox.verification.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.verification.documentation.MarkdownPage.Link;
import dev.outbox.verification.reactor.Repository;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each promise of the README names tests that hold it, and they are there. */
class PromisesTest {

  private static final int PROMISES = 8;
  private static final Path README = Repository.root().resolve("README.md");

  /** A promise is a row of a table that starts with its number. */
  private static final Pattern ROW = Pattern.compile("\\| \\d+ \\|.*");

  @Test
  void everyPromiseIsLinkedToATestThatExists() {
    List<String> rows =
        MarkdownPage.read(README).text().lines().filter(ROW.asMatchPredicate()).toList();

    assertThat(rows)
        .extracting(row -> row.replaceFirst("\\| (\\d+) \\|.*", "$1"))
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, PROMISES).mapToObj(Integer::toString).toList());
    assertThat(rows)
        .allSatisfy(
            row ->
                assertThat(new MarkdownPage(README, row).links())
                    .isNotEmpty()
                    .allSatisfy(PromisesTest::assertIsATest));
  }

  @Test
  void aMethodThatIsNoTestIsNotTakenForOne() {
    String source = "class T {\n  @Test\n  void isOne() {}\n\n  void isNone() {}\n}";
    assertThat(isTest(source, "isOne")).isTrue();
    assertThat(isTest(source, "isNone")).isFalse();
    assertThat(isTest(source, "isMissing")).isFalse();
  }

  /** The words of the link are the name of the method, and the file is its class. */
  private static void assertIsATest(Link link) {
    Path file = Repository.root().resolve(link.target());
    assertThat(file).as(link.words()).isRegularFile();
    assertThat(isTest(MarkdownPage.read(file).text(), link.words().replace("`", "")))
        .as("%s in %s", link.words(), link.target())
        .isTrue();
  }

  /** Between a test's annotation and its name there are other annotations, and no code. */
  private static boolean isTest(String source, String method) {
    return Pattern.compile(
            "@(Test|ParameterizedTest|RepeatedTest)(\\([^)]*\\))?\\s+(@\\w+(\\([^)]*\\))?\\s+)*void "
                + Pattern.quote(method)
                + "\\(")
        .matcher(source)
        .find();
  }
}
