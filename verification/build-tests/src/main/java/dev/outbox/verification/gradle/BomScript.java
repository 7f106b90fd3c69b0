package dev.outbox.verification.gradle;

import dev.outbox.verification.reactor.ReactorModule;
import java.util.stream.Collectors;
import org.apache.maven.model.Dependency;

/** The Gradle script of a module that only names versions. */
final class BomScript {

  private BomScript() {}

  static String of(ReactorModule module) {
    String constraints =
        module.managedDependencies().stream()
            .map(Dependency::getArtifactId)
            .map("        api(project(\":%s\"))\n"::formatted)
            .collect(Collectors.joining());
    return """
        // %s

        plugins {
            `java-platform`
            `maven-publish`
        }

        dependencies {
            constraints {
        %s    }
        }

        publishing {
            publications {
                create<MavenPublication>("maven") {
                    from(components["javaPlatform"])
                }
            }
        }
        """
        .formatted(RootScripts.HEADER, constraints);
  }
}
