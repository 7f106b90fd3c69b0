package dev.outbox.verification.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.maven.model.Build;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Model;
import org.apache.maven.model.Plugin;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReactorTest {

  private static final Reactor REACTOR = Reactor.read(Repository.root());
  private static final ReactorModule BOM = REACTOR.module("outbox-bom");

  /** Built and run by documentation-tests with what was packaged; no modules of either build. */
  private static final String HOST = "examples/host-project";

  private static final String SPRING = "examples/spring-recipe";

  @Test
  void everyPomBelongsToTheReactorButTheHosts() {
    List<String> directories =
        Repository.files(Repository.root(), "pom.xml"::equals).stream()
            .map(Path::getParent)
            .map(directory -> Repository.root().relativize(directory).toString())
            .toList();
    assertThat(directories)
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(
                    Stream.of("", HOST, SPRING),
                    REACTOR.aggregators().stream().map(ReactorModule::directory),
                    REACTOR.modules().stream().map(ReactorModule::directory),
                    modulesOfProfiles())
                .flatMap(names -> names)
                .toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {HOST, SPRING})
  void aHostProjectStandsAloneAndUsesThisVersionByTheBom(String project) {
    Model host = Reactor.readPom(Repository.root().resolve(project));
    assertThat(host.getParent()).isNull();
    assertThat(host.getDependencyManagement().getDependencies())
        .extracting(Dependency::getManagementKey, Dependency::getVersion)
        .containsExactly(tuple("dev.outbox:outbox-bom:pom", REACTOR.parent().getVersion()));
    assertThat(host.getDependencies())
        .filteredOn(dependency -> dependency.getGroupId().equals("dev.outbox"))
        .isNotEmpty()
        .allSatisfy(dependency -> assertThat(dependency.getVersion()).isNull());
    assertThat(pluginVersions(REACTOR.parent().getBuild()))
        .containsAllEntriesOf(pluginVersions(host.getBuild()));
  }

  @Test
  void theHostProjectHasTheOtherVersionsOfTheParent() {
    assertThat(otherVersions(HOST))
        .containsExactlyInAnyOrder(
            tuple("h2", REACTOR.property("h2.version")),
            tuple("junit-jupiter", REACTOR.property("junit.version")),
            tuple("slf4j-simple", REACTOR.property("slf4j.version")));
  }

  @Test
  void theSpringRecipeHasTheOtherVersionsOfTheParentAndTwoOfSpring() {
    assertThat(otherVersions(SPRING))
        .containsExactlyInAnyOrder(
            tuple("spring-context", "${spring.version}"),
            tuple("spring-jdbc", "${spring.version}"),
            tuple("spring-orm", "${spring.version}"),
            tuple("hibernate-core", "${hibernate.version}"),
            tuple("assertj-core", REACTOR.property("assertj.version")),
            tuple("awaitility", REACTOR.property("awaitility.version")),
            tuple("h2", REACTOR.property("h2.version")),
            tuple("junit-jupiter", REACTOR.property("junit.version")),
            tuple("slf4j-jdk14", REACTOR.property("slf4j.version")));
    Model recipe = Reactor.readPom(Repository.root().resolve(SPRING));
    assertThat(recipe.getProperties().getProperty("spring.version")).startsWith("7.");
    assertThat(recipe.getProfiles())
        .extracting(profile -> profile.getProperties().getProperty("spring.version"))
        .singleElement()
        .asString()
        .startsWith("6.2.");
  }

  @Test
  void theBomListsThePublishedModulesAndNothingElse() {
    assertThat(BOM.managedDependencies())
        .extracting(Dependency::getManagementKey)
        .containsExactlyInAnyOrderElementsOf(
            publishedJars().stream().map(name -> "dev.outbox:" + name + ":jar").toList());
  }

  @Test
  void theBomHasTheVersionOfTheParent() {
    assertThat(BOM.model().getVersion()).isEqualTo(REACTOR.parent().getVersion());
    assertThat(BOM.managedDependencies())
        .allSatisfy(managed -> assertThat(managed.getVersion()).isEqualTo("${project.version}"));
  }

  @Test
  void theBomHasThePluginVersionsOfTheParent() {
    assertThat(pluginVersions(REACTOR.parent().getBuild()))
        .containsAllEntriesOf(pluginVersions(BOM.model().getBuild()));
  }

  @Test
  void theReadmeInstallsEveryPublishedModule() throws IOException {
    String readme = Files.readString(Repository.root().resolve("README.md"));
    Matcher command = Pattern.compile("mvn .* install .*-am -pl (\\S+)").matcher(readme);
    assertThat(command.find()).as("the command that installs the artifacts").isTrue();
    assertThat(List.of(command.group(1).split(",", -1)))
        .containsExactlyInAnyOrderElementsOf(
            REACTOR.publishedModules().stream()
                .map(ReactorModule::name)
                .filter(name -> !name.equals("outbox-core")) // which all others need: -am
                .toList());
  }

  @Test
  void thePublishedModulesAreThoseWhoseNameSaysSo() {
    assertThat(REACTOR.publishedModules())
        .isNotEmpty()
        .extracting(ReactorModule::directory)
        .containsExactlyElementsOf(
            REACTOR.modules().stream()
                .map(ReactorModule::directory)
                .filter(directory -> directory.startsWith("outbox-"))
                .toList());
  }

  /** Maven orders modules by their dependencies, and only then as the POMs list them. */
  @ParameterizedTest
  @ValueSource(strings = {"architecture-tests", "documentation-tests"})
  void whatChecksThePublishedModulesDependsOnAllOfThem(String module) {
    assertThat(REACTOR.module(module).model().getDependencies())
        .extracting(Dependency::getArtifactId)
        .containsAll(REACTOR.publishedModules().stream().map(ReactorModule::name).toList());
  }

  /** A module inherits from the root POM alone, which is all that the Gradle files know about. */
  @Test
  void anAggregatorOnlyListsModulesAndIsNotPublished() {
    assertThat(REACTOR.aggregators())
        .isNotEmpty()
        .allSatisfy(
            aggregator -> {
              assertThat(aggregator.isPublished()).as(aggregator.name()).isFalse();
              assertThat(aggregator.model().getDependencies()).isEmpty();
              assertThat(aggregator.managedDependencies()).isEmpty();
              assertThat(aggregator.model().getBuild()).isNull();
            });
    assertThat(REACTOR.modules())
        .filteredOn(module -> module.model().getParent() != null)
        .extracting(module -> module.model().getParent().getArtifactId())
        .containsOnly(REACTOR.parent().getArtifactId());
  }

  @Test
  void everyModuleWithCodeFailsOnSkippedTests() {
    assertThat(REACTOR.modules())
        .filteredOn(module -> !module.isBom() && !module.name().equals("test-listener"))
        .allSatisfy(
            module ->
                assertThat(module.model().getDependencies())
                    .as(module.name())
                    .filteredOn(dependency -> "test".equals(dependency.getScope()))
                    .extracting(Dependency::getArtifactId)
                    .contains("test-listener"));
  }

  @Test
  void everyPublishedJarHasAnAutomaticModuleNameOfItsOwn() {
    assertThat(REACTOR.publishedModules())
        .filteredOn(module -> !module.isBom())
        .extracting(module -> module.model().getProperties().getProperty("automatic.module.name"))
        .doesNotHaveDuplicates()
        .allSatisfy(name -> assertThat(name).startsWith("dev.outbox"));
    assertThat(Repository.files(Repository.root(), "module-info.java"::equals)).isEmpty();
  }

  /** Modules that are built only when asked for, which the Gradle files leave out. */
  private static Stream<String> modulesOfProfiles() {
    return REACTOR.aggregators().stream()
        .flatMap(
            aggregator ->
                aggregator.model().getProfiles().stream()
                    .flatMap(profile -> profile.getModules().stream())
                    .map(module -> aggregator.directory() + "/" + module));
  }

  private static Map<String, String> pluginVersions(Build build) {
    Stream<Plugin> managed =
        Stream.ofNullable(build.getPluginManagement()).flatMap(each -> each.getPlugins().stream());
    return Stream.concat(build.getPlugins().stream(), managed)
        .collect(Collectors.toMap(Plugin::getArtifactId, Plugin::getVersion));
  }

  private static List<Tuple> otherVersions(String project) {
    return Reactor.readPom(Repository.root().resolve(project)).getDependencies().stream()
        .filter(dependency -> !dependency.getGroupId().equals("dev.outbox"))
        .map(dependency -> tuple(dependency.getArtifactId(), dependency.getVersion()))
        .toList();
  }

  private static List<String> publishedJars() {
    return REACTOR.publishedModules().stream()
        .filter(module -> !module.isBom())
        .map(ReactorModule::name)
        .toList();
  }
}
