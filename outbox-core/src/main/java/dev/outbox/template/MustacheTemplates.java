package dev.outbox.template;

import dev.outbox.email.TemplateData;
import dev.outbox.template.TemplateCompiler.Variant;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiled templates; immutable. */
final class MustacheTemplates implements Templates {

  private final NavigableMap<String, Map<String, Variant>> variants;

  /** Takes templates by name, then by locale, of which the empty one is always there. */
  MustacheTemplates(NavigableMap<String, Map<String, Variant>> variants) {
    this.variants = variants;
  }

  @Override
  public Set<String> names() {
    return Collections.unmodifiableSet(variants.keySet());
  }

  @Override
  public boolean contains(String name) {
    return variants.containsKey(name);
  }

  @Override
  public boolean hasSubject(String name) {
    return variant(name, "").subject() != null;
  }

  @Override
  public RenderedTemplate render(String name, @Nullable Locale locale, TemplateData data) {
    Variant variant = variant(name, locale == null ? "" : locale.toLanguageTag());
    Map<String, @Nullable Object> values = data.asMap();
    return new RenderedTemplate(
        render(variant.subject(), values),
        render(variant.html(), values),
        render(variant.text(), values));
  }

  private static @Nullable String render(
      @Nullable CompiledTemplate part, Map<String, @Nullable Object> values) {
    return part == null ? null : part.render(values);
  }

  private Variant variant(String name, String locale) {
    Map<String, Variant> byLocale = variants.get(name);
    if (byLocale == null) {
      throw new TemplateNotFoundException(name);
    }
    Variant variant = byLocale.get(locale);
    for (String tag = locale; variant == null; ) {
      tag = broader(tag);
      variant = byLocale.get(tag);
    }
    return variant;
  }

  /** Returns the next tag to try: {@code it} for {@code it-IT}, the empty one for {@code it}. */
  static String broader(String tag) {
    return tag.substring(0, Math.max(0, tag.lastIndexOf('-')));
  }

  @Override
  public String toString() {
    return "Templates" + variants.keySet();
  }
}
