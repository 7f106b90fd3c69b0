package dev.outbox.template;

/**
 * A template that does not compile, or data that does not fit it.
 *
 * <p>The text names the template file, where possible the line, and the variable; it never holds a
 * value of the data and may be logged.
 */
public sealed class TemplateException extends RuntimeException permits TemplateNotFoundException {

  private static final long serialVersionUID = 1L;

  /**
   * Names what is wrong.
   *
   * @param message a text without any value of the data
   */
  public TemplateException(String message) {
    super(message);
  }
}
