package dev.outbox.verification.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The condition that no type of the given packages can be read off a class from outside. */
final class NotShow extends ArchCondition<JavaClass> {

  private final DescribedPredicate<JavaClass> hidden;

  NotShow(String... packages) {
    super("not show types of %s", List.of(packages));
    this.hidden = resideInAnyPackage(packages);
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    check(type, type.getName(), supertypes(type), events);
    for (JavaMember member : type.getMembers()) {
      if (isVisible(member)) {
        check(type, member.getFullName(), member.getAllInvolvedRawTypes(), events);
      }
    }
  }

  private void check(
      JavaClass owner, String who, Collection<JavaClass> seen, ConditionEvents events) {
    seen.stream()
        .filter(hidden)
        .map(type -> who + " shows " + type.getName())
        .forEach(text -> events.add(SimpleConditionEvent.violated(owner, text)));
  }

  private static List<JavaClass> supertypes(JavaClass type) {
    return Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
        .map(JavaType::getAllInvolvedRawTypes)
        .flatMap(Set::stream)
        .toList();
  }

  private static boolean isVisible(JavaMember member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }
}
