package dev.outbox.verification.gradle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The POMs as XML, read without the code that the generator reads them with.
 *
 * @param root the root of the repository
 */
record MavenBuildFiles(Path root) {

  private static final String SUREFIRE =
      "build/plugins/plugin[artifactId='maven-surefire-plugin']/configuration/";
  private static final String MANAGED = "/project/dependencyManagement/dependencies/dependency";
  private static final String OWN_GROUP = "dev.outbox";

  /** The patterns that Surefire documents as its defaults. */
  private static final Set<String> DEFAULT_INCLUDES =
      Set.of("**/Test*.java", "**/*Test.java", "**/*Tests.java", "**/*TestCase.java");

  private static final Set<String> DEFAULT_EXCLUDES = Set.of("**/*$*");

  /** {@return the directories of the modules below the root, without those of profiles} */
  Set<String> directories() {
    return directories("").collect(Collectors.toSet());
  }

  private Stream<String> directories(String lister) {
    return texts(pom(lister), "/project/modules/module").stream()
        .map(module -> lister.isEmpty() ? module : lister + "/" + module)
        .flatMap(
            module ->
                texts(pom(module), "/project/modules").isEmpty()
                    ? Stream.of(module)
                    : directories(module));
  }

  /** {@return what Surefire selects while these variables are in the environment} */
  ClassSelection testClasses(String module, Set<String> environment) {
    Node pom = pom(module);
    Set<String> includes =
        Stream.concat(
                Stream.of("/project/"),
                environment.stream()
                    .map(
                        "/project/profiles/profile[activation/property/name='env.%s']/"::formatted))
            .map(place -> texts(pom, place + SUREFIRE + "includes/include"))
            .reduce(Set.of(), (before, set) -> set.isEmpty() ? before : set);
    return new ClassSelection(
        (includes.isEmpty() ? DEFAULT_INCLUDES : includes)
            .stream()
                .map(include -> include.replace(".java", ".class"))
                .collect(Collectors.toSet()),
        DEFAULT_EXCLUDES);
  }

  /** {@return the dependencies of a module, with their own exclusions or the managed ones} */
  Set<Declared> dependencies(String module) {
    Map<String, Set<String>> managed =
        nodes(pom(""), MANAGED).stream()
            .collect(Collectors.toMap(MavenBuildFiles::library, MavenBuildFiles::excluded));
    return nodes(pom(module), "/project/dependencies/dependency[not(type='pom')]").stream()
        .map(
            dependency -> {
              Set<String> own = excluded(dependency);
              String library = library(dependency);
              return new Declared(
                  library, own.isEmpty() ? managed.getOrDefault(library, Set.of()) : own);
            })
        .collect(Collectors.toSet());
  }

  /** {@return the version of each managed library, and of each BOM after the word {@code bom}} */
  Map<String, String> managedVersions() {
    Node pom = pom("");
    Map<String, String> versions = new TreeMap<>();
    for (Node managed : nodes(pom, MANAGED)) {
      if (!text(managed, "groupId").equals(OWN_GROUP)) {
        String property = text(managed, "version").replaceAll("\\$\\{(.+)}", "$1");
        versions.put(
            (text(managed, "scope").equals("import") ? "bom " : "") + library(managed),
            text(pom, "/project/properties/" + property));
      }
    }
    return versions;
  }

  /** {@return the system properties of a module's tests; paths start at the module} */
  Map<String, String> systemProperties(String module) {
    return nodes(pom(module), "/project/" + SUREFIRE + "systemPropertyVariables/*").stream()
        .collect(
            Collectors.toMap(
                Node::getNodeName,
                property -> property.getTextContent().replace("${project.basedir}/", "")));
  }

  private static String library(Node dependency) {
    return text(dependency, "groupId") + ":" + text(dependency, "artifactId");
  }

  private static Set<String> excluded(Node dependency) {
    return nodes(dependency, "exclusions/exclusion").stream()
        .map(MavenBuildFiles::library)
        .collect(Collectors.toSet());
  }

  private static String text(Node node, String path) {
    return nodes(node, path).stream().map(Node::getTextContent).collect(Collectors.joining());
  }

  private static Set<String> texts(Node node, String path) {
    return nodes(node, path).stream().map(Node::getTextContent).collect(Collectors.toSet());
  }

  private static List<Node> nodes(Node node, String path) {
    try {
      NodeList found =
          (NodeList)
              XPathFactory.newInstance().newXPath().evaluate(path, node, XPathConstants.NODESET);
      return IntStream.range(0, found.getLength()).mapToObj(found::item).toList();
    } catch (XPathExpressionException e) {
      throw new IllegalArgumentException(path, e);
    }
  }

  private Node pom(String module) {
    Path file = root.resolve(module).resolve("pom.xml");
    try {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new IllegalStateException(file.toString(), e);
    }
  }
}
