package dev.outbox.verification.reactor;

import java.util.List;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.DependencyManagement;
import org.apache.maven.model.Model;

/**
 * One module: its directory below the root, which is also its artifact id, and its POM.
 *
 * @param name the directory and artifact id
 * @param model the POM as written
 */
public record ReactorModule(String name, Model model) {

  /** Refuses a module whose directory has another name than its artifact. */
  public ReactorModule {
    if (!name.equals(model.getArtifactId())) {
      throw new IllegalStateException(name + " holds the artifact " + model.getArtifactId());
    }
  }

  /** {@return whether releases include it} */
  public boolean isPublished() {
    return !Boolean.parseBoolean(model.getProperties().getProperty("maven.deploy.skip"));
  }

  /** {@return whether it only names versions and has no code} */
  public boolean isBom() {
    return "pom".equals(model.getPackaging());
  }

  /** {@return the dependencies it manages for others} */
  public List<Dependency> managedDependencies() {
    DependencyManagement management = model.getDependencyManagement();
    return management == null ? List.of() : management.getDependencies();
  }
}
