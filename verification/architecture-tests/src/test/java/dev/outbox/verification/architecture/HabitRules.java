package dev.outbox.verification.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_THROW_GENERIC_EXCEPTIONS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;

import java.security.Security;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.NullMarked;

/** Habits that hold in every package. */
final class HabitRules {

  private static final String DRAWER = ".*(Utils?|Helpers?|Managers?|Impl)";

  private HabitRules() {}

  static List<ArchitectureRule> all() {
    return List.of(
        new ArchitectureRule("noClassIsADrawer", noClasses().should().haveNameMatching(DRAWER)),
        new ArchitectureRule(
            "everyPackageIsNullMarked",
            classes()
                .should(
                    new EachClass(
                        "reside in a package that is @NullMarked",
                        type -> type.getPackage().isAnnotatedWith(NullMarked.class)))),
        new ArchitectureRule(
            "nobodyWritesToTheStandardStreams", NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS),
        new ArchitectureRule(
            "nobodySetsPropertiesOfTheWholeJvm",
            noClasses()
                .should()
                .callMethod(System.class, "setProperty", String.class, String.class)
                .orShould()
                .callMethod(System.class, "setProperties", Properties.class)
                .orShould()
                .callMethod(System.class, "getProperties")
                .orShould()
                .callMethod(Security.class, "setProperty", String.class, String.class)
                .because("they are the host's, and every library in its process reads them")),
        new ArchitectureRule(
            "nobodyLogsWithJavaUtilLogging", NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING),
        new ArchitectureRule(
            "nobodyThrowsAGenericException", NO_CLASSES_SHOULD_THROW_GENERIC_EXCEPTIONS));
  }
}
