package dev.outbox.verification.gradle;

import dev.outbox.verification.reactor.Reactor;
import dev.outbox.verification.reactor.ReactorModule;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.maven.model.Activation;
import org.apache.maven.model.ActivationProperty;
import org.apache.maven.model.Build;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginContainer;
import org.apache.maven.model.Profile;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.jspecify.annotations.Nullable;

/**
 * The block of a module's Gradle script that configures its tests as Surefire is configured in the
 * module's POM. A configuration without a counterpart here is an error.
 */
final class TestSettings {

  /** Surefire's default names of test classes, as Gradle's patterns. */
  static final List<String> DEFAULT_INCLUDES =
      List.of("**/Test*.class", "**/*Test.class", "**/*Tests.class", "**/*TestCase.class");

  /** Tests of the Maven build's own result, by module. */
  private static final Map<String, String> MAVEN_ONLY = Map.of("build-tests", "RelocationTest");

  private static final String SUREFIRE = "maven-surefire-plugin";
  private static final String ENVIRONMENT = "env.";

  private final Reactor reactor;

  TestSettings(Reactor reactor) {
    this.reactor = reactor;
    Build build = reactor.parent().getBuild();
    Stream.of(build, build.getPluginManagement())
        .flatMap(container -> surefire(container).stream())
        .forEach(
            plugin -> {
              rejectExecutions("the root POM", plugin);
              configuration(plugin)
                  .ifPresent(
                      settings -> {
                        throw refused("the root POM", settings.getName());
                      });
            });
  }

  /** {@return the block; empty if the defaults of the root script are enough} */
  String of(ReactorModule module) {
    String lines =
        Stream.of(
                systemProperties(module),
                additionalTests(module),
                otherModules(module),
                mavenOnly(module))
            .flatMap(each -> each)
            .map(line -> "    " + line + "\n")
            .collect(Collectors.joining());
    return lines.isEmpty() ? "" : "tasks.withType<Test>().configureEach {\n" + lines + "}\n";
  }

  private static Stream<String> systemProperties(ReactorModule module) {
    return settings(module, module.model().getBuild(), "systemPropertyVariables")
        .map(
            property ->
                "systemProperty(\"%s\", \"%s\")"
                    .formatted(property.getName(), path(module, property.getValue())));
  }

  private static String path(ReactorModule module, String value) {
    String path = value.replace("${project.basedir}", "$projectDir");
    if (path.contains("${")) {
      throw refused(module.name(), value);
    }
    return path;
  }

  private static Stream<String> additionalTests(ReactorModule module) {
    return module.model().getProfiles().stream()
        .flatMap(profile -> additionalTests(module, profile));
  }

  /** Tests that a profile adds when a variable is in the environment. */
  private static Stream<String> additionalTests(ReactorModule module, Profile profile) {
    List<String> includes =
        settings(module, profile.getBuild(), "includes")
            .map(include -> include.getValue().replaceFirst("\\.java$", ".class"))
            .filter(include -> !DEFAULT_INCLUDES.contains(include))
            .map("    include(\"%s\")"::formatted)
            .toList();
    if (includes.isEmpty()) {
      return Stream.empty();
    }
    String condition = "if (System.getenv(\"%s\") != null) {".formatted(variable(module, profile));
    return Stream.of(Stream.of(condition), includes.stream(), Stream.of("}"))
        .flatMap(lines -> lines);
  }

  private static String variable(ReactorModule module, Profile profile) {
    return Optional.ofNullable(profile.getActivation())
        .map(Activation::getProperty)
        .filter(property -> property.getValue() == null)
        .map(ActivationProperty::getName)
        .filter(name -> name.startsWith(ENVIRONMENT))
        .map(name -> name.substring(ENVIRONMENT.length()))
        .orElseThrow(() -> refused(module.name(), "includes of the profile " + profile.getId()));
  }

  /** Tests that Maven runs after all modules are packaged read the files of the repository. */
  private Stream<String> otherModules(ReactorModule module) {
    boolean afterAll =
        surefire(module.model().getBuild()).stream()
            .flatMap(plugin -> plugin.getExecutions().stream())
            .anyMatch(execution -> "verify".equals(execution.getPhase()));
    if (!afterAll) {
      return Stream.empty();
    }
    Stream<String> compiled =
        reactor.modules().stream()
            .filter(other -> !other.isBom() && !other.equals(module))
            .map(other -> "dependsOn(\":%s:testClasses\")".formatted(other.name()));
    return Stream.of(
            Stream.of(
                "// These tests read files of all modules, which are not their inputs.",
                "outputs.upToDateWhen { false }"),
            compiled)
        .flatMap(lines -> lines);
  }

  private static Stream<String> mavenOnly(ReactorModule module) {
    return Stream.ofNullable(MAVEN_ONLY.get(module.name()))
        .flatMap(
            test ->
                Stream.of(
                    "// Only Maven relocates jmustache, which this test checks.",
                    "exclude(\"**/%s.class\")".formatted(test)));
  }

  /** The values of one setting of Surefire; every other setting is refused. */
  private static Stream<Xpp3Dom> settings(
      ReactorModule module, PluginContainer build, String name) {
    Optional<Plugin> surefire = surefire(build);
    surefire.ifPresent(plugin -> rejectExecutions(module.name(), plugin));
    List<Xpp3Dom> all =
        surefire.flatMap(TestSettings::configuration).stream()
            .flatMap(configuration -> Arrays.stream(configuration.getChildren()))
            .toList();
    all.stream()
        .filter(setting -> !setting.getName().equals(name))
        .findFirst()
        .ifPresent(
            setting -> {
              throw refused(module.name(), setting.getName());
            });
    return all.stream().flatMap(setting -> Arrays.stream(setting.getChildren()));
  }

  private static void rejectExecutions(String place, Plugin surefire) {
    surefire.getExecutions().stream()
        .filter(execution -> execution.getConfiguration() != null)
        .findFirst()
        .ifPresent(
            execution -> {
              throw refused(place, "the execution " + execution.getId());
            });
  }

  private static Optional<Plugin> surefire(@Nullable PluginContainer build) {
    return Optional.ofNullable(build).stream()
        .flatMap(container -> container.getPlugins().stream())
        .filter(plugin -> plugin.getArtifactId().equals(SUREFIRE))
        .findFirst();
  }

  private static Optional<Xpp3Dom> configuration(Plugin plugin) {
    return Optional.ofNullable((Xpp3Dom) plugin.getConfiguration());
  }

  private static IllegalStateException refused(String place, String setting) {
    return new IllegalStateException(
        "%s configures Surefire with %s; add its Gradle counterpart to TestSettings"
            .formatted(place, setting));
  }
}
