package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds {@code docs/states.md} to the enum: every cell of its table, every edge of its diagrams.
 */
class StatesDocumentTest {

  private static final Path MODULE = Path.of(System.getProperty("basedir", ""));
  private static final Pattern DIAGRAM = Pattern.compile("```mermaid\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern EDGE = Pattern.compile("(\\S+) --> (\\w+)(: .+)?");
  private static final Pattern ALIAS = Pattern.compile("state \"(\\S+)\" as (\\w+)");
  private static final Pattern CONSTANT = Pattern.compile("/\\*\\* (.*) \\*/\\s+([A-Z_]+)[,;]");
  private static final String NOTHING = "\u2013";

  private final String document = text("../docs/states.md");

  @Test
  void theTableSaysOfEveryStateWhatTheEnumDoes() {
    List<List<String>> rows =
        document
            .lines()
            .filter(line -> line.startsWith("|"))
            .map(line -> List.of(line.substring(2, line.length() - 2).split(" \\| ")))
            .toList();
    assertThat(rows.get(0))
        .containsExactly(
            "state",
            "meaning",
            "claimed as",
            "claim expires to",
            "cancel",
            "requeue",
            "erase",
            "may become");

    Map<String, String> meanings = meanings();
    List<List<String>> expected = Stream.of(State.values()).map(s -> row(s, meanings)).toList();

    // the second line is the rule under the header
    assertThat(rows.subList(2, rows.size())).containsExactlyElementsOf(expected);
  }

  @Test
  void theDiagramsShowEveryEdgeOnceAndNoOther() {
    List<String> drawn = new ArrayList<>();
    for (String line : diagramLines()) {
      if (line.contains("-->") && !line.startsWith("[*]")) {
        assertThat(line).matches(EDGE);
        MatchResult edge = EDGE.matcher(line).results().findFirst().orElseThrow();
        drawn.add(edge.group(1) + " --> " + edge.group(2));
      }
    }
    List<String> allowed =
        Stream.of(State.values())
            .flatMap(
                from -> from.successors().stream().map(to -> from.name() + " --> " + to.name()))
            .toList();

    assertThat(drawn).containsExactlyInAnyOrderElementsOf(allowed);
  }

  @Test
  void theWayStartsAtAccepted() {
    assertThat(diagramLines().stream().filter(line -> line.contains("[*]")))
        .containsExactly("[*] --> ACCEPTED");
  }

  @Test
  void everyStateInADiagramIsShownUnderItsWireName() {
    for (MatchResult diagram : DIAGRAM.matcher(document).results().toList()) {
      Map<String, String> shown =
          ALIAS
              .matcher(diagram.group(1))
              .results()
              .collect(Collectors.toMap(alias -> alias.group(2), alias -> alias.group(1)));
      assertThat(diagram.group(1).lines().filter(line -> line.contains("-->")))
          .allSatisfy(
              line ->
                  EDGE.matcher(line)
                      .results()
                      .flatMap(edge -> Stream.of(edge.group(1), edge.group(2)))
                      .filter(name -> !name.equals("[*]"))
                      .forEach(
                          name ->
                              assertThat(shown.getOrDefault(name, name))
                                  .isEqualTo(State.valueOf(name).wireName())));
    }
  }

  private static List<String> row(State state, Map<String, String> meanings) {
    return List.of(
        cell(state),
        Optional.ofNullable(meanings.get(state.name())).orElse("no Javadoc of one line"),
        state.claimedAs().map(StatesDocumentTest::cell).orElse(NOTHING),
        cell(state.stateAfterRelease(true), state.stateAfterRelease(false)),
        state.isCancellable() ? "to `FAILED`" : "too late",
        cell(state.stateAfterRequeue(true), state.stateAfterRequeue(false)),
        state.isErasable() ? "yes" : "no",
        state.successors().isEmpty() ? NOTHING : cells(state.successors()));
  }

  private static String cell(Optional<State> composed, Optional<State> otherwise) {
    if (composed.equals(otherwise)) {
      return composed.map(StatesDocumentTest::cell).orElse(NOTHING);
    }
    return "%s if composed, else %s"
        .formatted(cell(composed.orElseThrow()), cell(otherwise.orElseThrow()));
  }

  private static String cells(Collection<State> states) {
    return new TreeSet<>(states)
        .stream().map(StatesDocumentTest::cell).collect(Collectors.joining(", "));
  }

  private static String cell(State state) {
    return "`" + state.wireName() + "`";
  }

  private static Map<String, String> meanings() {
    Map<String, String> meanings = new LinkedHashMap<>();
    CONSTANT
        .matcher(text("src/main/java/dev/outbox/email/State.java"))
        .results()
        .forEach(
            constant ->
                meanings.put(
                    constant.group(2),
                    constant
                        .group(1)
                        .replaceAll("\\{@link (\\w+)}", "`$1`")
                        .replaceAll("\\.$", "")));
    return meanings;
  }

  private List<String> diagramLines() {
    return DIAGRAM
        .matcher(document)
        .results()
        .flatMap(diagram -> diagram.group(1).lines())
        .map(String::strip)
        .toList();
  }

  private static String text(String path) {
    try {
      return Files.readString(MODULE.resolve(path));
    } catch (IOException e) {
      throw new AssertionError("cannot read " + path, e);
    }
  }
}
