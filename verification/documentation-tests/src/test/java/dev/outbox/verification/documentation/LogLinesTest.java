package dev.outbox.verification.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.verification.reactor.Repository;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the page for operators tells them to look for in the log is what is logged. */
class LogLinesTest {

  private static final Path PAGE = Repository.root().resolve("docs/production.md");
  private static final Pattern ROW =
      Pattern.compile("(?ms)^\\| the log says \\|.*?\\n\\|---.*?\\n(.*?)\\n\\n");

  @Test
  void everyLineToLookForIsInTheCode() {
    String code =
        Repository.files(Repository.root(), name -> name.endsWith(".java")).stream()
            .filter(file -> file.toString().replace('\\', '/').contains("/src/main/java/"))
            .map(MarkdownPage::read)
            .map(MarkdownPage::text)
            .collect(Collectors.joining("\n"));

    assertThat(lines())
        .hasSizeGreaterThan(5)
        .filteredOn(line -> !code.contains(line))
        .as("lines that nobody logs")
        .isEmpty();
  }

  private static List<String> lines() {
    return ROW.matcher(MarkdownPage.read(PAGE).text())
        .results()
        .flatMap(table -> table.group(1).lines())
        .map(row -> row.replaceFirst("\\| `([^`]+)`.*", "$1"))
        .toList();
  }
}
