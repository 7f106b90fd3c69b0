package dev.outbox.verification.gradle;

import dev.outbox.verification.reactor.ReactorModule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Exclusion;

/** The Gradle script of a module with code. */
final class ModuleScript {

  private final VersionCatalog catalog;

  ModuleScript(VersionCatalog catalog) {
    this.catalog = catalog;
  }

  String of(ReactorModule module) {
    Stream<String> blocks =
        module.isPublished()
            ? Stream.of(
                "plugins {\n    `java-library`\n    `maven-publish`\n}\n",
                "java {\n    withJavadocJar()\n    withSourcesJar()\n}\n",
                dependencies(module),
                manifest(module),
                publication())
            : Stream.of("plugins {\n    `java-library`\n}\n", dependencies(module));
    return Stream.concat(Stream.of("// " + RootScripts.HEADER + "\n"), blocks)
        .collect(Collectors.joining("\n"));
  }

  private String dependencies(ReactorModule module) {
    List<Dependency> dependencies = module.model().getDependencies();
    Stream<String> platforms =
        bomsByConfiguration(module).entrySet().stream()
            .map(
                bom -> "    %s(platform(%s))\n".formatted(bom.getValue(), bom.getKey().accessor()));
    Stream<String> libraries =
        dependencies.stream().flatMap(dependency -> declarations(module, dependency));
    return Stream.concat(platforms, libraries)
        .collect(Collectors.joining("", "dependencies {\n", "}\n"));
  }

  /** The first use decides: test configurations, which come last, see what the others have. */
  private Map<Library, String> bomsByConfiguration(ReactorModule module) {
    Map<Library, String> configurationByBom = new LinkedHashMap<>();
    for (Dependency dependency : module.model().getDependencies()) {
      if (!catalog.isOurs(dependency)) {
        String configuration = configurations(module, dependency).findFirst().orElseThrow();
        catalog
            .bomOf(catalog.library(dependency))
            .ifPresent(bom -> configurationByBom.putIfAbsent(bom, configuration));
      }
    }
    return configurationByBom;
  }

  private Stream<String> declarations(ReactorModule module, Dependency dependency) {
    refuseWhatGradleWouldNeedOtherwise(dependency);
    String notation =
        catalog.isOurs(dependency) ? project(dependency) : catalog.library(dependency).accessor();
    return configurations(module, dependency)
        .map(name -> "    %s(%s)%s\n".formatted(name, notation, exclusions(dependency)));
  }

  private static String project(Dependency dependency) {
    String project = "project(\":%s\")".formatted(dependency.getArtifactId());
    return isBom(dependency) ? "platform(%s)".formatted(project) : project;
  }

  private static boolean isBom(Dependency dependency) {
    return "pom".equals(dependency.getType());
  }

  /** An unpublished module has no users, so nothing in it is API. */
  private static Stream<String> configurations(ReactorModule module, Dependency dependency) {
    String scope = dependency.getScope() == null ? "compile" : dependency.getScope();
    if (scope.equals("provided") || (scope.equals("compile") && dependency.isOptional())) {
      return Stream.of("compileOnly", "testImplementation");
    }
    return switch (scope) {
      case "compile" -> Stream.of(module.isPublished() ? "api" : "implementation");
      case "runtime" -> Stream.of("runtimeOnly");
      case "test" -> Stream.of("testImplementation");
      default -> throw new IllegalStateException("scope " + scope + " has no Gradle counterpart");
    };
  }

  private static String exclusions(Dependency dependency) {
    if (dependency.getExclusions().isEmpty()) {
      return "";
    }
    return dependency.getExclusions().stream()
        .map(ModuleScript::exclusion)
        .collect(Collectors.joining("", " {\n", "    }"));
  }

  private static String exclusion(Exclusion exclusion) {
    return "        exclude(group = \"%s\", module = \"%s\")\n"
        .formatted(exclusion.getGroupId(), exclusion.getArtifactId());
  }

  private void refuseWhatGradleWouldNeedOtherwise(Dependency dependency) {
    if (dependency.getVersion() != null) {
      throw new IllegalStateException(
          dependency.getManagementKey() + " wants its version in the root POM");
    }
    boolean isOurBom = catalog.isOurs(dependency) && isBom(dependency);
    if (dependency.getClassifier() != null || !("jar".equals(dependency.getType()) || isOurBom)) {
      throw new IllegalStateException(
          dependency.getManagementKey() + " is no plain jar; teach ModuleScript about it");
    }
  }

  private static String manifest(ReactorModule module) {
    return """
        tasks.jar {
            manifest {
                attributes("Automatic-Module-Name" to "%s")
            }
        }
        """
        .formatted(module.model().getProperties().getProperty("automatic.module.name"));
  }

  private static String publication() {
    return """
        publishing {
            publications {
                create<MavenPublication>("maven") {
                    from(components["java"])
                }
            }
        }
        """;
  }
}
