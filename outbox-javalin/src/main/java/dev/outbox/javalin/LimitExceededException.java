package dev.outbox.javalin;

import com.fasterxml.jackson.core.exc.StreamConstraintsException;

/** Ends the reading of a request that exceeds a limit. */
final class LimitExceededException extends StreamConstraintsException {

  private static final long serialVersionUID = 1L;

  /** What is too much. */
  enum Subject {
    /** The request, in bytes. */
    BODY,
    /** The request, in values. */
    VALUES,
    /** One value. */
    VALUE,
    /** The name of a field. */
    NAME
  }

  private final Subject subject;
  private final String detail;

  /**
   * Names the limit.
   *
   * @param detail what is too much and the limit, without content
   */
  LimitExceededException(Subject subject, String detail) {
    super(detail);
    this.subject = subject;
    this.detail = detail;
  }

  /**
   * Returns the answer.
   *
   * @param value the place of the value that was being read
   * @param object the place of the object around it
   */
  ProblemDetails problem(String value, String object) {
    return switch (subject) {
      case BODY -> ProblemDetails.tooLarge(null, detail);
      case VALUES -> ProblemDetails.tooLarge(value, detail);
      case VALUE -> ProblemDetails.malformed(value, detail);
      case NAME -> ProblemDetails.malformed(object, detail);
    };
  }
}
