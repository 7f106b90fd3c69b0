package dev.outbox.verification.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** No personal data is in any log. */
final class QuietLogs implements Check {

  @Override
  public String promise() {
    return "no personal data in any log";
  }

  @Override
  public List<String> broken(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    try (Stream<Path> files = Files.list(evidence.logs())) {
      for (Path file : files.sorted().toList()) {
        read(file, broken);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return broken;
  }

  private static void read(Path file, List<String> broken) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (line.toLowerCase(Locale.ROOT).contains(Request.MARK)) {
          broken.add("%s line %d: %s".formatted(file.getFileName(), number, line));
        }
      }
    }
  }
}
