package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Feeds personal and hostile text into every place where a host can give text. */
class RefusalTest {

  private static final String PERSONAL = "Quux";

  /** Places where one bad character is enough: all of this ends up in headers or beside them. */
  private static final List<Place> LINES =
      List.of(
          new Place("to[1]", text -> email().to(text)),
          new Place("cc[0]", text -> email().cc(text)),
          new Place("bcc[0]", text -> email().bcc(text)),
          new Place("replyTo[0]", text -> email().replyTo(text)),
          new Place("from", text -> email().from(text)),
          new Place("subject", text -> email().subject(text)),
          new Place("template", text -> email().template(text)),
          new Place("template", text -> email().template(text, Map.of())),
          new Place("header", text -> email().header(text, "value")),
          new Place("header X-Test", text -> email().header("X-Test", text)),
          new Place("idempotencyKey", text -> email().idempotencyKey(text)),
          new Place("requestId", text -> email().requestId(text)),
          new Place("tags", text -> email().tag(text)),
          new Place("attachment.fileName", text -> Attachment.of(text, "text/plain", new byte[0])),
          new Place("attachment.contentType", text -> Attachment.of("a.txt", text, new byte[0])),
          new Place(
              "attachment.contentId",
              text -> Attachment.inline(text, "a.png", "image/png", new byte[0])),
          new Place("to[0]", text -> Email.to(text)),
          new Place("address", text -> Address.parse(text)),
          new Place("address", text -> new Address(null, text, "example.com")),
          new Place("address", text -> new Address(null, "ada", text)),
          new Place("name", text -> new Address(text, "ada", "example.com")),
          new Place("recipient", text -> EmailQuery.all().recipient(text)));

  /** Places where lines are as welcome as anything that UTF-8 can hold. */
  private static final List<Place> TEXTS =
      List.of(
          new Place("html", text -> email().html(text)),
          new Place("text", text -> email().text(text)),
          new Place("data.key", text -> email().template("t", Map.of("key", text))));

  static List<Place> lines() {
    return LINES;
  }

  static List<Place> all() {
    return Stream.concat(LINES.stream(), TEXTS.stream()).toList();
  }

  @ParameterizedTest
  @MethodSource("lines")
  void noLineBreakOrControlGetsIn(Place place) {
    for (String bad : List.of("\r\n", "\r", "\n", "\0", "\u0085", "\u2028", "\u2029", "\u007f")) {
      for (String text :
          List.of(
              PERSONAL + bad + "Bcc: eve@example.com",
              bad + "quux@example.com",
              "quux@example.com" + bad,
              "Q" + bad + " <quux@example.com>",
              "quux" + bad + "/plain",
              "quux/plain" + bad)) {
        assertThatThrownBy(() -> place.give(text))
            .as("%s with %x", place, (int) bad.charAt(0))
            .isInstanceOf(InvalidEmailException.class);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void halfASurrogatePairIsRefused(Place place) {
    for (String half : List.of("\ud83d", "\ude00", "\ude00\ud83d", "\ud83d\ud83d")) {
      assertThatThrownBy(() -> place.give(PERSONAL + half))
          .isInstanceOf(InvalidEmailException.class);
      assertThatThrownBy(() -> place.give(half + PERSONAL))
          .isInstanceOf(InvalidEmailException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyRefusalNamesItsFieldAndShowsNothing(Place place) {
    int refused = 0;
    for (String text :
        List.of(
            PERSONAL,
            PERSONAL.repeat(5_000),
            PERSONAL + "\r\nBcc: " + PERSONAL,
            PERSONAL + "\ud800",
            PERSONAL + " <" + PERSONAL,
            PERSONAL + "@" + PERSONAL,
            PERSONAL + "@" + PERSONAL + ".com, " + PERSONAL,
            "\"" + PERSONAL + " <" + PERSONAL + "@example.com>",
            PERSONAL + "\\" + PERSONAL + "/" + PERSONAL,
            "../" + PERSONAL,
            "multipart/" + PERSONAL,
            "Content-" + PERSONAL + ":",
            "")) {
      Throwable thrown = catchThrowable(() -> place.give(text));
      if (thrown != null) {
        refused++;
        assertThat(thrown).as("%s", place).isInstanceOf(InvalidEmailException.class);
        assertThat(((InvalidEmailException) thrown).field()).isEqualTo(place.field());
        assertThat(thrown.getMessage()).isEqualTo(place.field() + ": " + problemOf(thrown));
        assertShowsNothing(thrown);
      }
    }
    assertThat(refused).isPositive();
  }

  @ParameterizedTest
  @MethodSource("urls")
  void aCallbackUrlThatCannotWorkIsRefusedAndNotShown(String url) {
    URI uri = URI.create(url.replace("LONG", PERSONAL.repeat(300)));

    Throwable thrown = catchThrowable(() -> email().callbackUrl(uri));

    assertThat(thrown)
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("callbackUrl: ");
    assertShowsNothing(thrown);
  }

  static List<String> urls() {
    return List.of(
        "ftp://quux.example/",
        "file:///quux",
        "mailto:quux@example.com",
        "/quux",
        "quux",
        "https:/quux",
        "https:///quux",
        "https:quux",
        "https://quux:secret@example.com/",
        "https://quux@example.com/",
        "https://qu_ux/",
        "https://example.com/LONG");
  }

  @Test
  void everyPlaceOfTheBuilderThatTakesTextIsTriedHere() {
    Set<String> takingText =
        Arrays.stream(EmailBuilder.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .filter(
                method ->
                    Arrays.stream(method.getParameterTypes())
                        .anyMatch(type -> type == String.class || type == String[].class))
            .map(Method::getName)
            .collect(Collectors.toSet());

    assertThat(takingText)
        .containsExactlyInAnyOrder(
            "to",
            "cc",
            "bcc",
            "replyTo",
            "from",
            "subject",
            "template",
            "html",
            "text",
            "header",
            "idempotencyKey",
            "requestId",
            "tag");
    Set<String> tried =
        all().stream()
            .map(place -> place.field().split("[\\[ .]", 2)[0])
            .collect(Collectors.toSet());
    for (String name : takingText) {
      assertThat(tried).contains(name.equals("tag") ? "tags" : name);
    }
  }

  private static EmailBuilder email() {
    return Email.to("ada@example.com");
  }

  private static String problemOf(Throwable thrown) {
    return ((InvalidEmailException) thrown).problem();
  }

  private static void assertShowsNothing(@Nullable Throwable thrown) {
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      assertThat(String.valueOf(each).toLowerCase(Locale.ROOT)).doesNotContain("quux");
    }
  }

  private interface Given {
    Object make(String text);
  }

  private record Place(String field, Given given) {

    void give(String text) {
      Object made = given.make(text);
      assertThat(made).isNotNull();
    }

    @Override
    public String toString() {
      return field;
    }
  }
}
