package dev.outbox.verification.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/**
 * A rule with the name by which its counterexamples call it.
 *
 * @param name a claim about the code
 * @param rule how to check it
 */
record ArchitectureRule(String name, ArchRule rule) {

  /** A module that a rule is about may not exist yet, so a rule that meets no class holds. */
  List<String> violations(JavaClasses classes) {
    return rule.allowEmptyShould(true).evaluate(classes).getFailureReport().getDetails();
  }

  @Override
  public String toString() {
    return name;
  }
}
