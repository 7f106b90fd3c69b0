package dev.outbox.verification.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What {@code /proc} shows of a process that has closed its outboxes and stores: ideally nothing.
 */
final class LeftOver {

  private static final String ESTABLISHED = "01";

  private LeftOver() {}

  /** Names threads of the library's and its pools', and counts connections. */
  static List<String> of(long pid) {
    List<String> found = new ArrayList<>();
    Path process = Path.of("/proc", Long.toString(pid));
    for (Path task : list(process.resolve("task"))) {
      String name = read(task.resolve("comm")).strip();
      if (name.startsWith("outbox") || name.contains("ikari") || name.contains("sdk-")) {
        found.add("thread " + name);
      }
    }
    Set<String> connections = established(process);
    for (Path descriptor : list(process.resolve("fd"))) {
      String target = link(descriptor);
      if (target.startsWith("socket:[")
          && connections.contains(target.substring(8, target.length() - 1))) {
        found.add("connection " + target);
      }
    }
    return found;
  }

  private static Set<String> established(Path process) {
    Set<String> inodes = new HashSet<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : read(process.resolve(table)).split("\n", -1)) {
        String[] columns = line.strip().split("\\s+", -1);
        if (columns.length > 9 && columns[3].equals(ESTABLISHED)) {
          inodes.add(columns[9]);
        }
      }
    }
    return inodes;
  }

  private static List<Path> list(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      // A thread that has just ended.
      return "";
    }
  }

  private static String link(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return "";
    }
  }
}
