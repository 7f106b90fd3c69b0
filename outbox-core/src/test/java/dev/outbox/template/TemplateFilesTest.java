package dev.outbox.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.TemplateData;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateFilesTest {

  @TempDir Path directory;

  private Folder folder = new Folder(Path.of("unset"));

  @BeforeEach
  void start() {
    folder = new Folder(directory);
  }

  @Test
  void allThatIsBrokenIsListedAtOnce() {
    folder
        .with("fine.txt.mustache", "{{a}}")
        .with("open.txt.mustache", "a\n{{#items}}\n")
        .with("partial.html.mustache", "a\n\n{{>nowhere}}")
        .with("Bad Name.txt.mustache", "")
        .with("loop.txt.mustache", "{{>loop}}")
        .with("half.it.txt.mustache", "");

    assertThatThrownBy(folder::templates)
        .isExactlyInstanceOf(TemplateException.class)
        .hasMessageStartingWith("directory " + directory + ":\n")
        .hasMessageContaining("open.txt.mustache:2: Section missing close tag 'items'")
        .hasMessageContaining("partial.html.mustache:3: there is no nowhere.html.mustache")
        .hasMessageContaining("Bad Name.txt.mustache: is not named like")
        .hasMessageContaining("loop.txt.mustache: includes itself")
        .hasMessageContaining("half.it.txt.mustache: has no plain file next to it")
        .message()
        .doesNotContain("fine.txt");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a {{name | t.txt.mustache:1: a tag is not closed",
        "a {{name} | t.txt.mustache:1: a tag is not closed",
        "a {{name {{other}} | t.txt.mustache:1: a tag is not closed",
        "{{a}} {{{b}} {{c}}} | t.txt.mustache:1: Invalid triple-mustache tag",
        "{{}} | t.txt.mustache:1: a tag has no proper name",
        "{{ }} | t.txt.mustache:1: a tag has no proper name",
        "{{#}}{{/}} | t.txt.mustache:1: a tag has no proper name",
        "{{..}} | t.txt.mustache:1: a tag has no proper name",
        "{{a..b}} | t.txt.mustache:1: a tag has no proper name",
        "{{.a}} | t.txt.mustache:1: a tag has no proper name",
        "{{if a}} | t.txt.mustache:1: a tag has no proper name",
        "{{>}} | t.txt.mustache:1: a tag has no proper name",
        "{{/a}} | t.txt.mustache:1: Section close tag with no open tag 'a'",
        "{{#a}}{{/b}} | t.txt.mustache:1: Section close tag with mismatched open tag",
        "{{=<%=}} | t.txt.mustache:1: delimiters are set like",
        "{{=}} | t.txt.mustache:1: delimiters are set like",
        "{{= <% %> =}} | t.txt.mustache:1: delimiters are set like",
        "{{>../t}} | t.txt.mustache:1: a tag has no proper name",
        "{{>/etc/passwd}} | t.txt.mustache:1: there is no /etc/passwd.txt.mustache",
        "{{<gone}}{{/gone}} | t.txt.mustache:1: there is no gone.txt.mustache",
        "{{#a}}{{>gone}}{{/a}} | t.txt.mustache:1: there is no gone.txt.mustache"
      })
  void whatDoesNotCompileIsNamedWithItsLine(String source, String problem) {
    folder.with("t.txt.mustache", source);

    assertThatThrownBy(folder::templates)
        .isExactlyInstanceOf(TemplateException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void theLineIsCountedFromTheTop() {
    folder.with("t.txt.mustache", "{{! two\nlines }}\n{{a}}\n\n{{b\n");

    assertThatThrownBy(folder::templates).hasMessageContaining("t.txt.mustache:5: a tag is not");
  }

  @Test
  void delimitersCanBeChangedToPrintBraces() {
    folder.with("t.txt.mustache", "{{=<% %>=}}{{a}} <%a%> {{ <%<base%><%/base%>");
    folder.with("base.txt.mustache", "{{a}}");

    assertThat(folder.text(Map.of("a", 1))).isEqualTo("{{a}} 1 {{ 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b.txt.mustache",
        ".txt.mustache.mustache",
        "a.b.c.txt.mustache",
        "a.pdf.mustache",
        "a.mustache",
        "-a.txt.mustache",
        "è.txt.mustache",
        "a.it_IT.txt.mustache",
        "a.IT.txt.mustache",
        "a.it-it.txt.mustache",
        "a.nonsense-.txt.mustache",
        "x y/a.txt.mustache"
      })
  void aFileNamedOtherwiseIsRefusedUnlessHidden(String file) {
    folder.with("t.txt.mustache", "").with("a.txt.mustache", "").with(file, "");

    if (file.startsWith(".")) {
      assertThat(folder.templates().names()).containsExactly("a", "t");
    } else {
      assertThatThrownBy(folder::templates).hasMessageContaining(file + ": ");
    }
  }

  @Test
  void aLocaleMayHaveSeveralPartsAndFallsBackStepByStep() {
    folder
        .with("t.txt.mustache", "plain {{>p}}")
        .with("t.zh.txt.mustache", "zh {{>p}}")
        .with("t.zh-Hant.txt.mustache", "hant {{>p}}")
        .with("p.txt.mustache", "plain")
        .with("p.zh-Hant-TW.txt.mustache", "tw");
    Templates templates = folder.templates();

    assertThat(text(templates, "zh-Hant-TW")).isEqualTo("hant tw");
    assertThat(text(templates, "zh-Hant-HK")).isEqualTo("hant plain");
    assertThat(text(templates, "zh-CN")).isEqualTo("zh plain");
    assertThat(text(templates, "en")).isEqualTo("plain plain");
  }

  private static Object text(Templates templates, String locale) {
    RenderedTemplate rendered =
        templates.render("t", Locale.forLanguageTag(locale), TemplateData.empty());
    return String.valueOf(rendered.text());
  }

  @Test
  void aCircleOfPartialsIsRefusedAlsoIfOnlyOneLocaleHasIt() {
    folder
        .with("t.txt.mustache", "{{>a}}")
        .with("a.txt.mustache", "a")
        .with("a.it.txt.mustache", "{{#deep}}{{>b}}{{/deep}}")
        .with("b.txt.mustache", "{{<a}}{{/a}}");

    assertThatThrownBy(folder::templates)
        .hasMessageStartingWith("directory " + directory)
        .hasMessageContaining("includes itself");
  }

  @Test
  void partialsThatMultiplyWithoutMeasureAreRefused() {
    folder.with("p0.txt.mustache", "x");
    for (int i = 1; i <= 40; i++) {
      String before = "{{>p" + (i - 1) + "}}";
      folder.with("p" + i + ".txt.mustache", before + before);
    }

    assertThatThrownBy(folder::templates)
        .hasMessageContaining("p40.txt.mustache: includes more than 1000 partials")
        .message()
        .doesNotContain("p5.txt");
  }

  @Test
  void aPartialCanBeUsedTwice() {
    folder.with("t.txt.mustache", "{{>p}}{{>p}}").with("p.txt.mustache", "{{a}}");

    assertThat(folder.text(Map.of("a", 1))).isEqualTo("11");
  }

  @Test
  void partialsAreNamedFromTheTopOfTheFolder() {
    folder
        .with("t.txt.mustache", "{{>sub/a}}")
        .with("sub/a.txt.mustache", "{{>b}}")
        .with("b.txt.mustache", "top")
        .with("sub/b.txt.mustache", "sub");

    assertThat(folder.text(Map.of())).isEqualTo("top");
  }

  @Test
  void aFileThatIsNotUtf8IsRefused() throws Exception {
    Files.write(directory.resolve("t.txt.mustache"), new byte[] {'a', (byte) 0xE8});

    assertThatThrownBy(folder::templates).hasMessageContaining("t.txt.mustache: is not UTF-8");
  }

  @Test
  void aByteOrderMarkIsNotPrinted() {
    folder.with("t.txt.mustache", "\uFEFFhi");

    assertThat(folder.text(Map.of())).isEqualTo("hi");
  }

  @Test
  void aFolderWithoutTemplatesIsRefused() {
    folder.with("readme.txt", "");

    assertThatThrownBy(folder::templates)
        .hasMessage("directory " + directory + ": no *.mustache files found");
    assertThatThrownBy(() -> Templates.directory(directory.resolve("gone")))
        .hasMessage("directory " + directory.resolve("gone") + ": does not exist");
  }

  @Test
  void aTemplateWithASubjectAloneCannotBeSent() {
    Templates templates =
        folder.with("t.txt.mustache", "").with("s.subject.mustache", "s").templates();

    assertThat(templates.names()).containsExactly("t");
  }

  @Test
  void laterChangesOfTheFilesAreNotSeen() {
    Templates templates =
        folder.with("t.txt.mustache", "{{>p}}").with("p.txt.mustache", "before").templates();
    folder.with("p.txt.mustache", "after");

    assertThat(templates.render("t", null, TemplateData.empty()).text()).isEqualTo("before");
  }
}
