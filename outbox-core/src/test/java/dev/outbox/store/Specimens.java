package dev.outbox.store;

import dev.outbox.content.ContentDirectory;
import dev.outbox.email.Address;
import dev.outbox.email.Body;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.email.TemplateData;
import dev.outbox.settings.RetentionSettings;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes one of every public record of the email, store and content packages, with a marker in each
 * text.
 */
final class Specimens {

  /** Stands wherever an address, a subject, a name or any other text could. */
  static final String MARKER = "marker";

  /** What must be of a certain form; of the texts, these alone may be shown. */
  private static final Map<String, Object> GIVEN =
      Map.of(
          "NodeId.value", "web-1~0123456789abcdef",
          "Sha256.hex", "ab".repeat(32),
          "Header.name", "X-Shown",
          "Attachment.contentType", "application/pdf",
          "Templated.template", "shown",
          "EmailQuery.template", "shown",
          "Address.domain", MARKER + ".example",
          "Completion.to", State.SENT,
          "ClaimRequest.from", State.READY);

  private static final Set<String> ABSENT = Set.of("Completion.code");

  private Specimens() {}

  /** Finds the public records of these packages, and of the settings that stores read. */
  static List<Class<?>> records() {
    return publicTypes().stream().filter(Class::isRecord).toList();
  }

  /** Finds the public classes of these packages, enums and interfaces left out. */
  static List<Class<?>> publicTypes() {
    return Stream.concat(
            Stream.of(Address.class, Claim.class, ContentDirectory.class)
                .flatMap(Specimens::neighbours),
            Stream.of(RetentionSettings.class))
        .filter(type -> Modifier.isPublic(type.getModifiers()))
        .filter(type -> !type.isInterface() && !type.isEnum())
        .toList();
  }

  /** Makes one, with collections that can still be changed put into the list. */
  static Object make(Class<?> type, List<Object> collections) {
    try {
      List<@Nullable Object> values = new ArrayList<>();
      for (RecordComponent component : type.getRecordComponents()) {
        String name = type.getSimpleName() + "." + component.getName();
        Object value =
            ABSENT.contains(name)
                ? null
                : GIVEN.containsKey(name) ? GIVEN.get(name) : value(component.getGenericType());
        if (value instanceof Collection || value instanceof Map) {
          collections.add(value);
        }
        values.add(value);
      }
      Class<?>[] types =
          Arrays.stream(type.getRecordComponents())
              .map(RecordComponent::getType)
              .toArray(Class<?>[]::new);
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(values.toArray());
    } catch (InvocationTargetException e) {
      throw new AssertionError("give " + type + " what it wants", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static Object value(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      if (generic.getRawType() == List.class) {
        return new ArrayList<>(List.of(value(arguments[0])));
      }
      if (generic.getRawType() == Set.class) {
        return new HashSet<>(List.of(value(arguments[0])));
      }
      return new HashMap<>(new EnumMap<>(Map.of(PriorityLane.NORMAL, 3)));
    }
    if (type instanceof TypeVariable<?>) {
      return CompletionResult.APPLIED;
    }
    Class<?> plain = (Class<?>) type;
    Map<Class<?>, Object> simple = new HashMap<>();
    simple.put(String.class, MARKER);
    simple.put(int.class, 3);
    simple.put(long.class, 3L);
    simple.put(boolean.class, true);
    simple.put(UUID.class, EmailId.next().value());
    simple.put(Locale.class, Locale.ITALIAN);
    simple.put(URI.class, URI.create("https://" + MARKER + ".example/" + MARKER));
    simple.put(Instant.class, Instant.EPOCH);
    simple.put(Duration.class, Duration.ofDays(1));
    simple.put(Bytes.class, Bytes.utf8(MARKER));
    simple.put(TemplateData.class, TemplateData.of(Map.of(MARKER, MARKER)));
    simple.put(State.class, State.PROCESSING);
    simple.put(Body.class, new Body.Inline(MARKER, MARKER));
    Object value = simple.get(plain);
    if (value != null) {
      return value;
    }
    return plain.isEnum() ? plain.getEnumConstants()[0] : make(plain, new ArrayList<>());
  }

  private static Stream<Class<?>> neighbours(Class<?> type) {
    try {
      Path root = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path folder = root.resolve(type.getPackageName().replace('.', '/'));
      try (Stream<Path> files = Files.list(folder)) {
        List<Class<?>> found = new ArrayList<>();
        for (Path file : files.sorted().toList()) {
          String name = file.getFileName().toString();
          if (name.endsWith(".class") && !name.startsWith("package-info")) {
            found.add(
                Class.forName(
                    type.getPackageName() + "." + name.substring(0, name.length() - 6),
                    false,
                    type.getClassLoader()));
          }
        }
        return found.stream();
      }
    } catch (URISyntaxException | IOException | ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
