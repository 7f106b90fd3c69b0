package dev.outbox.verification.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.TemplateData;
import dev.outbox.template.RenderedTemplate;
import dev.outbox.template.Templates;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged core has its own copy of jmustache: the library on a host's class path would switch
 * Spring Boot's Mustache views on. What a host's class path has is checked by {@code
 * examples/host-project/verify.groovy}; modules of the reactor get jmustache from the POM in the
 * repository.
 */
class RelocationTest {

  private static final String RELOCATED = "dev/outbox/internal/mustache/Mustache.class";

  @Test
  void noClassInTheJarOfTheCoreNamesJmustacheAtItsOwnPlace() throws Exception {
    try (JarFile jar = coreJar()) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().endsWith(".class")) {
          String constants =
              new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.ISO_8859_1);
          assertThat(constants.contains("com/samskivert")).as(entry.getName()).isFalse();
        }
      }
    }
  }

  @Test
  void theJarOfTheCoreHasTheRelocatedClassesTheLicenceAndItsOwnManifest() throws Exception {
    try (JarFile jar = coreJar()) {
      List<String> names = jar.stream().map(ZipEntry::getName).toList();
      assertThat(names)
          .contains(RELOCATED, "META-INF/licenses/jmustache.txt")
          .doesNotContain("module-info.class")
          .doesNotHaveDuplicates()
          .noneMatch(name -> name.startsWith("com/"));
      assertThat(jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"))
          .isEqualTo("dev.outbox");
    }
  }

  @Test
  void templatesAreRenderedByTheRelocatedClasses(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("greeting.subject.mustache"), "Hello {{name}}");
    Files.writeString(folder.resolve("greeting.html.mustache"), "<p>{{name}}</p>");

    RenderedTemplate rendered =
        Templates.directory(folder)
            .render("greeting", null, TemplateData.of(Map.of("name", "Ada & Co")));

    assertThat(rendered.subject()).isEqualTo("Hello Ada & Co");
    assertThat(rendered.html()).isEqualTo("<p>Ada &amp; Co</p>");
  }

  private static JarFile coreJar() throws IOException, URISyntaxException {
    Path place = Path.of(Outbox.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    assertThat(place).as("these tests read what was packaged: mvn verify").isRegularFile();
    return new JarFile(place.toFile());
  }
}
