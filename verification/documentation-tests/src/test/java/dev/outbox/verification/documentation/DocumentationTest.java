package dev.outbox.verification.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import dev.outbox.verification.reactor.Reactor;
import dev.outbox.verification.reactor.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentationTest {

  @Test
  void everythingThatUsersSeeHasAComment() throws IOException {
    List<Path> sources =
        Reactor.read(Repository.root()).publishedModules().stream()
            .map(module -> Repository.root().resolve(module.directory()).resolve("src/main/java"))
            .filter(Files::isDirectory)
            .flatMap(directory -> Repository.files(directory, this::isClass).stream())
            .toList();
    assertThat(uncommented(sources)).isEmpty();
  }

  @Test
  void whatHasNoCommentIsFound(@TempDir Path directory) throws IOException {
    String source =
        """
        /** Explained. */
        public class Sample {
          public int field;
          protected void method() {}
          @Override public String toString() { return ""; }
          void hidden() {}
          public interface Nested { void member(); }
        }
        """;
    Path file = Files.writeString(directory.resolve("Sample.java"), source);
    assertThat(uncommented(List.of(file)))
        .extracting(line -> line.substring(line.lastIndexOf(' ') + 1))
        .containsExactly("field", "method", "Nested", "member");
  }

  private boolean isClass(String name) {
    return name.endsWith(".java") && !name.equals("package-info.java");
  }

  private static List<String> uncommented(List<Path> sources) throws IOException {
    if (sources.isEmpty()) {
      return List.of();
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
      Uncommented walk = new Uncommented(DocTrees.instance(task));
      walk.scan(task.parse(), null);
      return walk.found();
    }
  }
}
