package dev.outbox.verification.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The program: {@code --store mariadb|h2|dynamodb --minutes N --seed N [--output FILE] [--folder
 * DIR] [--without KIND,KIND]}. It ends with 1 if a promise was broken.
 */
final class Chaos {

  private Chaos() {}

  public static void main(String[] arguments) throws IOException {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      options.put(arguments[i], arguments[i + 1]);
    }
    StoreKind store =
        StoreKind.valueOf(options.getOrDefault("--store", "mariadb").toUpperCase(Locale.ROOT));
    double minutes = Double.parseDouble(options.getOrDefault("--minutes", "3"));
    long seed = Long.parseLong(options.getOrDefault("--seed", "1"));
    String ownFolder =
        "target/chaos/%s-%d-%d".formatted(store, seed, ProcessHandle.current().pid());
    Path folder =
        Files.createDirectories(Path.of(options.getOrDefault("--folder", ownFolder)))
            .toAbsolutePath();
    Duration length = Duration.ofMillis((long) (minutes * 60_000));
    Plan plan =
        Plan.of(store, seed, length, folder).without(kinds(options.getOrDefault("--without", "")));
    Report report = new Director(plan, System.out::println).run();
    System.out.println(report.text());
    String output = options.get("--output");
    if (output != null) {
      Files.writeString(Path.of(output), report.text() + "\n");
    }
    System.exit(report.broken().isEmpty() ? 0 : 1);
  }

  private static Set<FaultKind> kinds(String names) {
    Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
    for (String name : names.split(",", -1)) {
      if (!name.isBlank()) {
        kinds.add(FaultKind.valueOf(name));
      }
    }
    return kinds;
  }
}
