package dev.outbox.verification.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.OutboxBuilder;
import dev.outbox.email.EmailLimits;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.event.OutboxEvent;
import dev.outbox.settings.CallbackSettings;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.verification.reactor.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/glossary.md} defines each term once, and its tables agree with the code. */
class GlossaryTest {

  private static final Pattern ROW = Pattern.compile("\\| (.+?) \\| (.+) \\|");

  /** The methods of the builder that take a group of settings, and the components of the group. */
  private static final Map<String, Class<?>> GROUPS =
      Map.of(
          "lease", LeaseSettings.class,
          "processing", ProcessingSettings.class,
          "retention", RetentionSettings.class,
          "limits", EmailLimits.class,
          "callbacks", CallbackSettings.class);

  @Test
  void everyStateIsDefined() {
    assertThat(termsOf("States"))
        .containsExactlyElementsOf(Arrays.stream(State.values()).map(State::wireName).toList());
  }

  @Test
  void everyFailureCodeIsDefined() {
    assertThat(termsOf("Failure codes"))
        .containsExactlyElementsOf(
            Arrays.stream(FailureCode.values()).map(FailureCode::name).toList());
  }

  @Test
  void everyEventIsDefined() {
    assertThat(termsOf("Events"))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(OutboxEvent.class.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .toList());
  }

  @Test
  void everySettingIsDefined() {
    List<String> settings =
        new ArrayList<>(
            Arrays.stream(OutboxBuilder.class.getMethods())
                .filter(method -> method.getReturnType() == OutboxBuilder.class)
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .map(method -> method.getName())
                .toList());
    GROUPS.forEach(
        (group, type) ->
            Arrays.stream(type.getRecordComponents())
                .forEach(component -> settings.add(group + "." + component.getName())));

    assertThat(termsOf("Settings")).containsExactlyInAnyOrderElementsOf(settings);
  }

  @Test
  void everyTermIsDefinedOnceAndTermsAreInAlphabeticalOrder() {
    List<String> all =
        Stream.of("Terms", "States", "Failure codes", "Events", "Settings")
            .flatMap(section -> rows(section).stream())
            .toList();

    assertThat(all).doesNotHaveDuplicates();
    assertThat(termsOf("Terms")).isSorted();
  }

  private static List<String> termsOf(String section) {
    List<String> terms = terms(section);
    assertThat(terms).as("section %s of docs/glossary.md", section).isNotEmpty();
    return terms;
  }

  private static List<String> terms(String section) {
    return rows(section).stream().map(term -> term.replace("`", "")).toList();
  }

  /** Returns the terms as they are written: the setting {@code `lease`} is not the term lease. */
  private static List<String> rows(String section) {
    List<String> terms = new ArrayList<>();
    boolean inside = false;
    for (String line : lines()) {
      if (line.startsWith("## ")) {
        inside = line.equals("## " + section);
      }
      Matcher row = ROW.matcher(line);
      if (inside && row.matches() && !row.group(2).equals("meaning")) {
        terms.add(row.group(1));
      }
    }
    return terms;
  }

  private static List<String> lines() {
    try {
      return Files.readAllLines(Repository.root().resolve("docs/glossary.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
