package dev.outbox.verification.gradle;

import dev.outbox.verification.reactor.Reactor;
import dev.outbox.verification.reactor.ReactorModule;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Exclusion;

/** The versions and libraries of the root POM, as a Gradle version catalog. */
final class VersionCatalog {

  private static final Pattern VERSION_PROPERTY = Pattern.compile("\\$\\{((.+)\\.version)}");

  private final String ownGroup;
  private final SortedMap<String, String> versions = new TreeMap<>();
  private final SortedMap<String, Library> libraries = new TreeMap<>();
  private final SortedMap<String, Library> boms = new TreeMap<>();
  private final Map<String, List<Exclusion>> exclusions = new HashMap<>();

  private VersionCatalog(String ownGroup) {
    this.ownGroup = ownGroup;
  }

  static VersionCatalog of(Reactor reactor) {
    VersionCatalog catalog = new VersionCatalog(reactor.parent().getGroupId());
    for (Dependency managed : reactor.parent().getDependencyManagement().getDependencies()) {
      catalog.exclusions.put(managed.getManagementKey(), managed.getExclusions());
      if (!catalog.isOurs(managed)) {
        catalog.add(managed, reactor);
      }
    }
    for (ReactorModule module : reactor.modules()) {
      for (Dependency dependency : module.model().getDependencies()) {
        if (!catalog.isOurs(dependency) && catalog.managed(dependency).isEmpty()) {
          catalog.addFromBom(dependency);
        }
      }
    }
    return catalog;
  }

  boolean isOurs(Dependency dependency) {
    return dependency.getGroupId().equals(ownGroup);
  }

  Library library(Dependency dependency) {
    return managed(dependency).orElseThrow(() -> unmanaged(dependency));
  }

  /** {@return the imported BOM that has this library's version, if it takes one} */
  Optional<Library> bomOf(Library library) {
    return library.version() == null ? bomFor(library.group()) : Optional.empty();
  }

  /** {@return what is excluded below it: its own exclusions, or those of the root POM} */
  List<Exclusion> exclusions(Dependency dependency) {
    return dependency.getExclusions().isEmpty()
        ? exclusions.getOrDefault(dependency.getManagementKey(), List.of())
        : dependency.getExclusions();
  }

  /** {@return the imported BOMs} */
  Collection<Library> boms() {
    return boms.values();
  }

  /** {@return group, artifact and version of each library whose version the root POM has} */
  Stream<String> managedVersions() {
    return libraries.values().stream()
        .filter(library -> !boms.containsValue(library))
        .flatMap(
            library ->
                Stream.ofNullable(library.version())
                    .map(name -> versions.get(name))
                    .map(version -> library.group() + ":" + library.artifact() + ":" + version))
        .sorted();
  }

  String toToml() {
    return """
        # %s

        [versions]
        %s

        [libraries]
        %s
        """
        .formatted(
            RootScripts.HEADER,
            versions.entrySet().stream()
                .map(version -> "%s = \"%s\"".formatted(version.getKey(), version.getValue()))
                .collect(Collectors.joining("\n")),
            lines(libraries.values()));
  }

  private static String lines(Collection<Library> libraries) {
    return libraries.stream().map(Library::toToml).collect(Collectors.joining("\n"));
  }

  private void add(Dependency managed, Reactor reactor) {
    Matcher property = VERSION_PROPERTY.matcher(managed.getVersion());
    if (!property.matches()) {
      throw new IllegalStateException(
          managed.getManagementKey() + " wants a version of the form ${….version}");
    }
    versions.put(property.group(2), reactor.property(property.group(1)));
    Library library = Library.of(managed, property.group(2));
    put(library);
    if ("import".equals(managed.getScope())) {
      boms.put(library.group(), library);
    }
  }

  private void addFromBom(Dependency dependency) {
    Library library = Library.of(dependency, null);
    if (bomFor(library.group()).isEmpty()) {
      throw unmanaged(dependency);
    }
    put(library);
  }

  private void put(Library library) {
    Library other = libraries.put(library.alias(), library);
    if (other != null && !other.equals(library)) {
      throw new IllegalStateException(other + " and " + library + " share an alias");
    }
  }

  private Optional<Library> managed(Dependency dependency) {
    return libraries.values().stream()
        .filter(library -> library.group().equals(dependency.getGroupId()))
        .filter(library -> library.artifact().equals(dependency.getArtifactId()))
        .findFirst();
  }

  /** A BOM speaks for its own group and the groups below. */
  private Optional<Library> bomFor(String group) {
    return boms.values().stream()
        .filter(bom -> (group + ".").startsWith(bom.group() + "."))
        .findFirst();
  }

  private static IllegalStateException unmanaged(Dependency dependency) {
    return new IllegalStateException(
        dependency.getManagementKey() + " has no version in the root POM");
  }
}
