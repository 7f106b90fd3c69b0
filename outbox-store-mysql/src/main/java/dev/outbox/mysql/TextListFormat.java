package dev.outbox.mysql;

import dev.outbox.email.Address;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.Recipients;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists in one text column, a line for each, so that people can read them in the table. */
final class TextListFormat {

  private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");

  private TextListFormat() {}

  /** Writes lines such as {@code to Ada <ada@example.com>}. */
  static String of(Recipients recipients) {
    StringBuilder lines = new StringBuilder();
    append(lines, "to ", recipients.to());
    append(lines, "cc ", recipients.cc());
    append(lines, "bcc ", recipients.bcc());
    return lines.toString();
  }

  private static void append(StringBuilder lines, String kind, List<Address> addresses) {
    for (Address address : addresses) {
      lines.append(lines.isEmpty() ? "" : "\n").append(kind).append(address.format());
    }
  }

  static Recipients recipients(String lines) {
    List<Address> to = new ArrayList<>();
    List<Address> cc = new ArrayList<>();
    List<Address> bcc = new ArrayList<>();
    for (String line : (Iterable<String>) lines.lines()::iterator) {
      int space = line.indexOf(' ');
      Address address = Address.stored("recipients", line.substring(space + 1));
      switch (line.substring(0, space)) {
        case "to" -> to.add(address);
        case "cc" -> cc.add(address);
        case "bcc" -> bcc.add(address);
        default -> throw new IllegalArgumentException("recipients: a kind that is unknown");
      }
    }
    return new Recipients(to, cc, bcc);
  }

  /** Writes one tag a line, with line breaks around all, so that one can be looked for. */
  static @Nullable String ofTags(Set<String> tags) {
    return tags.isEmpty()
        ? null
        : tags.stream().sorted().collect(Collectors.joining("\n", "\n", "\n"));
  }

  static Set<String> tags(@Nullable String lines) {
    return lines == null
        ? Set.of()
        : lines.lines().filter(line -> !line.isEmpty()).collect(Collectors.toSet());
  }

  static @Nullable String ofResults(Collection<RecipientResult> results) {
    return results.isEmpty()
        ? null
        : results.stream()
            .map(
                result ->
                    result.status()
                        + " "
                        + result.recipient()
                        + " "
                        + (result.reply() == null ? "" : "=" + escaped(result.reply())))
            .collect(Collectors.joining("\n"));
  }

  static List<RecipientResult> results(@Nullable String lines) {
    return lines == null ? List.of() : lines.lines().map(TextListFormat::result).toList();
  }

  private static RecipientResult result(String line) {
    String[] parts = line.split(" ", 3);
    String reply = parts[2];
    return new RecipientResult(
        parts[1],
        RecipientResult.Status.valueOf(parts[0]),
        reply.isEmpty() ? null : unescaped(reply.substring(1)));
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static String unescaped(String text) {
    return ESCAPE
        .matcher(text)
        .replaceAll(
            escape ->
                switch (escape.group(1)) {
                  case "n" -> "\n";
                  case "r" -> "\r";
                  default -> "\\\\";
                });
  }
}
