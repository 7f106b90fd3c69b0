package dev.outbox.verification.gradle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.verification.reactor.Reactor;
import dev.outbox.verification.reactor.ReactorModule;
import dev.outbox.verification.reactor.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Surefire settings without a counterpart in Gradle are errors, and are not left out. */
class TestSettingsTest {

  private static final Reactor REACTOR = Reactor.read(Repository.root());

  @ParameterizedTest
  @CsvSource({
    "outbox-smtp, systemPropertyVariables, environmentVariables, environmentVariables",
    "outbox-smtp, ${project.basedir}/, ${project.build.directory}/, ${project.build.directory}/",
    "outbox-store-mysql, env.OUTBOX_TEST_JDBC_URL, server, includes of the profile external-server",
    "outbox-store-mysql, includes>, excludes>, excludes",
    "., <version>3.6.1</version>, <configuration><argLine/></configuration>, the root POM",
    "verification/architecture-tests, <phase>verify</phase>, <phase>verify</phase><configuration><argLine/></configuration>, the execution default-test",
  })
  void aSettingThatGradleWouldNotGetIsRefused(
      String module, String from, String to, String named, @TempDir Path copy) throws IOException {
    for (String each : modules()) {
      String pom = Files.readString(Repository.root().resolve(each).resolve("pom.xml"));
      if (each.equals(module)) {
        assertThat(pom).contains(from);
        pom = pom.replace(from, to);
      }
      Path directory = Files.createDirectories(copy.resolve(each).normalize());
      Files.writeString(directory.resolve("pom.xml"), pom);
    }

    Reactor changed = Reactor.read(copy);
    assertThatThrownBy(() -> GradleFiles.of(changed))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Surefire")
        .hasMessageContaining(named);
  }

  private static List<String> modules() {
    return Stream.of(
            Stream.of("."),
            REACTOR.aggregators().stream().map(ReactorModule::directory),
            REACTOR.modules().stream().map(ReactorModule::directory))
        .flatMap(directories -> directories)
        .toList();
  }
}
