package dev.outbox.verification.gradle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.verification.reactor.Reactor;
import dev.outbox.verification.reactor.ReactorModule;
import dev.outbox.verification.reactor.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The Gradle files on disk run the same tests as Maven, with the same libraries and settings. */
class BuildAgreementTest {

  private static final Reactor REACTOR = Reactor.read(Repository.root());
  private static final BuildComparison BUILDS =
      BuildComparison.withGradleFilesOf(Repository.root());

  private static final String MYSQL = "outbox-store-mysql";
  private static final String SERVER = "OUTBOX_TEST_JDBC_URL";
  private static final String SERVER_TESTS = "dev/outbox/mysql/ExternalServerStore.class";

  @ParameterizedTest
  @MethodSource("modulesWithTests")
  void bothBuildsSelectTheSameTestClasses(String module) {
    assertThat(BUILDS.testClasses(module, Set.of())).isEqualTo(onlyMavenRuns(module));
    assertThat(selectedByGradle(module)).isNotEmpty().noneMatch(name -> name.contains("$"));
  }

  @Test
  void bothBuildsTestAServerThatTheEnvironmentNames() {
    assertThat(BuildComparison.compiledTests(MYSQL)).contains(SERVER_TESTS);
    assertThat(selectedByGradle(MYSQL)).doesNotContain(SERVER_TESTS);
    assertThat(selectedByGradle(MYSQL, SERVER)).contains(SERVER_TESTS);
    assertThat(BUILDS.testClasses(MYSQL, Set.of(SERVER))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("modulesWithCode")
  void bothBuildsHaveTheSameDependenciesAndExclusions(String module) {
    assertThat(BUILDS.gradle().dependencies(module)).isNotEmpty();
    assertThat(BUILDS.dependencies(module)).isEmpty();
  }

  @Test
  void bothBuildsManageTheSameVersions() {
    assertThat(BUILDS.gradle().managedVersions()).containsKeys("bom org.junit:junit-bom");
    assertThat(BUILDS.managedVersions()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("modulesWithCode")
  void everyLibraryHasAVersionOrAPlatform(String module) {
    assertThat(BUILDS.gradle().withoutVersion(module)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("modulesWithCode")
  void bothBuildsSetTheSameSystemProperties(String module) {
    assertThat(BUILDS.systemProperties(module)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "build.gradle.kts | include(\"**/*Test.class\") | ''",
        "build.gradle.kts | include(\"**/*Test.class\") | include(\"**/*.class\")",
        "build.gradle.kts | exclude(\"**/*\\$*\") | ''",
        MYSQL + "/build.gradle.kts | if (System.getenv(\"" + SERVER + "\") != null) { | {",
      })
  void anotherFilterIsNoticed(String file, String from, String to, @TempDir Path copy)
      throws IOException {
    assertThat(changed(copy, file, from, to).testClasses(MYSQL, Set.of())).isNotEmpty();
  }

  @Test
  void aLostTestOfAServerIsNoticed(@TempDir Path copy) throws IOException {
    String include = "include(\"**/ExternalServerStore.class\")";
    assertThat(
            changed(copy, MYSQL + "/build.gradle.kts", include, "")
                .testClasses(MYSQL, Set.of(SERVER)))
        .containsExactly("only Maven: " + SERVER_TESTS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "outbox-smtp | exclude(group = \"junit\", module = \"junit\") | ''",
        "outbox-smtp | module = \"jakarta.mail\" | module = \"angus-mail\"",
        "outbox-smtp | api(libs.angus.mail) | ''",
        "benchmarks | exclude(group = \"net.bytebuddy\", module = \"byte-buddy\") | ''",
        "verification/test-listener | implementation(libs.jspecify) | implementation(libs.guava)",
      })
  void anotherDependencyOrExclusionIsNoticed(
      String module, String from, String to, @TempDir Path copy) throws IOException {
    assertThat(changed(copy, module + "/build.gradle.kts", from, to).dependencies(module))
        .isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "build.gradle.kts | force(\"jakarta.annotation:jakarta.annotation-api:2.1.1\") | ''",
        "build.gradle.kts | jakarta.annotation-api:2.1.1 | jakarta.annotation-api:3.0.0",
        "build.gradle.kts | enforcedPlatform(rootProject.libs.junit.bom) | ''",
        "gradle/libs.versions.toml | junit = \" | junit = \"1.",
      })
  void anotherManagedVersionIsNoticed(String file, String from, String to, @TempDir Path copy)
      throws IOException {
    assertThat(changed(copy, file, from, to).managedVersions()).isNotEmpty();
  }

  @Test
  void aLostPlatformIsNoticed(@TempDir Path copy) throws IOException {
    String platform = "testImplementation(platform(libs.junit.bom))";
    assertThat(
            changed(copy, "outbox-testkit/build.gradle.kts", platform, "")
                .gradle()
                .withoutVersion("outbox-testkit"))
        .contains("testImplementation(libs.junit.jupiter)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"java.util.logging.config.file\" | \"java.util.logging.config\"",
        "$projectDir/src/test | $projectDir/src/main",
        "systemProperty | environment",
      })
  void anotherSystemPropertyIsNoticed(String from, String to, @TempDir Path copy)
      throws IOException {
    assertThat(changed(copy, MYSQL + "/build.gradle.kts", from, to).systemProperties(MYSQL))
        .isNotEmpty();
  }

  @Test
  void bothBuildsFindTheModulesInTheSameDirectories() {
    assertThat(BUILDS.gradle().directories())
        .contains("outbox-core", "verification/build-tests")
        .containsExactlyInAnyOrderElementsOf(BUILDS.maven().directories());
  }

  /** The modules by their directories, by which the files of both builds are found. */
  static Stream<String> modulesWithCode() {
    return REACTOR.modules().stream()
        .filter(module -> !module.isBom())
        .map(ReactorModule::directory);
  }

  static Stream<String> modulesWithTests() {
    return modulesWithCode()
        .filter(
            directory ->
                Files.isDirectory(Repository.root().resolve(directory).resolve("src/test/java")));
  }

  /** The relocation of jmustache is part of the Maven build only. */
  private static List<String> onlyMavenRuns(String module) {
    return module.equals("verification/build-tests")
        ? List.of("only Maven: dev/outbox/verification/reactor/RelocationTest.class")
        : List.of();
  }

  private static Set<String> selectedByGradle(String module, String... environment) {
    return BUILDS
        .gradle()
        .testClasses(module, Set.of(environment))
        .of(BuildComparison.compiledTests(module));
  }

  /** The comparison with a copy of the Gradle files in which one text is replaced. */
  private static BuildComparison changed(Path copy, String changed, String from, String to)
      throws IOException {
    for (String file : GradleFiles.of(REACTOR).files().keySet()) {
      String text = Files.readString(Repository.root().resolve(file));
      if (file.equals(changed)) {
        assertThat(text).contains(from);
        text = text.replace(from, to);
      }
      Path target = copy.resolve(file);
      Files.createDirectories(target.resolveSibling("."));
      Files.writeString(target, text);
    }
    return BuildComparison.withGradleFilesOf(copy);
  }
}
