package dev.outbox.verification.gradle;

import dev.outbox.verification.reactor.Reactor;
import dev.outbox.verification.reactor.ReactorModule;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The Gradle build that corresponds to a Maven reactor.
 *
 * @param files the text of each file, by its path below the root of the repository
 */
public record GradleFiles(SortedMap<String, String> files) {

  /** Copies the files. */
  public GradleFiles {
    files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
  }

  /** {@return the twin of the reactor} */
  public static GradleFiles of(Reactor reactor) {
    VersionCatalog catalog = VersionCatalog.of(reactor);
    ModuleScript script = new ModuleScript(catalog, new TestSettings(reactor));
    SortedMap<String, String> files = new TreeMap<>();
    files.put("settings.gradle.kts", RootScripts.settings(reactor));
    files.put("build.gradle.kts", RootScripts.build(reactor, catalog));
    files.put("gradle/libs.versions.toml", catalog.toToml());
    files.put("gradle/wrapper/gradle-wrapper.properties", RootScripts.wrapper(reactor));
    for (ReactorModule module : reactor.modules()) {
      files.put(
          module.directory() + "/build.gradle.kts",
          module.isBom() ? BomScript.of(module) : script.of(module));
    }
    return new GradleFiles(files);
  }
}
