package dev.outbox.template;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import java.math.BigDecimal;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A map or list of the data as a template sees it: by key, by index, by iteration, and by nothing
 * else.
 *
 * @param name under which the template reached it
 */
record TemplateValue(String name, Object content) {

  private static @Nullable Object view(String name, @Nullable Object value) {
    // Most values are these; and to find that something lacks an interface takes a JVM far longer.
    if (value instanceof String || value instanceof Number) {
      return value;
    }
    return value instanceof Map || value instanceof List ? new TemplateValue(name, value) : value;
  }

  private @Nullable Object member(String key) {
    if (content instanceof Map<?, ?> map) {
      Object value = map.get(key);
      return value != null || map.containsKey(key) ? view(key, value) : Template.NO_FETCHER_FOUND;
    }
    if (content instanceof List<?> list && key.matches("[0-9]{1,8}")) {
      int index = Integer.parseInt(key);
      if (index < list.size()) {
        return view(name, list.get(index));
      }
    }
    return Template.NO_FETCHER_FOUND;
  }

  private @Nullable Iterator<?> elements() {
    if (!(content instanceof List<?> list)) {
      return null;
    }
    List<Object> elements = new ArrayList<>(list.size());
    list.forEach(each -> elements.add(element(each)));
    return elements.iterator();
  }

  private Object element(@Nullable Object value) {
    // jmustache cannot look into null; an empty text has nothing to look at, prints nothing, is
    // false
    Object view = view(name, value);
    return view == null ? "" : view;
  }

  /** Prints leaves; null never comes here. */
  static CharSequence print(Object value) {
    if (value instanceof TemplateValue node) {
      throw new Unprintable(node);
    }
    return value instanceof BigDecimal number ? number.toPlainString() : value.toString();
  }

  /** Finds variables in nodes, where jmustache's own would look for fields and methods. */
  static final class Collector implements Mustache.Collector {

    @Override
    public @Nullable Iterator<?> toIterator(Object value) {
      if (value instanceof TemplateValue node) {
        return node.elements();
      }
      // jmustache stands an empty list in for null
      return value instanceof List || "".equals(value) ? Collections.emptyIterator() : null;
    }

    @Override
    public Mustache.@Nullable VariableFetcher createFetcher(Object context, String name) {
      return context instanceof TemplateValue
          ? (node, key) -> ((TemplateValue) node).member(key)
          : null;
    }

    @Override
    public <K, V> Map<K, V> createFetcherCache() {
      return new Forgetful<>();
    }
  }

  /** A cache that keeps nothing: what finds a variable is here before a cache could be asked. */
  private static final class Forgetful<K, V> extends AbstractMap<K, V> {

    @Override
    public @Nullable V get(@Nullable Object key) {
      return null;
    }

    @Override
    public @Nullable V put(K key, V value) {
      return null;
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
      return Set.of();
    }
  }

  /** Says that a template tried to print a map or list. */
  static final class Unprintable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unprintable(TemplateValue node) {
      super("'" + node.name + "' is a " + (node.content instanceof Map ? "map" : "list"));
    }
  }
}
