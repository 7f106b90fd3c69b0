package dev.outbox.verification.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.outbox.verification.architecture.PackageMap.EXPORTED;
import static dev.outbox.verification.architecture.PackageMap.FEATURES;
import static dev.outbox.verification.architecture.PackageMap.INTERNAL_LEVELS;
import static dev.outbox.verification.architecture.PackageMap.MUSTACHE;
import static dev.outbox.verification.architecture.PackageMap.ROOT;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The one direction in which the packages of the core see each other. */
final class DirectionRules {

  private DirectionRules() {}

  static List<ArchitectureRule> of(PackageMap map) {
    List<ArchitectureRule> rules = new ArrayList<>();
    rules.add(sees("emailSeesNothingElseOfOurs", map, "email"));
    rules.add(sees("retrySeesNothingElseOfOurs", map, "retry"));
    rules.add(sees("settingsSeeNothingElseOfOurs", map, "settings"));
    FEATURES.forEach(
        (feature, seen) ->
            rules.add(
                sees(
                    feature + "SeesOnlyWhatTheMapAllows",
                    map,
                    feature,
                    seen.toArray(String[]::new))));
    rules.add(
        sees(
            "internalSeesOnlyTheExportedPackagesBelowTheRoot",
            map,
            "internal",
            Stream.of(EXPORTED).filter(name -> !name.equals(ROOT)).toArray(String[]::new)));
    rules.add(
        sees(
            "theRootSeesOnlyTheCore",
            map,
            ROOT,
            Stream.concat(Stream.of("internal"), Stream.of(EXPORTED)).toArray(String[]::new)));
    rules.add(onlyTheRootSeesInternal(map));
    rules.add(internalPackagesSeeOnlyLowerLevels(map));
    rules.add(packagesHaveNoCycles(map));
    return rules;
  }

  /** The rule that one package sees itself, the named ones, and nothing else of ours. */
  static ArchitectureRule sees(String name, PackageMap map, String who, String... whom) {
    String[] allowed = Stream.concat(Stream.of(who), Stream.of(whom)).toArray(String[]::new);
    return new ArchitectureRule(
        name,
        classes().that(map.in(who)).should().onlyDependOnClassesThat(map.foreignOrIn(allowed)));
  }

  private static ArchitectureRule onlyTheRootSeesInternal(PackageMap map) {
    return new ArchitectureRule(
        "onlyTheRootSeesInternal",
        noClasses()
            .that(DescribedPredicate.not(map.in(ROOT, "internal")))
            .should()
            .dependOnClassesThat(
                map.in("internal").and(DescribedPredicate.not(map.in(PackageMap.MUSTACHE)))));
  }

  private static ArchitectureRule internalPackagesSeeOnlyLowerLevels(PackageMap map) {
    return new ArchitectureRule(
        "internalPackagesSeeOnlyLowerLevels",
        classes()
            .that(map.in("internal").and(DescribedPredicate.not(map.in(MUSTACHE))))
            .should(
                new EachClass(
                    "see only packages of lower levels",
                    type ->
                        type.getDirectDependenciesFromSelf().stream()
                            .map(dependency -> dependency.getTargetClass().getPackageName())
                            .filter(seen -> !seen.equals(type.getPackageName()))
                            .allMatch(
                                seen -> level(map, seen) < level(map, type.getPackageName())))));
  }

  /** Returns the level of a package below {@code internal}; -1 for all other packages. */
  private static int level(PackageMap map, String name) {
    String internal = map.root() + ".internal";
    if (name.equals(internal)) {
      return INTERNAL_LEVELS.size();
    }
    if (!name.startsWith(internal + ".") || name.startsWith(map.root() + "." + MUSTACHE)) {
      return -1;
    }
    String below = name.substring(internal.length() + 1);
    return IntStream.range(0, INTERNAL_LEVELS.size())
        .filter(level -> INTERNAL_LEVELS.get(level).contains(below))
        .findFirst()
        .orElse(INTERNAL_LEVELS.size() + 1);
  }

  private static ArchitectureRule packagesHaveNoCycles(PackageMap map) {
    return new ArchitectureRule(
        "packagesHaveNoCycles", slices().assignedFrom(eachPackage(map)).should().beFreeOfCycles());
  }

  private static SliceAssignment eachPackage(PackageMap map) {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        return (type.getPackageName() + ".").startsWith(map.root() + ".")
            ? SliceIdentifier.of(type.getPackageName())
            : SliceIdentifier.ignore();
      }

      @Override
      public String getDescription() {
        return "the packages";
      }
    };
  }
}
