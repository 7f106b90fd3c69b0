package dev.outbox.email;

/**
 * The counters that keep an email from circulating for ever.
 *
 * @param generation how often it was requeued by hand
 * @param attempts deliveries used up in this generation
 * @param reaps how often a worker died while it held the email, in this generation
 * @param tries how often the present stage was tried in vain without using up an attempt: a
 *     callback that failed, a template that this node did not know
 */
public record Progress(int generation, int attempts, int reaps, int tries) {

  /** The counters of an email that has just been stored. */
  public static final Progress NONE = new Progress(0, 0, 0, 0);

  /** Refuses negative counts. */
  public Progress {
    if (generation < 0 || attempts < 0 || reaps < 0 || tries < 0) {
      throw new IllegalArgumentException("a counter below zero");
    }
  }

  /** Returns the counters after one more attempt. */
  public Progress attempted() {
    return new Progress(generation, attempts + 1, reaps, tries);
  }

  /** Returns the counters after one more death of a worker. */
  public Progress reaped() {
    return new Progress(generation, attempts, reaps + 1, tries);
  }

  /** Returns the counters after one more try that used up no attempt. */
  public Progress tried() {
    return new Progress(generation, attempts, reaps, tries + 1);
  }

  /** Returns the counters as the next stage starts with them. */
  public Progress staged() {
    return new Progress(generation, attempts, reaps, 0);
  }

  /** Returns the counters after a requeue by hand. */
  public Progress requeued() {
    return new Progress(generation + 1, 0, 0, 0);
  }
}
