package dev.outbox.verification.reactor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.model.Model;
import org.apache.maven.model.io.xpp3.MavenXpp3Reader;
import org.codehaus.plexus.util.xml.pull.XmlPullParserException;

/**
 * The parent POM and its modules, as written: nothing is inherited or interpolated.
 *
 * @param directory the root of the repository
 * @param parent the root POM
 * @param aggregators the POMs that only list modules, each after the one that lists it
 * @param modules all other modules, in the order in which the POMs list them
 */
public record Reactor(
    Path directory, Model parent, List<ReactorModule> aggregators, List<ReactorModule> modules) {

  /** Copies the lists. */
  public Reactor {
    aggregators = List.copyOf(aggregators);
    modules = List.copyOf(modules);
  }

  /** {@return the reactor whose root POM lies in the directory} */
  public static Reactor read(Path directory) {
    Model parent = readPom(directory);
    List<ReactorModule> aggregators = new ArrayList<>();
    List<ReactorModule> modules = new ArrayList<>();
    readModules(directory, "", parent, aggregators, modules);
    return new Reactor(directory, parent, aggregators, modules);
  }

  private static void readModules(
      Path root,
      String prefix,
      Model lister,
      List<ReactorModule> aggregators,
      List<ReactorModule> modules) {
    for (String listed : lister.getModules()) {
      String directory = prefix + listed;
      ReactorModule module = new ReactorModule(directory, readPom(root.resolve(directory)));
      if (module.isAggregator()) {
        aggregators.add(module);
        readModules(root, directory + "/", module.model(), aggregators, modules);
      } else {
        modules.add(module);
      }
    }
  }

  /** {@return the modules that host applications can depend on, the BOM among them} */
  public List<ReactorModule> publishedModules() {
    return modules.stream().filter(ReactorModule::isPublished).toList();
  }

  /** {@return the module of that name} */
  public ReactorModule module(String name) {
    return modules.stream()
        .filter(module -> module.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no module " + name));
  }

  /** {@return the value of a property of the root POM} */
  public String property(String name) {
    String value = parent.getProperties().getProperty(name);
    if (value == null) {
      throw new IllegalArgumentException("the root POM has no property " + name);
    }
    return value;
  }

  /** {@return the POM in the directory, as written} */
  public static Model readPom(Path directory) {
    Path pom = directory.resolve("pom.xml");
    try (InputStream in = Files.newInputStream(pom)) {
      return new MavenXpp3Reader().read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (XmlPullParserException e) {
      throw new IllegalStateException(pom + " is no POM", e);
    }
  }
}
