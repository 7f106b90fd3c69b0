package dev.outbox.verification.reactor;

import java.util.List;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.DependencyManagement;
import org.apache.maven.model.Model;

/**
 * One module: its directory below the root, whose last part is also its artifact id, and its POM.
 *
 * @param directory the path from the root of the repository, with slashes
 * @param model the POM as written
 */
public record ReactorModule(String directory, Model model) {

  /** Rejects a module whose directory has another name than its artifact. */
  public ReactorModule {
    if (!lastPart(directory).equals(model.getArtifactId())) {
      throw new IllegalStateException(directory + " holds the artifact " + model.getArtifactId());
    }
  }

  /** {@return the artifact id, which is unique in the reactor} */
  public String name() {
    return model.getArtifactId();
  }

  /** {@return whether it lies below another directory than the root} */
  public boolean isNested() {
    return !directory.equals(name());
  }

  /** {@return whether releases include it} */
  public boolean isPublished() {
    return !Boolean.parseBoolean(model.getProperties().getProperty("maven.deploy.skip"));
  }

  /** {@return whether it only names versions and has no code} */
  public boolean isBom() {
    return isPom() && !isAggregator();
  }

  /** {@return whether it only lists modules} */
  public boolean isAggregator() {
    return isPom() && !model.getModules().isEmpty();
  }

  private boolean isPom() {
    return "pom".equals(model.getPackaging());
  }

  /** {@return the dependencies it manages for others} */
  public List<Dependency> managedDependencies() {
    DependencyManagement management = model.getDependencyManagement();
    return management == null ? List.of() : management.getDependencies();
  }

  private static String lastPart(String directory) {
    return directory.substring(directory.lastIndexOf('/') + 1);
  }
}
