package dev.outbox.email;

/**
 * An email that cannot be accepted, with the field that is wrong and why.
 *
 * <p>Neither text ever holds content: the field is a name or a path such as {@code
 * data.items[2].price}, the problem names rules, types and limits. Both may be logged.
 */
public final class InvalidEmailException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** The name or path of the field. */
  private final String field;

  /** The rule that was broken. */
  private final String problem;

  /**
   * Names what is wrong.
   *
   * @param field the field's name or path, without any value
   * @param problem the rule that was broken, without any value
   */
  public InvalidEmailException(String field, String problem) {
    super(field + ": " + problem);
    this.field = field;
    this.problem = problem;
  }

  /**
   * Returns the name or path of the field that is wrong.
   *
   * @return such as {@code to} or {@code data.items[2].price}
   */
  public String field() {
    return field;
  }

  /**
   * Returns the rule that was broken.
   *
   * @return a text without content
   */
  public String problem() {
    return problem;
  }
}
