package dev.outbox.verification.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.INTERFACES;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What users of the library, and authors of stores, get to see. */
final class ApiRules {

  /** The public types of each adapter; a new one is a decision, and four are many. */
  static final Map<String, Set<String>> PUBLIC_TYPES =
      Map.of(
          "mysql",
          Set.of("MySqlStore", "MySqlStoreBuilder", "MySqlSchema"),
          "dynamodb",
          Set.of("DynamoDbLog", "DynamoDbSchema", "DynamoDbStore", "DynamoDbTransaction"),
          "smtp",
          Set.of("SmtpTransport", "SmtpRelay", "FolderTransport", "RecipientAllowList"),
          "javalin",
          Set.of("AccessRole", "DevelopmentInbox", "OutboxPlugin", "OutboxPluginConfig"));

  private ApiRules() {}

  static List<ArchitectureRule> of(PackageMap map) {
    List<ArchitectureRule> rules = new ArrayList<>();
    for (String adapter : PackageMap.ADAPTERS) {
      rules.add(publicTypesAreListed(map, adapter));
    }
    rules.add(signaturesAreFreeOfJacksonAndMustache(map));
    rules.add(storesHaveNoDefaultMethods(map));
    rules.add(noMethodDeclaresAGenericException());
    return rules;
  }

  private static ArchitectureRule publicTypesAreListed(PackageMap map, String adapter) {
    Set<String> listed = PUBLIC_TYPES.getOrDefault(adapter, Set.of());
    return new ArchitectureRule(
        "thePublicTypesOf_%s_AreListed".formatted(adapter),
        classes()
            .that(map.in(adapter))
            .and()
            .areTopLevelClasses()
            .and()
            .arePublic()
            .should(
                new EachClass(
                    "be listed in ApiRules.PUBLIC_TYPES",
                    type -> listed.contains(type.getSimpleName()))));
  }

  private static ArchitectureRule signaturesAreFreeOfJacksonAndMustache(PackageMap map) {
    return new ArchitectureRule(
        "signaturesAreFreeOfJacksonAndMustache",
        classes()
            .that(not(map.in("internal")))
            .and()
            .arePublic()
            .should(
                new NotShow(
                    "com.fasterxml.jackson..",
                    "com.samskivert..",
                    map.patterns(PackageMap.MUSTACHE)[0])));
  }

  /** A default would let an old store do nothing where a new core counts on it. */
  private static ArchitectureRule storesHaveNoDefaultMethods(PackageMap map) {
    DescribedPredicate<JavaClass> stores =
        map.in("store").and(INTERFACES).and(simpleNameEndingWith("Store"));
    return new ArchitectureRule(
        "storesHaveNoDefaultMethods",
        methods()
            .that()
            .areDeclaredInClassesThat(stores)
            .and()
            .areNotStatic()
            .should()
            .haveModifier(JavaModifier.ABSTRACT));
  }

  private static ArchitectureRule noMethodDeclaresAGenericException() {
    return new ArchitectureRule(
        "noMethodDeclaresAGenericException",
        methods()
            .that()
            .arePublic()
            .or()
            .areProtected()
            .should()
            .notDeclareThrowableOfType(Exception.class)
            .andShould()
            .notDeclareThrowableOfType(Throwable.class));
  }
}
