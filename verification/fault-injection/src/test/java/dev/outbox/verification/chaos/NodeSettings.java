package dev.outbox.verification.chaos;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * What a node is told when it is started, as arguments of its command line.
 *
 * @param name of this run of the node, as {@code w1-3}
 * @param works whether it sends
 * @param perSecond how many requests it makes in a second; zero for a node that only works
 * @param store which kind of store
 * @param url of the database, through the node's own proxy
 * @param content the directory of large content
 * @param smtp the relay's port
 * @param callbacks the receiver's port
 * @param journal where it writes down what was accepted
 * @param seed of what it asks for
 */
record NodeSettings(
    String name,
    boolean works,
    int perSecond,
    StoreKind store,
    String url,
    Path content,
    int smtp,
    int callbacks,
    Path journal,
    long seed) {

  static NodeSettings parse(String[] arguments) {
    Map<String, String> values =
        Arrays.stream(arguments)
            .map(each -> each.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    return new NodeSettings(
        value(values, "name"),
        Boolean.parseBoolean(value(values, "works")),
        Integer.parseInt(value(values, "perSecond")),
        StoreKind.valueOf(value(values, "store")),
        value(values, "url"),
        Path.of(value(values, "content")),
        Integer.parseInt(value(values, "smtp")),
        Integer.parseInt(value(values, "callbacks")),
        Path.of(value(values, "journal")),
        Long.parseLong(value(values, "seed")));
  }

  private static String value(Map<String, String> values, String name) {
    return Objects.requireNonNull(values.get(name), name);
  }

  String[] arguments() {
    return new String[] {
      "name=" + name,
      "works=" + works,
      "perSecond=" + perSecond,
      "store=" + store,
      "url=" + url,
      "content=" + content,
      "smtp=" + smtp,
      "callbacks=" + callbacks,
      "journal=" + journal,
      "seed=" + seed
    };
  }
}
