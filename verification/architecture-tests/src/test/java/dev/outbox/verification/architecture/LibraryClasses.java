package dev.outbox.verification.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.outbox.verification.reactor.Reactor;
import dev.outbox.verification.reactor.Repository;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/** The classes of the published modules, as they are on the class path. */
final class LibraryClasses {

  static final String ROOT = "dev.outbox";

  /** The packages of the modules that are not published, and of a library that is relocated. */
  private static final List<String> UNCHECKED =
      List.of(
          "dev.outbox.verification",
          "dev.outbox.testlistener",
          "dev.outbox.benchmarks",
          ROOT + "." + PackageMap.MUSTACHE);

  private LibraryClasses() {}

  static JavaClasses imported() {
    return below(ROOT)
        .that(DescribedPredicate.describe("are published", LibraryClasses::isPublished));
  }

  /** Asks the class loader where the package is: ArchUnit would read the index of every jar. */
  static JavaClasses below(String root) {
    try {
      Enumeration<URL> places =
          LibraryClasses.class.getClassLoader().getResources(root.replace('.', '/'));
      return new ClassFileImporter().importUrls(Collections.list(places));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@return the class that each source file of a published module is named for} */
  static List<String> sourceNames() {
    return Reactor.read(Repository.root()).publishedModules().stream()
        .flatMap(module -> sourceNames(module.directory()).stream())
        .toList();
  }

  /** {@return the class that each source file of one module is named for} */
  static List<String> sourceNames(String module) {
    Path sources = Repository.root().resolve(module).resolve("src/main/java");
    return Files.isDirectory(sources) ? namesBelow(sources) : List.of();
  }

  private static boolean isPublished(JavaClass type) {
    return UNCHECKED.stream().noneMatch(name -> type.getPackageName().startsWith(name));
  }

  private static List<String> namesBelow(Path sources) {
    return Repository.files(sources, name -> name.endsWith(".java")).stream()
        .map(file -> sources.relativize(file).toString())
        .map(file -> file.replace(".java", "").replace(File.separatorChar, '.'))
        .toList();
  }
}
