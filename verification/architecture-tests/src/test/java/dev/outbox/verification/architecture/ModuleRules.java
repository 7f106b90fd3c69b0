package dev.outbox.verification.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static dev.outbox.verification.architecture.DirectionRules.sees;
import static dev.outbox.verification.architecture.PackageMap.ADAPTERS;
import static dev.outbox.verification.architecture.PackageMap.EXPORTED;

import java.util.List;
import java.util.stream.Stream;

/** What each module outside the core may see of ours: never another of its kind. */
final class ModuleRules {

  private ModuleRules() {}

  static List<ArchitectureRule> of(PackageMap map) {
    return List.of(
        sees(
            "mysqlSeesOnlyWhatStoresMaySee", map, "mysql", "email", "store", "settings", "content"),
        sees(
            "dynamodbSeesOnlyWhatStoresMaySee",
            map,
            "dynamodb",
            "email",
            "store",
            "settings",
            "content"),
        sees("smtpSeesOnlyEmailAndTransport", map, "smtp", "email", "transport"),
        sees("javalinSeesOnlyExportedPackages", map, "javalin", EXPORTED),
        sees("testkitSeesOnlyExportedPackages", map, "testkit", EXPORTED),
        everyPackageIsOnTheMap(map));
  }

  /** No other rule would speak about a package that nobody has thought of. */
  private static ArchitectureRule everyPackageIsOnTheMap(PackageMap map) {
    String[] known =
        Stream.of(Stream.of(EXPORTED), ADAPTERS.stream(), Stream.of("internal", "testkit"))
            .flatMap(names -> names)
            .toArray(String[]::new);
    return new ArchitectureRule(
        "everyPackageIsOnTheMap", classes().should().resideInAnyPackage(map.patterns(known)));
  }
}
