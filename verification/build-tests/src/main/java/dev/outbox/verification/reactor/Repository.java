package dev.outbox.verification.reactor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** The working copy that the tests run in. */
public final class Repository {

  private static final Set<String> NOT_SOURCES =
      Set.of(".git", ".gradle", ".idea", "build", "target");

  private Repository() {}

  /**
   * {@return the root of the repository} It is the nearest directory above the working directory
   * that has Maven's own {@code .mvn}; both Maven and Gradle run tests in the directory of their
   * module.
   */
  public static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve(".mvn"))) {
      directory = Objects.requireNonNull(directory.getParent(), "no repository above");
    }
    return directory;
  }

  /**
   * {@return the files below a directory whose names fit, without what builds and tools left there}
   *
   * @param directory where to search
   * @param name decides by the file's name
   */
  public static List<Path> files(Path directory, Predicate<String> name) {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
              return NOT_SOURCES.contains(nameOf(dir))
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (name.test(nameOf(file))) {
                found.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private static String nameOf(Path path) {
    Path name = path.getFileName();
    return name == null ? "" : name.toString();
  }
}
