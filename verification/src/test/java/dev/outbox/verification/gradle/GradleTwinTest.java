package dev.outbox.verification.gradle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.verification.reactor.Reactor;
import dev.outbox.verification.reactor.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When these fail: {@code mvn -B -q process-classes -P gradle-twin}. */
class GradleTwinTest {

  private static final GradleTwin TWIN = GradleTwin.of(Reactor.read(Repository.root()));

  @ParameterizedTest
  @MethodSource("generatedFiles")
  void theFileOnDiskIsWhatThePomsGive(String file) throws IOException {
    assertThat(Files.readString(Repository.root().resolve(file)))
        .as("%s; write it anew with: mvn -B -q process-classes -P gradle-twin", file)
        .isEqualTo(TWIN.files().get(file));
  }

  @Test
  void gradleHasNoFileThatThePomsDoNotGive() {
    List<String> onDisk =
        Repository.files(Repository.root(), GradleTwinTest::isOfGradle).stream()
            .map(file -> Repository.root().relativize(file).toString())
            .toList();
    assertThat(onDisk).containsExactlyInAnyOrderElementsOf(TWIN.files().keySet());
  }

  @Test
  void ktlintFindsTheScriptsWellFormed() throws Exception {
    List<Path> scripts =
        TWIN.files().keySet().stream()
            .filter(file -> file.endsWith(".kts"))
            .map(Repository.root()::resolve)
            .toList();
    assertThat(scripts).isNotEmpty();
    assertThat(Ktlint.complaints(scripts)).isEmpty();
  }

  @Test
  void ktlintRefusesAScriptThatDoesNotParse(@TempDir Path directory) throws Exception {
    Path script = Files.writeString(directory.resolve("build.gradle.kts"), "plugins {\n");
    assertThat(Ktlint.complaints(List.of(script))).contains("Not a valid Kotlin file");
  }

  static Set<String> generatedFiles() {
    return TWIN.files().keySet();
  }

  private static boolean isOfGradle(String name) {
    return name.endsWith(".gradle.kts")
        || name.endsWith(".gradle")
        || name.endsWith(".versions.toml")
        || name.startsWith("gradle-wrapper.");
  }
}
