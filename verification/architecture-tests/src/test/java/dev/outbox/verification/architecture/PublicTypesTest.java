package dev.outbox.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import dev.outbox.verification.reactor.Reactor;
import dev.outbox.verification.reactor.ReactorModule;
import dev.outbox.verification.reactor.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The public types of each published module are those of its list below {@code public-types}. A new
 * public type is a decision: add it to the list of its module.
 */
class PublicTypesTest {

  private static final Path LISTS =
      Repository.root().resolve("verification/architecture-tests/src/test/resources/public-types");
  private static final String INTERNAL = LibraryClasses.ROOT + ".internal";
  private static final JavaClasses LIBRARY = LibraryClasses.imported();

  @ParameterizedTest
  @MethodSource("modules")
  void thePublicTypesOfAModuleAreThoseOfItsList(String module) throws IOException {
    assertThat(publicTypesOf(module)).isEqualTo(Files.readAllLines(listOf(module)));
  }

  @Test
  void everyListBelongsToAModule() throws IOException {
    try (Stream<Path> lists = Files.list(LISTS)) {
      assertThat(lists)
          .containsExactlyInAnyOrderElementsOf(modules().map(PublicTypesTest::listOf).toList());
    }
  }

  /** Returns the published modules that have Java sources. */
  static Stream<String> modules() {
    return Reactor.read(Repository.root()).publishedModules().stream()
        .map(ReactorModule::directory)
        .filter(module -> !LibraryClasses.sourceNames(module).isEmpty());
  }

  private static List<String> publicTypesOf(String module) {
    Set<String> sources = Set.copyOf(LibraryClasses.sourceNames(module));
    return LIBRARY.stream()
        .filter(type -> sources.contains(outermost(type).getName()))
        .filter(type -> !(type.getPackageName() + ".").startsWith(INTERNAL + "."))
        .filter(PublicTypesTest::isVisible)
        .map(JavaClass::getName)
        .sorted()
        .toList();
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(PublicTypesTest::outermost).orElse(type);
  }

  /** Nested types are visible if all types around them are. */
  private static boolean isVisible(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && !type.isAnonymousClass()
        && type.getEnclosingClass().map(PublicTypesTest::isVisible).orElse(true);
  }

  private static Path listOf(String module) {
    return LISTS.resolve(module + ".txt");
  }
}
