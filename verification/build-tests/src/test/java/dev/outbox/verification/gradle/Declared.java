package dev.outbox.verification.gradle;

import java.util.Set;

/**
 * A dependency of a module, as one of the builds declares it.
 *
 * @param library group and artifact
 * @param excluded group and artifact of each transitive dependency that is excluded
 */
record Declared(String library, Set<String> excluded) {

  Declared {
    excluded = Set.copyOf(excluded);
  }
}
