package dev.outbox.template;

/**
 * A template name that is not known here; another node, running another release, may know it.
 *
 * <p>The text shows the name only if it is well formed: a subject passed by mistake in its place is
 * content.
 */
public final class TemplateNotFoundException extends TemplateException {

  private static final long serialVersionUID = 1L;

  /**
   * Names the template.
   *
   * @param name the unknown name
   */
  public TemplateNotFoundException(String name) {
    super(
        TemplateFile.isName(name)
            ? "unknown template: " + name
            : "unknown template: its name is not of the form orders/order-confirmed");
  }
}
