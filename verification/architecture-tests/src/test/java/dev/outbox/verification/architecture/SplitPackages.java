package dev.outbox.verification.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Packages of which more than one jar or class directory holds a part. */
final class SplitPackages {

  private SplitPackages() {}

  static Map<String, Set<String>> in(Iterable<JavaClass> classes) {
    Map<String, Set<String>> homes = new TreeMap<>();
    for (JavaClass type : classes) {
      type.getSource()
          .ifPresent(
              source ->
                  homes
                      .computeIfAbsent(type.getPackageName(), name -> new TreeSet<>())
                      .add(home(type, source.getUri())));
    }
    homes.values().removeIf(found -> found.size() < 2);
    return homes;
  }

  /** What is left of a class file's address without the class. */
  private static String home(JavaClass type, URI file) {
    String path = type.getName().replace('.', '/') + ".class";
    return file.toString().replace(path, "");
  }
}
