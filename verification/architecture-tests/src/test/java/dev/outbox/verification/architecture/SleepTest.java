package dev.outbox.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.verification.reactor.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests wait on a condition or move time; a sleep is either too short or too long. */
class SleepTest {

  private static final Pattern SLEEP = Pattern.compile("\\bThread\\s*\\.\\s*sleep\\s*\\(");

  @Test
  void noTestSleeps() {
    assertThat(Repository.files(Repository.root(), name -> name.endsWith(".java")))
        .filteredOn(SleepTest::isTestCode)
        .isNotEmpty()
        .noneMatch(file -> sleeps(read(file)));
  }

  @Test
  void aSleepIsRecognised() {
    assertThat(sleeps("Thread.sleep" + "(10);")).isTrue();
    assertThat(sleeps("Thread\n    .sleep" + "(10);")).isTrue();
    assertThat(sleeps("No Thread.sleep here.")).isFalse();
  }

  private static boolean isTestCode(Path file) {
    String path = Repository.root().relativize(file).toString().replace('\\', '/');
    return path.contains("/src/test/")
        || path.startsWith("outbox-testkit/")
        || path.startsWith("verification/test-support/");
  }

  private static boolean sleeps(String source) {
    return SLEEP.matcher(source).find();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
