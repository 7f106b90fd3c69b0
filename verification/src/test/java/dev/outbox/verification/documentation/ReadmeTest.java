package dev.outbox.verification.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The Java code in the README is code that is compiled, and run by a test where it is one. */
class ReadmeTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void everyPieceOfJavaStandsInAnExample() throws IOException {
    List<String> pieces =
        JAVA.matcher(Files.readString(ROOT.resolve("README.md")))
            .results()
            .map(MatchResult::group)
            .map(ReadmeTest::plain)
            .toList();
    String examples = plain(sources());

    assertThat(pieces).isNotEmpty().allSatisfy(piece -> assertThat(examples).contains(piece));
  }

  private static String sources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve("examples/src"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(ReadmeTest::read)
          .collect(Collectors.joining("\n"));
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Drops the fences, and all indentation: the README shows statements without what is around. */
  private static String plain(String code) {
    return code.lines()
        .filter(line -> !line.startsWith("```"))
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining("\n"));
  }
}
