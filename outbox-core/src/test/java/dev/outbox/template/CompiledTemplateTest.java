package dev.outbox.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CompiledTemplateTest {

  private static final Map<String, String> PARTIALS =
      Map.of("layout", "{{$body}}{{/body}}{{>p}}", "p", "p{{>q}}", "q", "q", "r", "r", "s", "s");

  @Test
  void everyPartialIsLoadedBeforeTheFirstRendering() {
    String source =
        "{{<layout}}{{$body}}{{#yes}}{{>r}}{{/yes}}{{^yes}}{{>s}}{{/yes}}{{/body}}{{/layout}}";
    TemplateFile file =
        TemplateFile.read("t.txt.mustache", source.getBytes(StandardCharsets.UTF_8));
    List<String> loaded = new ArrayList<>();
    Template template =
        Mustache.compiler()
            .withCollector(new TemplateValue.Collector())
            .withLoader(
                name -> {
                  loaded.add(name);
                  return new StringReader(String.valueOf(PARTIALS.get(name)));
                })
            .compile(source);

    CompiledTemplate part = new CompiledTemplate(template, List.of(file));
    assertThat(loaded).containsExactlyInAnyOrder("layout", "p", "q", "r", "s");

    assertThat(part.render(Map.of("yes", true))).isEqualTo("rpq");
    assertThat(part.render(Map.of("yes", false))).isEqualTo("spq");
    assertThat(loaded).hasSize(5);
  }
}
