package dev.outbox.verification.gradle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Gradle files below a directory, read line by line: generated scripts have one form.
 *
 * @param root the directory of the root script
 */
record GradleBuildFiles(Path root) {

  private static final Pattern ALIAS =
      Pattern.compile("([\\w-]+) = \\{ module = \"([^\"]+)\"(?:, version.ref = \"([^\"]+)\")? }");
  private static final Pattern VERSION = Pattern.compile("([\\w-]+) = \"([^\"]+)\"");
  private static final Pattern FILTER = Pattern.compile("(include|exclude)\\(\"([^\"]+)\"\\)");
  private static final Pattern CONDITION = Pattern.compile("if \\(System.getenv\\(\"(\\w+)\".*");
  private static final Pattern DECLARATION =
      Pattern.compile("(\\w+)\\((libs[\\w.]+|project\\(\":[\\w-]+\"\\))\\)(?: \\{)?");
  private static final Pattern PLATFORM =
      Pattern.compile("(\\w+)\\(platform\\((libs[\\w.]+)\\)\\)");
  private static final Pattern EXCLUSION =
      Pattern.compile("exclude\\(group = \"([^\"]+)\", module = \"([^\"]+)\"\\)");
  private static final Pattern FORCED = Pattern.compile("force\\(\"(.+):([^:]+)\"\\)");
  private static final Pattern ENFORCED =
      Pattern.compile("add\\(\"managed\", enforcedPlatform\\(rootProject\\.(libs[\\w.]+)\\)\\)");
  private static final Pattern PROPERTY =
      Pattern.compile("systemProperty\\(\"([^\"]+)\", \"([^\"]+)\"\\)");

  private static final Pattern INCLUDED = Pattern.compile("\"([\\w-]+)\",");
  private static final Pattern DIRECTORY =
      Pattern.compile("project\\(\":([\\w-]+)\"\\)\\.projectDir = file\\(\"([^\"]+)\"\\)");

  /** The configurations that each configuration extends. */
  private static final Map<String, Set<String>> EXTENDED =
      Map.of(
          "api", Set.of("api"),
          "implementation", Set.of("api", "implementation"),
          "compileOnly", Set.of("api", "implementation", "compileOnly"),
          "runtimeOnly", Set.of("api", "implementation", "runtimeOnly"),
          "testImplementation", Set.of("api", "implementation", "testImplementation"));

  /** {@return the directories of the modules below the root} */
  Set<String> directories() {
    List<String> settings = read("settings.gradle.kts");
    Map<String, String> elsewhere =
        all(DIRECTORY, settings.stream())
            .collect(Collectors.toMap(each -> each.group(1), each -> each.group(2)));
    return all(INCLUDED, settings.stream())
        .map(included -> elsewhere.getOrDefault(included.group(1), included.group(1)))
        .collect(Collectors.toSet());
  }

  /** {@return what Gradle selects while these variables are in the environment} */
  ClassSelection testClasses(String module, Set<String> environment) {
    Set<String> includes = new HashSet<>();
    Set<String> excludes = new HashSet<>();
    for (String script : List.of("", module)) {
      boolean applies = true;
      for (String line : lines(script)) {
        List<MatchResult> condition = CONDITION.matcher(line).results().toList();
        if (!condition.isEmpty()) {
          applies = environment.contains(condition.get(0).group(1));
        } else if (line.equals("}")) {
          applies = true;
        } else if (applies) {
          all(FILTER, Stream.of(line))
              .forEach(
                  filter ->
                      (filter.group(1).equals("include") ? includes : excludes)
                          .add(filter.group(2).replace("\\$", "$")));
        }
      }
    }
    return new ClassSelection(includes, excludes);
  }

  /** {@return the dependencies of a module and what is excluded below each} */
  Set<Declared> dependencies(String module) {
    Set<Declared> dependencies = new LinkedHashSet<>();
    List<String> lines = lines(module);
    for (int at = 0; at < lines.size(); at++) {
      for (MatchResult declared : all(DECLARATION, Stream.of(lines.get(at))).toList()) {
        Stream<String> block =
            lines.get(at).endsWith("{")
                ? lines.stream().skip(at + 1L).takeWhile(Predicate.not("}"::equals))
                : Stream.empty();
        Set<String> excluded =
            all(EXCLUSION, block)
                .map(exclusion -> exclusion.group(1) + ":" + exclusion.group(2))
                .collect(Collectors.toSet());
        dependencies.add(new Declared(library(declared.group(2)), excluded));
      }
    }
    return dependencies;
  }

  /** {@return the declarations of a module that have no version and see no platform} */
  List<String> withoutVersion(String module) {
    Set<String> platforms =
        all(PLATFORM, lines(module).stream())
            .map(platform -> platform.group(1) + " " + group(library(platform.group(2))))
            .collect(Collectors.toSet());
    return all(DECLARATION, lines(module).stream())
        .filter(declared -> declared.group(2).startsWith("libs"))
        .filter(declared -> version(declared.group(2)).isEmpty())
        .filter(
            declared ->
                Objects.requireNonNull(EXTENDED.get(declared.group(1))).stream()
                    .flatMap(
                        configuration ->
                            platforms.stream()
                                .filter(platform -> platform.startsWith(configuration + " "))
                                .map(platform -> platform.substring(configuration.length() + 1)))
                    .noneMatch(group -> library(declared.group(2)).startsWith(group)))
        .map(MatchResult::group)
        .toList();
  }

  /** {@return the version of each managed library, and of each BOM after the word {@code bom}} */
  Map<String, String> managedVersions() {
    Map<String, String> versions = new TreeMap<>();
    all(FORCED, lines("").stream())
        .forEach(forced -> versions.put(forced.group(1), forced.group(2)));
    all(ENFORCED, lines("").stream())
        .map(bom -> bom.group(1))
        .forEach(bom -> versions.put("bom " + library(bom), version(bom)));
    return versions;
  }

  /** {@return the system properties of a module's tests; paths start at the module} */
  Map<String, String> systemProperties(String module) {
    return all(PROPERTY, lines(module).stream())
        .collect(
            Collectors.toMap(
                property -> property.group(1),
                property -> property.group(2).replace("$projectDir/", "")));
  }

  private String library(String notation) {
    return notation.startsWith("libs")
        ? alias(notation).group(2)
        : notation.replaceAll("project\\(\":(.+)\"\\)", "dev.outbox:$1");
  }

  /** {@return the version of a library; empty if it has none of its own} */
  private String version(String accessor) {
    String reference = alias(accessor).group(3);
    return all(VERSION, read("gradle/libs.versions.toml").stream())
        .filter(version -> version.group(1).equals(reference))
        .map(version -> version.group(2))
        .collect(Collectors.joining());
  }

  private MatchResult alias(String accessor) {
    return all(ALIAS, read("gradle/libs.versions.toml").stream())
        .filter(alias -> ("libs." + alias.group(1).replaceAll("[-_]", ".")).equals(accessor))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no alias for " + accessor));
  }

  private static String group(String library) {
    return library.substring(0, library.indexOf(':'));
  }

  private static Stream<MatchResult> all(Pattern pattern, Stream<String> lines) {
    return lines
        .map(pattern::matcher)
        .filter(matcher -> matcher.matches())
        .map(matcher -> matcher.toMatchResult());
  }

  /** The lines of a module's script, or of the root's. */
  private List<String> lines(String module) {
    return read(Path.of(module, "build.gradle.kts").toString());
  }

  private List<String> read(String file) {
    try {
      return Files.readAllLines(root.resolve(file)).stream().map(String::strip).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
