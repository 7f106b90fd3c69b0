package dev.outbox.email;

/**
 * The counters that keep an email from circulating for ever.
 *
 * @param generation how often it was requeued by hand
 * @param attempts deliveries used up in this generation
 * @param reaps how often a worker died while it held the email, in this generation
 * @param stageRetries how often the present stage was tried in vain without using up an attempt: a
 *     callback that failed, a template that this node did not know
 */
public record Counters(int generation, int attempts, int reaps, int stageRetries) {

  /** The counters of an email that has just been stored. */
  public static final Counters NONE = new Counters(0, 0, 0, 0);

  /** Refuses negative counts. */
  public Counters {
    if (generation < 0 || attempts < 0 || reaps < 0 || stageRetries < 0) {
      throw new IllegalArgumentException("a counter below zero");
    }
  }

  /** Returns the counters after one more attempt. */
  public Counters attempted() {
    return new Counters(generation, attempts + 1, reaps, stageRetries);
  }

  /** Returns the counters after one more death of a worker. */
  public Counters reaped() {
    return new Counters(generation, attempts, reaps + 1, stageRetries);
  }

  /** Returns the counters after one more try that used up no attempt. */
  public Counters tried() {
    return new Counters(generation, attempts, reaps, stageRetries + 1);
  }

  /** Returns the counters as the next stage starts with them. */
  public Counters forNextStage() {
    return new Counters(generation, attempts, reaps, 0);
  }

  /** Returns the counters after a requeue by hand. */
  public Counters requeued() {
    return new Counters(generation + 1, 0, 0, 0);
  }
}
