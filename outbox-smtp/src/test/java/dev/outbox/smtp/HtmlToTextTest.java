package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HtmlToTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<p>One</p><p>Two</p> | One\\n\\nTwo",
        "a<br>b<br/>c | a\\nb\\nc",
        "<ul><li>x</li><li>y</li></ul> | - x\\n- y",
        "<head><title>t</title></head><style>s</style>b<script>x()</script>c | bc",
        "a &lt;b&gt; &amp; &#x20ac; &#8364; &euro;&nbsp;1 | a <b> & € € € 1",
        "&unknown; & &amp | &unknown; & &amp",
        "1 < 2 and 3 > 2 | 1 < 2 and 3 > 2",
        "<a href=\"https://x.example/?a=1&amp;b=2\">go</a> | go (https://x.example/?a=1&b=2)",
        "<a href='https://x.example/'>https://x.example/</a> | https://x.example/",
        "<a href=\"#top\">up</a> | up",
        "<a href=\"mailto:a@x.example\">a@x.example</a> | a@x.example",
        "<!-- hidden -->shown<!-- never closed | shown",
        "many     spaces | many spaces",
        "<tr><td>a</td><td>b</td></tr><tr><td>c</td></tr> | a b\\nc",
        "cut <b | cut",
      })
  void words(String html, String text) {
    assertThat(HtmlToText.of(html)).isEqualTo(text.replace("\\n", "\n") + "\n");
  }

  @Test
  void hostileHtmlTakesNoLongerThanItsLength() {
    for (String piece :
        List.of("<", "&", "<a ", "<!--", "<a href=", "</a>", "<script>", "<p>", "<br>", "&#")) {
      String html = piece.repeat(200_000);
      Assertions.assertThatCode(
              () ->
                  org.junit.jupiter.api.Assertions.assertTimeout(
                      Duration.ofSeconds(5), () -> HtmlToText.of(html)))
          .as(piece)
          .doesNotThrowAnyException();
    }
  }
}
