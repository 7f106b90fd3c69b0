package dev.outbox.email;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The data for a template: a snapshot, kept as JSON, that later changes of the host's objects
 * cannot reach.
 *
 * <p>What may be in it: null, text (any {@link CharSequence}), {@code Character}, {@code Boolean},
 * the integer types and {@code BigInteger}, {@code BigDecimal} (its scale is kept), finite floats
 * and doubles, enums (by {@code name()}), the values of {@code java.time} (as ISO text), {@code
 * UUID}, {@code URI}, the optionals (their content or null); and of these: maps with text as keys,
 * records, collections and arrays. Everything else is refused with an {@link InvalidEmailException}
 * whose field is the path to it, such as {@code data.items[2].price}. A key that is not a plain
 * name is shown as {@code ?} in that path, because it may be content.
 *
 * <p>Equal data gives equal JSON: the keys of a map are sorted, a record's components keep their
 * order.
 *
 * <p>Limits: {@value TemplateDataLimits#DEPTH} levels, {@value TemplateDataLimits#CHARS} characters
 * of JSON, {@value TemplateDataLimits#KEY} characters for a key, {@value TemplateDataLimits#DIGITS}
 * digits for a number.
 *
 * <p>Immutable, and safe for use by several threads. {@link #toString} shows the size alone.
 */
public final class TemplateData {

  private static final TemplateData EMPTY = new TemplateData("{}", Map.of());

  private final String json;
  private final int bytes;
  private volatile @Nullable Map<String, @Nullable Object> map;

  private TemplateData(String json, @Nullable Map<String, @Nullable Object> map) {
    this.json = json;
    this.bytes = json.getBytes(StandardCharsets.UTF_8).length;
    this.map = map;
  }

  /**
   * Takes a snapshot of a map or record.
   *
   * @param mapOrRecord a map with text as keys, or any record, also one that is not public
   * @return the data, independent of what it was made from
   * @throws InvalidEmailException if it holds something that cannot be stored; the field is the
   *     path
   */
  public static TemplateData of(Object mapOrRecord) {
    return mapOrRecord instanceof TemplateData same
        ? same
        : new TemplateData(TemplateDataWriter.write(mapOrRecord), null);
  }

  /**
   * Returns no data, for a template without variables.
   *
   * @return data that equals an empty map's
   */
  public static TemplateData empty() {
    return EMPTY;
  }

  /**
   * Reads back what {@link #json} gave.
   *
   * @param json a JSON object
   * @return data with that very JSON
   * @throws IllegalArgumentException if it is not a JSON object or goes beyond the limits; the text
   *     shows nothing of it
   */
  public static TemplateData fromJson(String json) {
    return new TemplateData(json, TemplateDataReader.read(json));
  }

  /**
   * Returns the data as JSON.
   *
   * @return a JSON object
   */
  public String json() {
    return json;
  }

  /**
   * Returns the data as a tree.
   *
   * @return a deeply unmodifiable map of nothing but {@code Map}, {@code List}, {@code String},
   *     {@code Boolean}, {@code Long}, {@code BigInteger}, {@code BigDecimal} and null
   */
  public Map<String, @Nullable Object> asMap() {
    Map<String, @Nullable Object> known = map;
    if (known == null) {
      known = TemplateDataReader.read(json);
      map = known;
    }
    return known;
  }

  /**
   * Returns the size of the JSON.
   *
   * @return its length in UTF-8
   */
  public int bytes() {
    return bytes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TemplateData that && json.equals(that.json);
  }

  @Override
  public int hashCode() {
    return json.hashCode();
  }

  @Override
  public String toString() {
    return "TemplateData[" + bytes + " bytes]";
  }
}
