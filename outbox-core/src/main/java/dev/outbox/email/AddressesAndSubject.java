package dev.outbox.email;

import org.jspecify.annotations.Nullable;

/**
 * The personal part of what is known about a stored email without opening it.
 *
 * @param from the sender
 * @param recipients everybody it goes to
 * @param subject null until the template has given one
 */
public record AddressesAndSubject(Address from, Recipients recipients, @Nullable String subject) {

  /** Returns the same with the subject that the template gave, if there was none. */
  public AddressesAndSubject withRendered(@Nullable String rendered) {
    return subject != null ? this : new AddressesAndSubject(from, recipients, rendered);
  }

  /** Shows nothing personal. */
  @Override
  public String toString() {
    return "Headline[" + recipients + "]";
  }
}
