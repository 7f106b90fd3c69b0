package dev.outbox.verification.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The packages of the library below a root: those of the core, and one for each other module.
 *
 * @param root the root package, itself part of the core
 */
record PackageMap(String root) {

  /** What each exported package of the core below the root sees of ours, besides itself. */
  static final Map<String, List<String>> FEATURES =
      Map.of(
          "store", List.of("email", "settings"),
          "content", List.of("email", "store"),
          "transport", List.of("email"),
          "template", List.of("email"),
          "callback", List.of("email", "settings"),
          "event", List.of("email"),
          "monitoring", List.of("email"));

  /**
   * The packages below {@code internal} by level. A class sees its own package, and packages of
   * lower levels.
   */
  static final List<List<String>> INTERNAL_LEVELS =
      List.of(
          List.of("logging", "payload"),
          List.of("concurrent", "config"),
          List.of("event", "node"),
          List.of("accept", "stage", "record"),
          List.of("read", "run"));

  /** The modules that connect the core to something else. */
  static final List<String> ADAPTERS = List.of("mysql", "dynamodb", "smtp", "javalin");

  /** The package into which the build of the core relocates jmustache; foreign code. */
  static final String MUSTACHE = "internal.mustache";

  /** The root package alone, without what is below. */
  static final String ROOT = "";

  static final String[] EXPORTED =
      Stream.concat(Stream.of(ROOT, "email", "retry", "settings"), FEATURES.keySet().stream())
          .toArray(String[]::new);

  /** The patterns of the named packages and what is below them. */
  String[] patterns(String... names) {
    return Stream.of(names)
        .map(name -> name.equals(ROOT) ? root : root + "." + name + "..")
        .toArray(String[]::new);
  }

  DescribedPredicate<JavaClass> in(String... names) {
    return resideInAnyPackage(patterns(names));
  }

  /** Everything that is not ours, and of ours only the named packages. */
  DescribedPredicate<JavaClass> foreignOrIn(String... names) {
    return resideOutsideOfPackage(root + "..")
        .or(in(MUSTACHE))
        .or(in(names))
        .as("are not ours or reside in %s", List.of(names));
  }
}
