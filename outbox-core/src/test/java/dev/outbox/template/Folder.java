package dev.outbox.template;

import dev.outbox.email.TemplateData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A directory that a test fills with template files. */
record Folder(Path path) {

  Folder with(String file, String content) {
    try {
      Path target = path.resolve(file);
      Files.createDirectories(target.getParent());
      Files.writeString(target, content);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Templates templates() {
    return Templates.directory(path);
  }

  /** Renders the template {@code t}, which has only a text body. */
  @Nullable String text(Map<String, ?> data) {
    return templates().render("t", null, TemplateData.of(data)).text();
  }
}
