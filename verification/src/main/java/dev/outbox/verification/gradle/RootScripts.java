package dev.outbox.verification.gradle;

import dev.outbox.verification.reactor.Reactor;
import dev.outbox.verification.reactor.ReactorModule;
import java.util.stream.Collectors;

/** The files of the Gradle build that stand once, at its root. */
final class RootScripts {

  /** The first line of every generated script. */
  static final String HEADER =
      "Generated from the POMs: change those, then write this anew as CONTRIBUTING.md says.";

  private RootScripts() {}

  static String settings(Reactor reactor) {
    String includes =
        reactor.modules().stream()
            .map(ReactorModule::name)
            .map("    \"%s\",\n"::formatted)
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
        """
        .formatted(HEADER, includes);
  }

  static String build(Reactor reactor) {
    return """
        // %s
        // Maven is what is exercised: the checks of format, nullness, architecture and documentation are there.

        allprojects {
            group = "%s"
            version = "%s"
        }

        subprojects {
            plugins.withType<JavaPlugin> {
                tasks.withType<JavaCompile>().configureEach {
                    options.encoding = "UTF-8"
                    options.release = %s
                }
                tasks.withType<Test>().configureEach {
                    useJUnitPlatform()
                    // As with Maven, nested classes run with the class around them, not by themselves.
                    exclude("**/*\\$*")
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
            reactor.property("maven.compiler.release"));
  }

  static String wrapper(Reactor reactor) {
    return """
        # %s
        distributionBase=GRADLE_USER_HOME
        distributionPath=wrapper/dists
        distributionUrl=https\\://services.gradle.org/distributions/gradle-%s-bin.zip
        networkTimeout=10000
        validateDistributionUrl=true
        zipStoreBase=GRADLE_USER_HOME
        zipStorePath=wrapper/dists
        """
        .formatted(HEADER, reactor.property("gradle.version"));
  }
}
