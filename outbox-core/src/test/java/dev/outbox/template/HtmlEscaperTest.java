package dev.outbox.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.samskivert.mustache.Escapers;
import org.junit.jupiter.api.Test;

class HtmlEscaperTest {

  @Test
  void everyCharacterBecomesWhatJmustacheMakesOfIt() {
    HtmlEscaper escaper = new HtmlEscaper();
    for (char c = 0; c < Character.MAX_VALUE; c++) {
      String text = "a" + c + "b";
      assertThat(escaper.escape(text)).isEqualTo(Escapers.HTML.escape(text));
    }
  }
}
