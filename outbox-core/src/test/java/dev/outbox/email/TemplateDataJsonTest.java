package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateDataJsonTest {

  private static IllegalArgumentException refusalOf(String json) {
    IllegalArgumentException refusal =
        catchThrowableOfType(IllegalArgumentException.class, () -> TemplateData.fromJson(json));
    assertThat(refusal).as(json).isNotNull().hasNoCause();
    assertThat(refusal.getMessage()).doesNotContain("secret");
    return refusal;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "secret",
        "{\"k\":secret}",
        "{\"secret\" 1}",
        "{\"k\":\"secret",
        "{\"k\":[1,\"secret\"",
        "{\"k\":\"\\x secret\"}",
        "{\"k\":NaN}",
        "{\"k\":01}",
        "{\"k\":1,}",
        "{\"k\":1E99999999999}",
        "{\"k\":",
        "{\"k\"",
        "{"
      })
  void malformedJsonIsRefusedWithoutShowingIt(String json) {
    assertThat(refusalOf(json).getMessage()).startsWith("data: ").contains("(line 1, column ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "1", "\"secret\"", "null", "true"})
  void jsonMustBeAnObject(String json) {
    assertThat(refusalOf(json)).hasMessageStartingWith("data: is not a JSON object");
  }

  @Test
  void somethingAfterTheObjectIsRefused() {
    assertThat(refusalOf("{} {\"secret\":1}")).hasMessageContaining("after its JSON object");
  }

  @Test
  void theSameKeyTwiceIsRefused() {
    assertThat(refusalOf("{\"secret\":null,\"secret\":2}"))
        .hasMessageContaining("has the same key twice");
  }

  @Test
  void numbersBeyondTheLimitAreRefused() {
    assertThat(refusalOf("{\"k\":1E+999999999}")).hasMessageContaining("more than 1000 digits");
    assertThat(refusalOf("{\"k\":" + "9".repeat(1001) + "}"))
        .hasMessageContaining("more than 1000 digits");
    assertThat(refusalOf("{\"k\":" + "9".repeat(100_000) + "}")).isNotNull();
  }

  @Test
  void depthAndLengthBeyondTheLimitsAreRefused() {
    assertThat(refusalOf("{\"k\":" + "[".repeat(32) + "]".repeat(32) + "}")).isNotNull();
    assertThat(refusalOf("{\"k\":" + "[".repeat(1_000_000))).isNotNull();
    assertThat(refusalOf("{}" + " ".repeat(16 * 1024 * 1024)))
        .hasMessage("data: is longer than 16777216 characters of JSON");
  }

  @Test
  void halfASurrogatePairHiddenInAnEscapeIsRefused() {
    assertThat(refusalOf("{\"k\":\"\\ud83d\"}")).hasMessageContaining("half a surrogate pair");
  }

  @Test
  void theVeryTextIsKept() {
    TemplateData data = TemplateData.fromJson("{ \"b\" : 1.50, \"a\" : null }");

    assertThat(data.json()).isEqualTo("{ \"b\" : 1.50, \"a\" : null }");
    assertThat(data.asMap().keySet()).containsExactly("b", "a");
  }

  @Test
  void keysAreNotInterned() {
    String interned = ("key-" + System.nanoTime()).intern();

    assertThat(TemplateData.fromJson("{\"" + interned + "\":1}").asMap().keySet())
        .first()
        .isEqualTo(interned)
        .isNotSameAs(interned);
  }
}
