package dev.outbox.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.outbox.verification.broken.email.Neighbour;
import dev.outbox.verification.broken.email.ShowsJackson;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SplitPackagesTest {

  private static final Class<?> SHARED = Neighbour.class;

  @Test
  void aPackageInTwoPlacesIsFound(@TempDir Path elsewhere) throws IOException {
    JavaClasses classes =
        new ClassFileImporter()
            .importUrls(
                List.of(urlOf(SHARED), copyOf(ShowsJackson.class, elsewhere).toUri().toURL()));
    assertThat(SplitPackages.in(classes)).containsOnlyKeys(SHARED.getPackageName());
  }

  @Test
  void aPackageInOnePlaceIsWhole() {
    JavaClasses classes = LibraryClasses.below(SHARED.getPackageName());
    assertThat(SplitPackages.in(classes)).isEmpty();
  }

  private static URL urlOf(Class<?> type) {
    return Objects.requireNonNull(type.getResource(type.getSimpleName() + ".class"));
  }

  private static Path copyOf(Class<?> type, Path directory) throws IOException {
    Path file = directory.resolve(type.getName().replace('.', '/') + ".class");
    Files.createDirectories(file.resolveSibling("."));
    try (InputStream in = urlOf(type).openStream()) {
      Files.copy(in, file);
    }
    return file;
  }
}
