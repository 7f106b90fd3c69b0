package dev.outbox.verification.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;

/** Where each library of other people may be seen. */
final class LibraryRules {

  private LibraryRules() {}

  static List<ArchitectureRule> of(PackageMap map) {
    return List.of(
        stays("jdbiAndHikariStayInMysql", map.in("mysql"), "org.jdbi..", "com.zaxxer.hikari.."),
        stays("awsStaysInDynamodb", map.in("dynamodb"), "software.amazon.."),
        stays("mailStaysInSmtp", map.in("smtp"), "jakarta.mail..", "org.eclipse.angus.."),
        stays("javalinStaysInJavalin", map.in("javalin"), "io.javalin.."),
        stays(
            "jacksonStaysInEmailCallbackInternalAndJavalin",
            map.in("email", "callback", "internal", "javalin"),
            "com.fasterxml.jackson.."),
        stays(
            "mustacheStaysInTemplate",
            map.in("template"),
            "com.samskivert..",
            map.patterns(PackageMap.MUSTACHE)[0]),
        stays("testLibrariesStayInTheTestKit", map.in("testkit"), "org.junit..", "org.assertj.."),
        stays(
            "theEventBusStaysInEventInternalJavalinAndTheBuilder",
            map.in("event", "internal", "javalin").or(builder(map)),
            "com.google.common.eventbus.."),
        guavaIsOnlyTheEventBus());
  }

  private static ArchitectureRule stays(
      String name, DescribedPredicate<JavaClass> where, String... library) {
    return new ArchitectureRule(
        name,
        noClasses()
            .that(DescribedPredicate.not(where))
            .should()
            .dependOnClassesThat(resideInAnyPackage(library)));
  }

  private static ArchitectureRule guavaIsOnlyTheEventBus() {
    return new ArchitectureRule(
        "guavaIsOnlyTheEventBus",
        noClasses()
            .should()
            .dependOnClassesThat(
                resideInAPackage("com.google.common..")
                    .and(
                        DescribedPredicate.not(resideInAPackage("com.google.common.eventbus..")))));
  }

  private static DescribedPredicate<JavaClass> builder(PackageMap map) {
    return DescribedPredicate.describe(
        "are the builder",
        type -> type.getName().matches("\\Q" + map.root() + ".OutboxBuilder\\E(\\$.*)?"));
  }
}
