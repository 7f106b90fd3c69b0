package dev.outbox.verification.gradle;

import dev.outbox.verification.reactor.ReactorModule;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Exclusion;

/** The Gradle script of a module with code. */
final class ModuleScript {

  private final VersionCatalog catalog;
  private final TestSettings tests;

  ModuleScript(VersionCatalog catalog, TestSettings tests) {
    this.catalog = catalog;
    this.tests = tests;
  }

  String of(ReactorModule module) {
    Stream<String> blocks =
        module.isPublished()
            ? Stream.of(
                "plugins {\n    `java-library`\n    `maven-publish`\n}\n",
                "java {\n    withJavadocJar()\n    withSourcesJar()\n}\n",
                dependencies(module),
                tests.of(module),
                manifest(module),
                publication())
            : Stream.of(
                "plugins {\n    `java-library`\n}\n", dependencies(module), tests.of(module));
    return Stream.concat(Stream.of("// " + RootScripts.HEADER + "\n"), blocks)
        .filter(block -> !block.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  private String dependencies(ReactorModule module) {
    List<Dependency> dependencies = module.model().getDependencies();
    Stream<String> platforms =
        configurationsByBom(module).entrySet().stream()
            .flatMap(
                bom ->
                    bom.getValue().stream().map(name -> platform(name, bom.getKey().accessor())));
    Stream<String> libraries =
        dependencies.stream().flatMap(dependency -> declarations(module, dependency));
    return Stream.concat(platforms, libraries)
        .collect(Collectors.joining("", "dependencies {\n", "}\n"));
  }

  private static String platform(String configuration, String bom) {
    return "    %s(platform(%s))\n".formatted(configuration, bom);
  }

  /** The configurations that take versions from each BOM; tests see the platforms of the code. */
  private Map<Library, Set<String>> configurationsByBom(ReactorModule module) {
    Map<Library, Set<String>> configurationsByBom = new LinkedHashMap<>();
    for (Dependency dependency : module.model().getDependencies()) {
      if (!catalog.isOurs(dependency)) {
        catalog
            .bomOf(catalog.library(dependency))
            .map(bom -> configurationsByBom.computeIfAbsent(bom, none -> new LinkedHashSet<>()))
            .ifPresent(names -> configurations(module, dependency).forEach(names::add));
      }
    }
    for (Set<String> names : configurationsByBom.values()) {
      if (names.contains("api") || names.contains("implementation")) {
        names.remove("testImplementation");
      }
    }
    return configurationsByBom;
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

  private String exclusions(Dependency dependency) {
    List<Exclusion> exclusions = catalog.exclusions(dependency);
    if (exclusions.isEmpty()) {
      return "";
    }
    return exclusions.stream()
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
