package dev.outbox.verification.documentation;

import dev.outbox.verification.reactor.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documentation.
 *
 * @param file where it is
 * @param text what it says
 */
record MarkdownPage(Path file, String text) {

  private static final Pattern FENCED = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
  private static final Pattern LINK =
      Pattern.compile("!?\\[((?:[^\\[\\]]|\\[[^\\]]*])*)]\\(([^)\\s]+)\\)");
  private static final Pattern IMAGE = Pattern.compile("(?:src|srcset)=\"([^\"]+)\"");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?)\\s*$");

  /**
   * A link of a page.
   *
   * @param words what is underlined
   * @param target where it leads
   */
  record Link(String words, String target) {}

  /** {@return README, and the other pages for those who use or change the library} */
  static List<MarkdownPage> all() {
    return Stream.concat(
            Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
                .map(Repository.root()::resolve),
            Repository.files(Repository.root().resolve("docs"), name -> name.endsWith(".md"))
                .stream())
        .map(MarkdownPage::read)
        .toList();
  }

  static MarkdownPage read(Path file) {
    try {
      return new MarkdownPage(file, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@return the fenced pieces of a language} */
  List<String> pieces(String language) {
    return FENCED
        .matcher(text)
        .results()
        .filter(piece -> piece.group(1).equals(language))
        .map(piece -> piece.group(2))
        .toList();
  }

  /** {@return links and pictures, without what only looks like one inside code} */
  List<Link> links() {
    String prose = FENCED.matcher(text).replaceAll("");
    Stream<Link> links =
        LINK.matcher(prose).results().map(link -> new Link(link.group(1), link.group(2)));
    Stream<Link> images = IMAGE.matcher(prose).results().map(src -> new Link("", src.group(1)));
    return Stream.concat(links, images).toList();
  }

  /** {@return the names by which GitHub knows the headings} */
  Set<String> anchors() {
    Map<String, Integer> seen = new HashMap<>();
    Set<String> anchors = new HashSet<>();
    HEADING
        .matcher(FENCED.matcher(text).replaceAll(""))
        .results()
        .map(MatchResult::group)
        .map(MarkdownPage::slug)
        .forEach(
            slug -> {
              int before = seen.merge(slug, 1, Integer::sum) - 1;
              anchors.add(before == 0 ? slug : slug + "-" + before);
            });
    return anchors;
  }

  private static String slug(String heading) {
    return heading
        .replaceFirst("^#+ +", "")
        .strip()
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
        .replace(' ', '-');
  }

  @Override
  public String toString() {
    return Repository.root().relativize(file).toString();
  }
}
