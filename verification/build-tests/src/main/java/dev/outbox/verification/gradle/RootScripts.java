package dev.outbox.verification.gradle;

import dev.outbox.verification.reactor.Reactor;
import dev.outbox.verification.reactor.ReactorModule;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files of the Gradle build that stand once, at its root. */
final class RootScripts {

  /** The first line of every generated script. */
  static final String HEADER =
      "Generated from the POMs: change those, then generate this again as CONTRIBUTING.md says.";

  private RootScripts() {}

  static String settings(Reactor reactor) {
    String includes =
        reactor.modules().stream()
            .map(ReactorModule::name)
            .map("    \"%s\",\n"::formatted)
            .collect(Collectors.joining());
    String directories =
        reactor.modules().stream()
            .filter(ReactorModule::isNested)
            .map(RootScripts::projectDirectory)
            .collect(Collectors.joining());
    return """
        // %s

        rootProject.name = "outbox"

        dependencyResolutionManagement {
            repositoriesMode = RepositoriesMode.FAIL_ON_PROJECT_REPOS
            repositories {
                mavenCentral()
            }
        }

        include(
        %s)
        %s"""
        .formatted(HEADER, includes, directories.isEmpty() ? "" : "\n" + directories);
  }

  /** Gradle looks for a module in the directory of its name unless it is told another. */
  private static String projectDirectory(ReactorModule module) {
    return "project(\":%s\").projectDir = file(\"%s\")\n"
        .formatted(module.name(), module.directory());
  }

  static String build(Reactor reactor, VersionCatalog catalog) {
    return """
        // %s
        // CI runs Maven, which also checks format, nullness, architecture and documentation.

        allprojects {
            group = "%s"
            version = "%s"
        }

        tasks.withType<Wrapper>().configureEach {
            gradleVersion = "%s"
        }

        subprojects {
            plugins.withType<JavaPlugin> {
                tasks.withType<JavaCompile>().configureEach {
                    options.encoding = "UTF-8"
                    options.release = %s
                }
                tasks.withType<Test>().configureEach {
                    useJUnitPlatform()
                    // Surefire's names of test classes. Nested classes run with the class around them, not by themselves.
        %s            exclude("**/*\\$*")
                }
                // As in Maven, the versions of the root POM hold for transitive dependencies too.
                configurations.dependencyScope("managed")
                dependencies {
        %s        }
                configurations.matching { it.name.endsWith("Classpath") }.configureEach {
                    extendsFrom(configurations.getByName("managed"))
                    resolutionStrategy {
        %s            }
                }
            }
            tasks.withType<AbstractArchiveTask>().configureEach {
                isPreserveFileTimestamps = false
                isReproducibleFileOrder = true
            }
        }
        """
        .formatted(
            HEADER,
            reactor.parent().getGroupId(),
            reactor.parent().getVersion(),
            reactor.property("gradle.version"),
            reactor.property("maven.compiler.release"),
            lines(TestSettings.DEFAULT_INCLUDES.stream(), "            include(\"%s\")\n"),
            lines(
                catalog.boms().stream().map(Library::accessor),
                "            add(\"managed\", enforcedPlatform(rootProject.%s))\n"),
            lines(catalog.managedVersions(), "                force(\"%s\")\n"));
  }

  private static String lines(Stream<String> values, String format) {
    return values.map(format::formatted).collect(Collectors.joining());
  }

  /** Without a header: these are the bytes that Gradle's own task {@code wrapper} writes. */
  static String wrapper(Reactor reactor) {
    return """
        distributionBase=GRADLE_USER_HOME
        distributionPath=wrapper/dists
        distributionUrl=https\\://services.gradle.org/distributions/gradle-%s-bin.zip
        networkTimeout=10000
        validateDistributionUrl=true
        zipStoreBase=GRADLE_USER_HOME
        zipStorePath=wrapper/dists
        """
        .formatted(reactor.property("gradle.version"));
  }
}
