package dev.outbox.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The library keeps every rule, and every rule can be broken. */
class ArchitectureTest {

  private static final String BROKEN = "dev.outbox.verification.broken";
  private static final JavaClasses LIBRARY = LibraryClasses.imported();
  private static final JavaClasses COUNTEREXAMPLES = LibraryClasses.below(BROKEN);

  @ParameterizedTest
  @MethodSource("rulesOfTheLibrary")
  void theLibraryKeeps(ArchitectureRule rule) {
    assertThat(rule.violations(LIBRARY)).as(rule.name()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("rulesOfTheCounterexamples")
  void everyRuleTurnsRedOnItsCounterexample(ArchitectureRule rule) {
    List<String> culprits = culpritsOf(rule.name());
    assertThat(culprits).as("classes that break %s on purpose", rule).isNotEmpty();
    String report = String.join("\n", rule.violations(COUNTEREXAMPLES));
    assertThat(culprits).allSatisfy(culprit -> assertThat(report).contains(culprit));
  }

  @Test
  void everyCounterexampleNamesARuleThatExists() {
    Set<String> names =
        rulesOfTheCounterexamples().stream()
            .map(ArchitectureRule::name)
            .collect(Collectors.toSet());
    assertThat(COUNTEREXAMPLES)
        .filteredOn(type -> type.isAnnotatedWith(Breaks.class))
        .isNotEmpty()
        .allSatisfy(
            type -> assertThat(names).contains(type.getAnnotationOfType(Breaks.class).value()));
  }

  @Test
  void everySourceFileOfThePublishedModulesIsChecked() {
    assertThat(LibraryClasses.sourceNames())
        .allSatisfy(name -> assertThat(LIBRARY.contain(name)).as(name).isTrue());
  }

  @Test
  void noPackageIsSplitBetweenModules() {
    assertThat(SplitPackages.in(LIBRARY)).isEmpty();
  }

  @Test
  void noAdapterShowsMoreThanFourTypes() {
    assertThat(ApiRules.PUBLIC_TYPES).containsOnlyKeys(PackageMap.ADAPTERS);
    assertThat(ApiRules.PUBLIC_TYPES.values())
        .allSatisfy(types -> assertThat(types).hasSizeLessThanOrEqualTo(4));
  }

  static List<ArchitectureRule> rulesOfTheLibrary() {
    return ArchitectureRules.below(LibraryClasses.ROOT);
  }

  static List<ArchitectureRule> rulesOfTheCounterexamples() {
    return ArchitectureRules.below(BROKEN);
  }

  private static List<String> culpritsOf(String rule) {
    return COUNTEREXAMPLES.stream()
        .filter(type -> type.isAnnotatedWith(Breaks.class))
        .filter(type -> List.of(type.getAnnotationOfType(Breaks.class).value()).contains(rule))
        .map(JavaClass::getName)
        .toList();
  }
}
