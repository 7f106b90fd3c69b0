package dev.outbox.verification.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.function.Predicate;

/** The condition that a class, taken by itself, passes a test. */
final class EachClass extends ArchCondition<JavaClass> {

  private final Predicate<JavaClass> test;

  EachClass(String description, Predicate<JavaClass> test) {
    super(description);
    this.test = test;
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    if (!test.test(type)) {
      events.add(SimpleConditionEvent.violated(type, type.getName() + " should " + this));
    }
  }
}
