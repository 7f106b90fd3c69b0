package dev.outbox.javalin;

/** Ends the work on a request with a problem as its answer. */
final class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient ProblemDetails problem;

  ProblemException(ProblemDetails problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  ProblemDetails problem() {
    return problem;
  }
}
