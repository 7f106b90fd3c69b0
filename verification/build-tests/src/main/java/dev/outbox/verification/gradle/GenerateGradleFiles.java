package dev.outbox.verification.gradle;

import dev.outbox.verification.reactor.Reactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The program that writes the Gradle files of the repository. */
public final class GenerateGradleFiles {

  private GenerateGradleFiles() {}

  /**
   * Writes the files.
   *
   * @param args the root of the repository
   * @throws IOException when a file cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]);
    for (Map.Entry<String, String> file : GradleFiles.of(Reactor.read(root)).files().entrySet()) {
      Path path = root.resolve(file.getKey());
      Files.createDirectories(path.resolveSibling("."));
      Files.writeString(path, file.getValue());
    }
  }
}
