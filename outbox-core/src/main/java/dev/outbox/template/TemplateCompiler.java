package dev.outbox.template;

import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.MustacheException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files of one folder on their way to templates: checked all together, then compiled. */
final class TemplateCompiler {

  static final int MOST_PARTIALS = 1000;

  private static final Pattern PARSER_MESSAGE = Pattern.compile("(?s)(.*) @ line ([0-9]+)");

  private final Map<Key, TemplateFile> files = new HashMap<>();
  private final NavigableSet<String> locales = new TreeSet<>(Set.of(""));
  private final Set<String> problems = new LinkedHashSet<>();
  private final Map<List<TemplateFile>, CompiledTemplate> compiled = new HashMap<>();

  private TemplateCompiler() {}

  /**
   * Compiles files.
   *
   * @param origin what to call the folder in messages
   * @param contents by path from the top of the folder
   */
  static Templates compile(String origin, NavigableMap<String, byte[]> contents) {
    if (contents.isEmpty()) {
      throw new TemplateException(origin + ": no *.mustache files found");
    }
    TemplateCompiler set = new TemplateCompiler();
    contents.forEach((path, content) -> set.attempt(() -> set.add(path, content)));
    set.files.values().stream().sorted((a, b) -> a.path().compareTo(b.path())).forEach(set::check);
    if (!set.problems.isEmpty()) {
      throw new TemplateException(origin + ":\n  " + String.join("\n  ", set.problems));
    }
    return new MustacheTemplates(set.variants());
  }

  private void attempt(Runnable step) {
    try {
      step.run();
    } catch (TemplateException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
  }

  private void add(String path, byte[] content) {
    TemplateFile file = TemplateFile.read(path, content);
    files.put(new Key(file.name(), file.part(), file.locale()), file);
    locales.add(file.locale());
  }

  private void check(TemplateFile file) {
    if (find(file.name(), file.part(), "") == null) {
      problems.add(file.path() + ": has no plain file next to it, for all other locales");
    }
    for (TemplateTag tag : file.tags()) {
      if (tag.isReference() && find(tag.name(), file.part(), file.locale()) == null) {
        problems.add(
            "%s:%d: there is no %s.%s.mustache"
                .formatted(file.path(), tag.line(), tag.name(), file.part().suffix));
      }
    }
    attempt(() -> parse(file));
    for (String locale : locales) {
      attempt(() -> expand(file, locale));
    }
  }

  private void parse(TemplateFile file) {
    try {
      compiler(file.part(), "").compile(file.source());
    } catch (MustacheException e) {
      Matcher message = PARSER_MESSAGE.matcher(String.valueOf(e.getMessage()));
      throw new TemplateException(
          message.matches()
              ? file.path() + ":" + message.group(2) + ": " + message.group(1)
              : file.path() + ": " + e.getMessage());
    }
  }

  /** Lists a file and what it includes, each as often as it is included. */
  private List<TemplateFile> expand(TemplateFile file, String locale) {
    List<TemplateFile> all = new ArrayList<>();
    include(file, locale, new ArrayList<>(), all);
    return all;
  }

  private void include(
      TemplateFile file, String locale, List<TemplateFile> within, List<TemplateFile> all) {
    if (within.contains(file)) {
      throw new TemplateException(
          file.path() + ": includes itself, directly or by another partial");
    }
    if (all.size() > MOST_PARTIALS) {
      throw new TemplateException(
          all.get(0).path() + ": includes more than " + MOST_PARTIALS + " partials");
    }
    all.add(file);
    within.add(file);
    for (TemplateTag tag : file.tags()) {
      TemplateFile partial = tag.isReference() ? find(tag.name(), file.part(), locale) : null;
      if (partial != null) {
        include(partial, locale, within, all);
      }
    }
    within.remove(within.size() - 1);
  }

  private @Nullable TemplateFile find(String name, TemplatePart part, String locale) {
    for (String tag = locale; ; tag = MustacheTemplates.broader(tag)) {
      TemplateFile file = files.get(new Key(name, part, tag));
      if (file != null || tag.isEmpty()) {
        return file;
      }
    }
  }

  private NavigableMap<String, Map<String, Variant>> variants() {
    NavigableMap<String, Map<String, Variant>> variants = new TreeMap<>();
    for (TemplateFile file : files.values()) {
      if (file.part() != TemplatePart.SUBJECT && !file.isPartialOnly()) {
        variants.computeIfAbsent(file.name(), this::variantsOf);
      }
    }
    return Collections.unmodifiableNavigableMap(variants);
  }

  private Map<String, Variant> variantsOf(String name) {
    Map<String, Variant> variants = new HashMap<>();
    for (String locale : locales) {
      variants.put(
          locale,
          new Variant(
              compiled(name, TemplatePart.SUBJECT, locale),
              compiled(name, TemplatePart.HTML, locale),
              compiled(name, TemplatePart.TEXT, locale)));
    }
    return variants;
  }

  private @Nullable CompiledTemplate compiled(String name, TemplatePart part, String locale) {
    TemplateFile file = find(name, part, locale);
    if (file == null) {
      return null;
    }
    // locales that lead to the same files share them
    return compiled.computeIfAbsent(
        expand(file, locale),
        all -> new CompiledTemplate(compiler(part, locale).compile(file.source()), all));
  }

  private Mustache.Compiler compiler(TemplatePart part, String locale) {
    return Mustache.compiler()
        .withEscaper(part == TemplatePart.HTML ? new HtmlEscaper() : Escapers.NONE)
        .nullValue("")
        .strictSections(true)
        .withFormatter(TemplateValue::print)
        .withCollector(new TemplateValue.Collector())
        .withLoader(name -> new StringReader(partial(name, part, locale).source()));
  }

  private TemplateFile partial(String name, TemplatePart part, String locale) {
    TemplateFile file = find(name, part, locale);
    if (file == null) {
      throw new TemplateException("there is no " + name + "." + part.suffix + ".mustache");
    }
    return file;
  }

  private record Key(String name, TemplatePart part, String locale) {}

  /** A template's parts for one locale. */
  record Variant(
      @Nullable CompiledTemplate subject,
      @Nullable CompiledTemplate html,
      @Nullable CompiledTemplate text) {}
}
