package dev.outbox.verification.architecture;

import java.util.List;
import java.util.stream.Stream;

/** All rules of the package map. */
final class ArchitectureRules {

  private ArchitectureRules() {}

  static List<ArchitectureRule> below(String root) {
    PackageMap map = new PackageMap(root);
    return Stream.of(
            DirectionRules.of(map),
            ModuleRules.of(map),
            LibraryRules.of(map),
            ApiRules.of(map),
            HabitRules.all())
        .flatMap(List::stream)
        .toList();
  }
}
