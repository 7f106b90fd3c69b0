package dev.outbox.verification.gradle;

import java.util.Locale;
import org.apache.maven.model.Dependency;
import org.jspecify.annotations.Nullable;

/**
 * A library in the version catalog.
 *
 * @param group its group id
 * @param artifact its artifact id
 * @param version the name of its version in the catalog; null when an imported BOM has it
 */
record Library(String group, String artifact, @Nullable String version) {

  static Library of(Dependency dependency, @Nullable String version) {
    return new Library(dependency.getGroupId(), dependency.getArtifactId(), version);
  }

  /** {@return the name in the catalog: the artifact id, unless that says too little} */
  String alias() {
    String last = group.substring(group.lastIndexOf('.') + 1);
    String name = artifact.equals("bom") ? last + "-bom" : artifact;
    return name.replace('.', '-').toLowerCase(Locale.ROOT);
  }

  /** {@return the expression by which a script names it} */
  String accessor() {
    return "libs." + alias().replace('-', '.').replace('_', '.');
  }

  String toToml() {
    String module = "module = \"%s:%s\"".formatted(group, artifact);
    String ref = version == null ? "" : ", version.ref = \"%s\"".formatted(version);
    return "%s = { %s%s }".formatted(alias(), module, ref);
  }
}
