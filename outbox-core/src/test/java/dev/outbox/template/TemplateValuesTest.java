package dev.outbox.template;

import static java.util.Collections.singletonMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.TemplateData;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateValuesTest {

  @TempDir Path directory;

  private Folder folder = new Folder(Path.of("unset"));

  @BeforeEach
  void start() {
    folder = new Folder(directory);
  }

  private @Nullable String text(String source, Map<String, ?> data) {
    return folder.with("t.txt.mustache", source).text(data);
  }

  @Test
  void nullPrintsNothing() {
    assertThat(text("[{{a}}]", singletonMap("a", null))).isEqualTo("[]");
    assertThat(text("[{{a.b.c}}]", singletonMap("a", null))).isEqualTo("[]");
    assertThat(text("{{#l}}[{{.}}]{{/l}}", Map.of("l", Arrays.asList(1, null)))).isEqualTo("[1][]");
  }

  @Test
  void aMissingVariableIsNamed() {
    assertThatThrownBy(() -> text("one\ntwo {{name}}", Map.of("mane", "Ada")))
        .isExactlyInstanceOf(TemplateException.class)
        .hasNoCause()
        .hasMessage("t.txt.mustache:2: variable 'name' is missing from the data");
    assertThatThrownBy(() -> text("{{customer.name}}", Map.of("customer", Map.of("id", 1))))
        .hasMessage("t.txt.mustache:1: variable 'customer.name' is missing from the data");
    assertThatThrownBy(() -> text("{{customer.name}}", Map.of()))
        .hasMessage("t.txt.mustache:1: variable 'customer' is missing from the data");
    assertThatThrownBy(() -> text("{{a.b.c}}", Map.of("a", Map.of())))
        .hasMessage("t.txt.mustache:1: variable 'a.b.c' is missing from the data");
    assertThatThrownBy(() -> text("{{&name}} {{{name}}}", Map.of()))
        .hasMessage("t.txt.mustache:1: variable 'name' is missing from the data");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{{#vip}}x{{/vip}}", "{{^vip}}x{{/vip}}"})
  void aMissingSectionIsNamed(String source) {
    assertThatThrownBy(() -> text(source, Map.of()))
        .hasMessage("t.txt.mustache:1: variable 'vip' is missing from the data");
  }

  @Test
  void aMissingVariableInAPartialIsFoundThere() {
    folder.with("footer.txt.mustache", "bye\n\n{{shop.name}}\n");

    assertThatThrownBy(() -> text("{{id}}\n\n{{>footer}}", Map.of("id", 1)))
        .hasMessage("footer.txt.mustache:3: variable 'shop' is missing from the data");
  }

  @Test
  void aMissingVariableInALayoutsBlockIsFoundWhereItIsWritten() {
    folder.with("layout.txt.mustache", "top\n{{$body}}{{/body}}\n");

    assertThatThrownBy(
            () -> text("{{<layout}}\n{{$body}}\n\n{{who}}{{/body}}{{/layout}}", Map.of()))
        .hasMessage("t.txt.mustache:4: variable 'who' is missing from the data");
  }

  @Test
  void aMissingVariableInANullElementIsNamed() {
    assertThatThrownBy(
            () -> text("{{#l}}{{name}}{{/l}}", Map.of("l", Arrays.asList((Object) null))))
        .hasMessage("t.txt.mustache:1: variable 'name' is missing from the data");
  }

  @Test
  void nullFalseAndEmptyAreFalseInSections() {
    String source = "{{#v}}yes{{/v}}{{^v}}no{{/v}}";

    assertThat(text(source, singletonMap("v", null))).isEqualTo("no");
    assertThat(text(source, Map.of("v", false))).isEqualTo("no");
    assertThat(text(source, Map.of("v", List.of()))).isEqualTo("no");
    assertThat(text(source, Map.of("v", ""))).isEqualTo("no");
    assertThat(text(source, Map.of("v", true))).isEqualTo("yes");
    assertThat(text(source, Map.of("v", "x"))).isEqualTo("yes");
    assertThat(text(source, Map.of("v", 0))).isEqualTo("yes");
    assertThat(text(source, Map.of("v", Map.of()))).isEqualTo("yes");
    assertThat(text(source, Map.of("v", List.of(1, 2)))).isEqualTo("yesyes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{name.class}}",
        "{{name.length}}",
        "{{name.bytes}}",
        "{{name.toString}}",
        "{{#name}}{{class}}{{/name}}",
        "{{this.class}}",
        "{{class}}",
        "{{content}}",
        "{{map.entrySet}}",
        "{{map.size}}",
        "{{#map}}{{keySet}}{{/map}}",
        "{{list.size}}",
        "{{list.isEmpty}}",
        "{{list.99}}",
        "{{list.-1}}",
        "{{number.scale}}",
        "{{-index.class}}",
        "{{map.hashCode}}"
      })
  void nothingOfJavaCanBeReached(String source) {
    Map<String, Object> data =
        Map.of("name", "Ada", "map", Map.of("k", 1), "list", List.of(1), "number", BigDecimal.ONE);

    assertThatThrownBy(() -> text(source, data)).hasMessageContaining("is missing from the data");
  }

  @Test
  void keysOfTheDataThatLookLikeJavaAreJustKeys() {
    assertThat(text("{{class}} {{m.entrySet}}", Map.of("class", "A", "m", Map.of("entrySet", 2))))
        .isEqualTo("A 2");
  }

  @Test
  void mapsAndListsAreReadByKeyAndIndex() {
    Map<String, Object> data =
        Map.of("rows", List.of(List.of(1, 2), List.of(3)), "m", Map.of("a", Map.of("b", "c")));

    assertThat(text("{{rows.1.0}} {{m.a.b}}", data)).isEqualTo("3 c");
    assertThat(text("{{#rows}}<{{#.}}{{.}}{{/.}}>{{/rows}}", data)).isEqualTo("<12><3>");
    assertThat(text("{{#m}}{{#a}}{{b}}{{rows.0.0}}{{/a}}{{/m}}", data)).isEqualTo("c1");
  }

  @Test
  void aMapOrListDoesNotPrint() {
    Map<String, Object> data = Map.of("m", Map.of("secret", 1), "l", List.of("secret"));

    assertThatThrownBy(() -> text("{{m}}", data))
        .isExactlyInstanceOf(TemplateException.class)
        .hasMessage("t.txt.mustache: 'm' is a map and cannot be printed");
    assertThatThrownBy(() -> text("{{{l}}}", data))
        .hasMessage("t.txt.mustache: 'l' is a list and cannot be printed");
    assertThatThrownBy(() -> text("{{this}}", data))
        .hasMessage("t.txt.mustache: 'this' is a map and cannot be printed");
  }

  @ParameterizedTest
  @CsvSource({"10.00, 10.00", "1E+3, 1000", "1E-10, 0.0000000001", "-0.50, -0.50"})
  void numbersPrintPlainlyWithTheirScale(String number, String printed) {
    assertThat(text("{{n}}", Map.of("n", new BigDecimal(number)))).isEqualTo(printed);
  }

  @Test
  void wholeNumbersAndDoublesPrintPlainly() {
    assertThat(text("{{n}}", Map.of("n", 1234567890123L))).isEqualTo("1234567890123");
    assertThat(text("{{n}}", Map.of("n", 1.0E10))).isEqualTo("10000000000");
    assertThat(text("{{n}}", Map.of("n", true))).isEqualTo("true");
  }

  @Test
  void dataIsNeverReadAsATemplate() {
    assertThat(text("{{a}}", Map.of("a", "{{b}}{{>x}}", "b", "no"))).isEqualTo("{{b}}{{>x}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nBcc: x", "a\r", "\n", "a\u0000b", "a\r\n b"})
  void aSubjectOfMoreThanOneLineIsRefused(String value) {
    Templates templates =
        folder.with("t.txt.mustache", "").with("t.subject.mustache", "{{v}}\n").templates();

    assertThatThrownBy(() -> templates.render("t", null, TemplateData.of(Map.of("v", value))))
        .isExactlyInstanceOf(TemplateException.class)
        .hasMessage("t.subject.mustache: the subject has a line break or NUL");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "a\n\n", "\na"})
  void aLineBreakOfTheSubjectFileIsRefusedToo(String source) {
    Templates templates =
        folder.with("t.txt.mustache", "").with("t.subject.mustache", source).templates();

    assertThatThrownBy(() -> templates.render("t", null, TemplateData.empty()))
        .hasMessage("t.subject.mustache: the subject has a line break or NUL");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Hi {{>shop}}!", "Hi {{>shop}}!\n", "Hi {{>shop}}!\r\n"})
  void theLastLineBreakOfASubjectFileDoesNotCount(String source) {
    Templates templates =
        folder
            .with("t.txt.mustache", "")
            .with("shop.subject.mustache", "Bob\n")
            .with("t.subject.mustache", source)
            .templates();

    assertThat(templates.render("t", null, TemplateData.empty()).subject()).isEqualTo("Hi Bob!");
  }

  @Test
  void htmlEscapesWhatCouldLeaveAnAttribute() {
    Templates templates =
        folder.with("h.html.mustache", "<a title='{{v}}'>{{{raw}}}{{&raw}}").templates();
    TemplateData data = TemplateData.of(Map.of("v", "'\"<>&`=", "raw", "<b>"));

    assertThat(templates.render("h", null, data).html())
        .isEqualTo("<a title='&#39;&quot;&lt;&gt;&amp;&#x60;&#x3D;'><b><b>");
  }
}
