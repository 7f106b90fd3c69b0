package dev.outbox.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.TemplateData;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StrangeSourcesTest {

  private static final List<String> BITS =
      List.of(
          "{{",
          "}}",
          "{",
          "}",
          "{{{",
          "}}}",
          "{{#",
          "{{^",
          "{{/",
          "{{>",
          "{{<",
          "{{$",
          "{{!",
          "{{&",
          "{{=",
          "=}}",
          "<% %>",
          "<%",
          "%>",
          "| |",
          "a",
          "b",
          "l",
          "m",
          "t",
          "p",
          ".",
          "..",
          " ",
          "\n",
          "\r\n",
          "this",
          "-index",
          "-first",
          "0",
          "text",
          "{{a}}",
          "{{#l}}",
          "{{/l}}",
          "{{>p}}",
          "{{>t}}",
          "{{<p}}",
          "{{/p}}",
          "{{$a}}",
          "{{/a}}",
          "{{#m}}{{b}}{{/m}}");

  private static final TemplateData DATA =
      TemplateData.of(
          Map.of("a", "x", "b", 1, "l", Arrays.asList(1, null, Map.of()), "m", Map.of("b", true)));

  @Test
  void noSourceFailsInAnyOtherWayThanItsException() {
    Random random = new Random(42);
    int rendered = 0;
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      TreeMap<String, byte[]> files = new TreeMap<>();
      files.put("t.txt.mustache", source(random));
      files.put("p.txt.mustache", random.nextBoolean() ? source(random) : new byte[0]);
      try {
        TemplateCompiler.compile("test", files).render("t", null, DATA);
        rendered++;
      } catch (TemplateException e) {
        refused++;
      }
    }

    assertThat(rendered).isGreaterThan(1000);
    assertThat(refused).isGreaterThan(1000);
  }

  private static byte[] source(Random random) {
    StringBuilder source = new StringBuilder();
    for (int bits = random.nextInt(8); bits >= 0; bits--) {
      source.append(BITS.get(random.nextInt(BITS.size())));
    }
    return source.toString().getBytes(StandardCharsets.UTF_8);
  }
}
