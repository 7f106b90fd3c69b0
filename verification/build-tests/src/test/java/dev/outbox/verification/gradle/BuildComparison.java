package dev.outbox.verification.gradle;

import dev.outbox.verification.reactor.Repository;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the two builds do differently.
 *
 * @param maven the POMs
 * @param gradle the Gradle files
 */
record BuildComparison(MavenBuildFiles maven, GradleBuildFiles gradle) {

  private static final String OWN_MODULE = "verification/build-tests";

  /** {@return the POMs of this repository beside the Gradle files below a directory} */
  static BuildComparison withGradleFilesOf(Path directory) {
    return new BuildComparison(
        new MavenBuildFiles(Repository.root()), new GradleBuildFiles(directory));
  }

  /** {@return the test classes, or nested test classes of such a name, that only one build runs} */
  List<String> testClasses(String module, Set<String> environment) {
    Set<String> classes =
        compiledTests(module).stream()
            .flatMap(path -> Stream.of(path, path.replace(".class", "$NestedTest.class")))
            .collect(Collectors.toSet());
    return differences(
        maven.testClasses(module, environment).of(classes),
        gradle.testClasses(module, environment).of(classes));
  }

  /** {@return the dependencies that are in one build only, or there with other exclusions} */
  List<String> dependencies(String module) {
    return differences(maven.dependencies(module), gradle.dependencies(module));
  }

  /** {@return the managed versions that only one build has} */
  List<String> managedVersions() {
    return differences(maven.managedVersions().entrySet(), gradle.managedVersions().entrySet());
  }

  /** {@return the system properties that only one build sets} */
  List<String> systemProperties(String module) {
    return differences(
        maven.systemProperties(module).entrySet(), gradle.systemProperties(module).entrySet());
  }

  /**
   * {@return the class files of a module's tests} Modules that this run has not compiled give the
   * classes that their sources are named for.
   */
  static Set<String> compiledTests(String module) {
    Path directory = Repository.root().resolve(module);
    Path output = directory.resolve(Repository.root().resolve(OWN_MODULE).relativize(own()));
    Path place = Files.isDirectory(output) ? output : directory.resolve("src/test/java");
    return Repository.files(place, name -> name.endsWith(".class") || name.endsWith(".java"))
        .stream()
        .map(file -> place.relativize(file).toString().replace(File.separatorChar, '/'))
        .map(file -> file.replaceFirst("\\.java$", ".class"))
        .collect(Collectors.toSet());
  }

  private static Path own() {
    try {
      return Path.of(
          BuildComparison.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> differences(Set<?> maven, Set<?> gradle) {
    return Stream.concat(
            without(maven, gradle).map("only Maven: %s"::formatted),
            without(gradle, maven).map("only Gradle: %s"::formatted))
        .sorted()
        .toList();
  }

  private static Stream<Object> without(Set<?> these, Set<?> those) {
    Set<Object> rest = new HashSet<>(these);
    rest.removeAll(those);
    return rest.stream();
  }
}
