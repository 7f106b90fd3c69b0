package dev.outbox.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.TemplateData;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateClasspathTest {

  @TempDir Path directory;

  /** Makes a jar of entries; the content of a file is the jar's name. */
  private Path jar(String name, String... entries) throws Exception {
    Path jar = directory.resolve(name);
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (String entry : entries) {
        out.putNextEntry(new JarEntry(entry));
        if (!entry.endsWith("/")) {
          out.write(name.getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    return jar;
  }

  private static Templates templates(String folder, Path... classPath) throws Exception {
    URL[] urls = new URL[classPath.length];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = classPath[i].toUri().toURL();
    }
    try (URLClassLoader loader = new URLClassLoader(urls, null)) {
      return Templates.classpath(folder, loader);
    }
  }

  private static String text(Templates templates, String name) {
    return String.valueOf(templates.render(name, null, TemplateData.empty()).text());
  }

  @Test
  void aJarsFolderIsReadWithItsSubfolders() throws Exception {
    Path jar =
        jar(
            "a b.jar",
            "mail/",
            "mail/x.txt.mustache",
            "mail/sub/y.txt.mustache",
            "mail/.hidden/z.txt.mustache",
            "mail/logo.png",
            "mailing/no.txt.mustache",
            "no.txt.mustache",
            "mail/../../out.txt.mustache");

    Templates templates = templates("mail", jar);

    assertThat(templates.names()).containsExactly("sub/y", "x");
    assertThat(text(templates, "x")).isEqualTo("a b.jar");
  }

  @Test
  void ofSeveralJarsAndDirectoriesTheFirstCounts() throws Exception {
    Path one = jar("1.jar", "mail/", "mail/a.txt.mustache");
    Path two = jar("2.jar", "mail/", "mail/a.txt.mustache", "mail/b.txt.mustache");
    Path classes = directory.resolve("my classes");
    new Folder(classes).with("mail/b.txt.mustache", "dir").with("mail/c.txt.mustache", "dir");

    Templates templates = templates("mail", one, two, classes);

    assertThat(List.of(text(templates, "a"), text(templates, "b"), text(templates, "c")))
        .containsExactly("1.jar", "2.jar", "dir");
    assertThat(text(templates("mail", classes, two), "b")).isEqualTo("dir");
  }

  @Test
  void theJarIsNotKeptOpen() throws Exception {
    Path jar = jar("a.jar", "mail/", "mail/a.txt.mustache");
    Templates first = templates("mail", jar);
    Files.delete(jar);
    jar("a.jar", "mail/", "mail/b.txt.mustache");

    assertThat(first.names()).containsExactly("a");
    assertThat(templates("mail", jar).names()).containsExactly("b");
  }

  @Test
  void theJarStaysOpenForOthers() throws Exception {
    Path jar = jar("a.jar", "mail/", "mail/a.txt.mustache");
    URL url = URI.create("jar:" + jar.toUri() + "!/mail/").toURL();
    try (JarFile shared = ((JarURLConnection) url.openConnection()).getJarFile()) {
      assertThat(templates("mail", jar).names()).containsExactly("a");

      assertThat(shared.getEntry("mail/a.txt.mustache")).isNotNull();
    }
  }

  @Test
  void aFolderWithoutTemplatesIsRefused() throws Exception {
    Path jar = jar("a.jar", "mail/", "mail/logo.png");

    assertThatThrownBy(() -> templates("mail", jar))
        .isExactlyInstanceOf(TemplateException.class)
        .hasMessage("class path folder mail: no *.mustache files found");
    assertThatThrownBy(() -> Templates.classpath("no-such-folder"))
        .hasMessage("class path folder no-such-folder: no *.mustache files found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/mail", "mail/", "../mail", "mail/../x", "a//b", "a\\b", ".", "a/."})
  void aFolderIsAPlainPath(String folder) {
    assertThatThrownBy(() -> Templates.classpath(folder))
        .isExactlyInstanceOf(TemplateException.class)
        .hasMessage("class path folder " + folder + ": must be like mail or com/example/mail");
  }
}
