package dev.outbox.verification.gradle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.verification.reactor.Reactor;
import dev.outbox.verification.reactor.Repository;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When these fail: {@code mvn -B -q process-classes -P gradle-files}. */
class GradleFilesTest {

  private static final GradleFiles TWIN = GradleFiles.of(Reactor.read(Repository.root()));
  private static final String WRAPPER = "gradle/wrapper/gradle-wrapper.properties";

  /** The host project is a build of its own, whose scripts are not generated. */
  private static final Set<String> HOST =
      Set.of("examples/host-project/build.gradle.kts", "examples/host-project/settings.gradle.kts");

  @ParameterizedTest
  @MethodSource("generatedFiles")
  void theFileOnDiskIsWhatThePomsGive(String file) throws IOException {
    assertThat(differs(Repository.root(), file))
        .as("%s; generate it with: mvn -B -q process-classes -P gradle-files", file)
        .isFalse();
  }

  @Test
  void gradleHasNoFileThatThePomsDoNotGive() {
    assertThat(filesOfGradle(Repository.root()))
        .containsExactlyInAnyOrderElementsOf(TWIN.files().keySet());
  }

  /** CONTRIBUTING.md advises {@code gradle wrapper}. */
  @Test
  void whatGradleAddsToAWorkingCopyIsNoDifference(@TempDir Path copy) throws IOException {
    for (Map.Entry<String, String> file : TWIN.files().entrySet()) {
      write(copy.resolve(file.getKey()), file.getValue());
    }
    write(copy.resolve("gradlew"), "#!/bin/sh");
    write(copy.resolve("gradlew.bat"), "@rem");
    write(copy.resolve("gradle/wrapper/gradle-wrapper.jar"), "PK");
    write(copy.resolve(".gradle/9.2.1/some.gradle"), "");
    write(copy.resolve("outbox-core/build/tmp/some.gradle.kts"), "");
    write(copy.resolve(WRAPPER), "# a comment\nretries=0\n" + reversed(TWIN.files().get(WRAPPER)));

    assertThat(filesOfGradle(copy)).containsExactlyInAnyOrderElementsOf(TWIN.files().keySet());
    for (String file : TWIN.files().keySet()) {
      assertThat(differs(copy, file)).as(file).isFalse();
    }
  }

  @Test
  void anotherGradleOfTheWrapperAndAnotherScriptAreDifferences(@TempDir Path copy)
      throws IOException {
    String properties = Objects.requireNonNull(TWIN.files().get(WRAPPER));
    write(copy.resolve(WRAPPER), properties.replaceFirst("gradle-[\\d.]+-bin", "gradle-1.0-bin"));
    write(copy.resolve("build.gradle.kts"), TWIN.files().get("build.gradle.kts") + " ");
    write(copy.resolve("surplus/build.gradle.kts"), "");

    assertThat(differs(copy, WRAPPER)).isTrue();
    assertThat(differs(copy, "build.gradle.kts")).isTrue();
    assertThat(filesOfGradle(copy)).contains("surplus/build.gradle.kts");
  }

  @Test
  void ktlintFindsTheScriptsWellFormed() throws Exception {
    List<Path> scripts =
        Stream.concat(TWIN.files().keySet().stream(), HOST.stream())
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

  /** Gradle's task {@code wrapper} writes the properties again; a newer one may add some. */
  private static boolean differs(Path root, String file) throws IOException {
    String generated = Objects.requireNonNull(TWIN.files().get(file));
    String found = Files.readString(root.resolve(file));
    return file.equals(WRAPPER)
        ? !properties(found).entrySet().containsAll(properties(generated).entrySet())
        : !found.equals(generated);
  }

  private static Properties properties(String text) throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(text));
    return properties;
  }

  private static List<String> filesOfGradle(Path root) {
    return Repository.files(root, GradleFilesTest::isOfGradle).stream()
        .map(file -> root.relativize(file).toString())
        .filter(file -> !HOST.contains(file))
        .toList();
  }

  private static boolean isOfGradle(String name) {
    return name.endsWith(".gradle.kts")
        || name.endsWith(".gradle")
        || name.endsWith(".versions.toml")
        || name.equals("gradle-wrapper.properties");
  }

  private static String reversed(@Nullable String text) {
    List<String> lines = new ArrayList<>(Objects.requireNonNull(text).lines().toList());
    Collections.reverse(lines);
    return String.join("\n", lines);
  }

  private static void write(Path file, @Nullable String text) throws IOException {
    Files.createDirectories(file.resolveSibling("."));
    Files.writeString(file, Objects.requireNonNull(text));
  }
}
