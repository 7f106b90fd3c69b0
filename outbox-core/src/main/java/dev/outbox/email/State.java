package dev.outbox.email;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Where an email is on its way, and the one table of what each state may become.
 *
 * <p>Names on the wire and in tables ({@link #wireName()}) have hyphens. Stages, reaper, cancel,
 * requeue and erase all ask this enum; none knows a rule of its own. {@code docs/states.md} shows
 * the table, and a test compares the two.
 */
public enum State {
  /** Stored, waiting for intake. */
  ACCEPTED,
  /** Being rendered. */
  INTAKING,
  /** Rendered and composed; waiting to be sent, or for its retry time. */
  READY,
  /** On the wire. */
  PROCESSING,
  /** The relay took it. */
  SENT,
  /** Given up, with a {@link FailureCode}. */
  FAILED,
  /** Intake failed: data does not fit the template, or the row cannot be read. */
  INVALID,
  /** The host is being told that the email was sent, or that is to be tried again. */
  CALLING_SENT_CALLBACK,
  /** The host is being told that the email failed, or that is to be tried again. */
  CALLING_FAILED_CALLBACK,
  /** The host is being told that the email was invalid, or that is to be tried again. */
  CALLING_INVALID_CALLBACK,
  /** Sent, and the host was told. */
  SENT_ACKNOWLEDGED,
  /** Failed, and the host was told. */
  FAILED_ACKNOWLEDGED,
  /** Invalid, and the host was told. */
  INVALID_ACKNOWLEDGED;

  /** Returns the name used in tables, payloads and documents, such as {@code SENT-ACKNOWLEDGED}. */
  public String wireName() {
    return name().replace('_', '-');
  }

  /**
   * Finds a state by its name on the wire; empty for a name that only a newer release knows.
   *
   * @see #wireName()
   */
  public static Optional<State> ofWireName(String wireName) {
    for (State state : values()) {
      if (state.wireName().equals(wireName)) {
        return Optional.of(state);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the busy state in which a worker holds an email claimed from here; empty where there is
   * nothing to claim. A callback that waits for its next try is claimed as what it is already.
   */
  public Optional<State> claimedAs() {
    return switch (this) {
      case ACCEPTED -> Optional.of(INTAKING);
      case READY -> Optional.of(PROCESSING);
      case SENT, CALLING_SENT_CALLBACK -> Optional.of(CALLING_SENT_CALLBACK);
      case FAILED, CALLING_FAILED_CALLBACK -> Optional.of(CALLING_FAILED_CALLBACK);
      case INVALID, CALLING_INVALID_CALLBACK -> Optional.of(CALLING_INVALID_CALLBACK);
      default -> Optional.empty();
    };
  }

  /** Returns whether emails in this state may be in a worker's hands. */
  public boolean isBusy() {
    return stateAfterRelease(false).isPresent();
  }

  /**
   * Returns where an email goes when its claim ends without a result; empty if the state is not a
   * busy one.
   *
   * @param composed whether the composed bytes are stored, so that they can be sent as they are
   */
  public Optional<State> stateAfterRelease(boolean composed) {
    return switch (this) {
      case INTAKING -> Optional.of(ACCEPTED);
      case PROCESSING -> Optional.of(composed ? READY : ACCEPTED);
      case CALLING_SENT_CALLBACK -> Optional.of(SENT);
      case CALLING_FAILED_CALLBACK -> Optional.of(FAILED);
      case CALLING_INVALID_CALLBACK -> Optional.of(INVALID);
      default -> Optional.empty();
    };
  }

  /** Returns the state after the host was told; empty if the state is not a callback's. */
  public Optional<State> acknowledgedAs() {
    return switch (this) {
      case CALLING_SENT_CALLBACK -> Optional.of(SENT_ACKNOWLEDGED);
      case CALLING_FAILED_CALLBACK -> Optional.of(FAILED_ACKNOWLEDGED);
      case CALLING_INVALID_CALLBACK -> Optional.of(INVALID_ACKNOWLEDGED);
      default -> Optional.empty();
    };
  }

  /** Returns whether cancelling works; later than this it is too late. */
  public boolean isCancellable() {
    return switch (this) {
      case ACCEPTED, INTAKING, READY -> true;
      default -> false;
    };
  }

  /**
   * Returns where requeueing takes the email; empty if there is nothing to requeue. A callback
   * under way is fenced out.
   *
   * @param composed whether the composed bytes are stored, so that they can be sent as they are
   */
  public Optional<State> stateAfterRequeue(boolean composed) {
    return switch (outcome()) {
      case FAILED, INVALID -> Optional.of(composed ? READY : ACCEPTED);
      default -> Optional.empty();
    };
  }

  /** Returns whether personal data can be taken away now; an email on the wire needs its own. */
  public boolean isErasable() {
    return this != PROCESSING;
  }

  /**
   * Returns what became of the email, whether the host was told or not: {@link #SENT}, {@link
   * #FAILED} or {@link #INVALID}, or the state itself while that is open.
   */
  public State outcome() {
    return switch (this) {
      case CALLING_SENT_CALLBACK, SENT_ACKNOWLEDGED -> SENT;
      case CALLING_FAILED_CALLBACK, FAILED_ACKNOWLEDGED -> FAILED;
      case CALLING_INVALID_CALLBACK, INVALID_ACKNOWLEDGED -> INVALID;
      default -> this;
    };
  }

  /** Returns whether it is settled what became of the email. */
  public boolean hasOutcome() {
    return switch (outcome()) {
      case SENT, FAILED, INVALID -> true;
      default -> false;
    };
  }

  /** Returns every state that an email may be in next. */
  public Set<State> successors() {
    return switch (this) {
      case ACCEPTED -> EnumSet.of(INTAKING, FAILED, SENT);
      case INTAKING -> EnumSet.of(ACCEPTED, READY, PROCESSING, INVALID, FAILED);
      case READY -> EnumSet.of(PROCESSING, FAILED, SENT);
      case PROCESSING -> EnumSet.of(SENT, READY, ACCEPTED, FAILED, INVALID);
      case SENT -> EnumSet.of(CALLING_SENT_CALLBACK);
      case FAILED -> EnumSet.of(CALLING_FAILED_CALLBACK, READY, ACCEPTED, SENT);
      case INVALID -> EnumSet.of(CALLING_INVALID_CALLBACK, READY, ACCEPTED);
      case CALLING_SENT_CALLBACK -> EnumSet.of(CALLING_SENT_CALLBACK, SENT, SENT_ACKNOWLEDGED);
      case CALLING_FAILED_CALLBACK ->
          EnumSet.of(CALLING_FAILED_CALLBACK, FAILED, FAILED_ACKNOWLEDGED, READY, ACCEPTED);
      case CALLING_INVALID_CALLBACK ->
          EnumSet.of(CALLING_INVALID_CALLBACK, INVALID, INVALID_ACKNOWLEDGED, READY, ACCEPTED);
      case SENT_ACKNOWLEDGED -> EnumSet.noneOf(State.class);
      case FAILED_ACKNOWLEDGED, INVALID_ACKNOWLEDGED -> EnumSet.of(READY, ACCEPTED);
    };
  }

  /** Returns whether an email in this state may be in that one next. */
  public boolean canBecome(State next) {
    return successors().contains(next);
  }
}
