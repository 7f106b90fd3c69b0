package dev.outbox.javalin;

import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.outbox.javalin.LimitExceededException.Subject;

/**
 * The limits of the JSON in a request. Jackson checks them while it reads, so that a request beyond
 * one of them is answered before the rest of it is read.
 */
final class JsonLimits extends StreamReadConstraints {

  private static final long serialVersionUID = 1L;

  /** Objects and lists within each other. */
  static final int DEPTH = 100;

  /** Digits of a number. */
  static final int NUMBER = 100;

  /** Bytes of a field's name. */
  static final int NAME = 500;

  /** Names, values and brackets: they need more memory than their bytes. */
  static final int TOKENS = 1_000_000;

  private static final int UNLIMITED = -1;

  JsonLimits() {
    super(DEPTH, UNLIMITED, NUMBER, Integer.MAX_VALUE, NAME, TOKENS);
  }

  @Override
  public void validateNestingDepth(int depth) throws LimitExceededException {
    if (depth > DEPTH) {
      throw new LimitExceededException(
          Subject.VALUE, "nested deeper than %d levels".formatted(DEPTH));
    }
  }

  @Override
  public void validateIntegerLength(int length) throws LimitExceededException {
    validateFPLength(length);
  }

  @Override
  public void validateFPLength(int length) throws LimitExceededException {
    if (length > NUMBER) {
      throw longNumber();
    }
  }

  @Override
  public void validateNameLength(int length) throws LimitExceededException {
    if (length > NAME) {
      throw new LimitExceededException(
          Subject.NAME, "a name of more than %d bytes".formatted(NAME));
    }
  }

  @Override
  public void validateTokenCount(long count) throws LimitExceededException {
    if (count > TOKENS) {
      throw new LimitExceededException(
          Subject.VALUES,
          "more than %d names, values and brackets in one request".formatted(TOKENS));
    }
  }

  static LimitExceededException longNumber() {
    return new LimitExceededException(
        Subject.VALUE, "a number of more than %d digits".formatted(NUMBER));
  }
}
