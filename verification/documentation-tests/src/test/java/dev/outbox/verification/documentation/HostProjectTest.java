package dev.outbox.verification.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.verification.reactor.Reactor;
import dev.outbox.verification.reactor.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Model;
import org.junit.jupiter.api.Test;

/** The Gradle script of the project to copy does what its POM does. */
class HostProjectTest {

  private static final Path HOST = Repository.root().resolve("examples/host-project");
  private static final Pattern DECLARATION =
      Pattern.compile("(?m)^ {4}\\w+(?:\\(platform)?\\(\"[^\"]+\"\\)");

  @Test
  void itsGradleScriptHasTheDependenciesOfItsPom() throws IOException {
    Model pom = Reactor.readPom(HOST);
    List<String> expected = new ArrayList<>();
    pom.getDependencyManagement()
        .getDependencies()
        .forEach(bom -> expected.add("implementation(platform(\"%s\")".formatted(notation(bom))));
    for (Dependency dependency : pom.getDependencies()) {
      expected.add("%s(\"%s\")".formatted(configuration(dependency), notation(dependency)));
      if (dependency.getArtifactId().equals("junit-jupiter")) { // Surefire brings the launcher
        expected.add(
            "testRuntimeOnly(\"org.junit.platform:junit-platform-launcher:%s\")"
                .formatted(dependency.getVersion()));
      }
    }

    assertThat(DECLARATION.matcher(script()).results().map(MatchResult::group).map(String::strip))
        .containsExactlyElementsOf(expected);
  }

  @Test
  void itsGradleScriptCompilesForTheReleaseOfItsPom() throws IOException {
    String release = Reactor.readPom(HOST).getProperties().getProperty("maven.compiler.release");
    assertThat(script()).contains("options.release = " + release + "\n");
  }

  private static String script() throws IOException {
    return Files.readString(HOST.resolve("build.gradle.kts"));
  }

  private static String configuration(Dependency dependency) {
    return switch (String.valueOf(dependency.getScope())) {
      case "runtime" -> "runtimeOnly";
      case "test" -> "testImplementation";
      default -> "implementation";
    };
  }

  private static String notation(Dependency dependency) {
    String module = dependency.getGroupId() + ":" + dependency.getArtifactId();
    return dependency.getVersion() == null ? module : module + ":" + dependency.getVersion();
  }
}
