package dev.outbox.verification.gradle;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The test classes that a build selects, by Ant's patterns for paths.
 *
 * @param includes one of these matches; without any, every class does
 * @param excludes none of these matches
 */
record ClassSelection(Set<String> includes, Set<String> excludes) {

  private static final Pattern TOKEN = Pattern.compile("\\*\\*/|\\*\\*|\\*|[^*]+");

  ClassSelection {
    includes = Set.copyOf(includes);
    excludes = Set.copyOf(excludes);
  }

  /** {@return the class files that are selected} */
  Set<String> of(Collection<String> paths) {
    return paths.stream()
        .filter(
            path ->
                includes.isEmpty() || includes.stream().anyMatch(pattern -> matches(pattern, path)))
        .filter(path -> excludes.stream().noneMatch(pattern -> matches(pattern, path)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean matches(String pattern, String path) {
    String regex =
        TOKEN
            .matcher(pattern)
            .results()
            .map(MatchResult::group)
            .map(ClassSelection::regex)
            .collect(Collectors.joining());
    return path.matches(regex);
  }

  private static String regex(String token) {
    return switch (token) {
      case "**/" -> "(?:.*/)?";
      case "**" -> ".*";
      case "*" -> "[^/]*";
      default -> Pattern.quote(token);
    };
  }
}
