package dev.outbox.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.TemplateData;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenderingRaceTest {

  @Test
  void tenThreadsRenderTheirOwnDataWithOneTemplate(@TempDir Path directory) throws Exception {
    Templates templates =
        new Folder(directory)
            .with("t.txt.mustache", "{{#items}}{{>item}}{{/items}}")
            .with("item.txt.mustache", "{{name}};")
            .templates();
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(10);
    try {
      List<Future<Boolean>> results = new ArrayList<>();
      for (int thread = 0; thread < 10; thread++) {
        String name = "name-" + thread;
        // values of several types under one name, which jmustache caches by type
        Object item = thread % 2 == 0 ? Map.of("name", name) : Map.of("name", name, "x", 1);
        TemplateData data = TemplateData.of(Map.of("items", List.of(item, item)));
        results.add(
            threads.submit(
                () -> {
                  start.await();
                  boolean same = true;
                  for (int i = 0; i < 500; i++) {
                    String text = templates.render("t", null, data).text();
                    same &= (name + ";" + name + ";").equals(text);
                  }
                  return same;
                }));
      }
      start.countDown();
      for (Future<Boolean> result : results) {
        assertThat(result.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
