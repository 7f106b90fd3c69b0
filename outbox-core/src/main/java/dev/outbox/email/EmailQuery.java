package dev.outbox.email;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What to look for among all stored emails, in the log too; the newest come first.
 *
 * <pre>{@code
 * EmailQuery.all().states(State.FAILED).template("order-confirmed").createdSince(yesterday)
 * }</pre>
 *
 * @param states any of these; empty for all
 * @param codes failed with any of these; empty for all
 * @param recipient somebody in to, cc or bcc, or null
 * @param template the template's name, or null
 * @param tag a label it must have, or null
 * @param createdSince stored at this time or later, from 1970 to 8999, or null
 * @param createdBefore stored earlier than this, from 1970 to 8999, or null
 */
public record EmailQuery(
    Set<State> states,
    Set<FailureCode> codes,
    @Nullable Address recipient,
    @Nullable String template,
    @Nullable String tag,
    @Nullable Instant createdSince,
    @Nullable Instant createdBefore) {

  private static final EmailQuery ALL =
      new EmailQuery(Set.of(), Set.of(), null, null, null, null, null);

  /**
   * Copies the sets and checks the times.
   *
   * @throws InvalidEmailException naming the time that is out of its range
   */
  public EmailQuery {
    states = Set.copyOf(states);
    codes = Set.copyOf(codes);
    if (createdSince != null) {
      SendOptions.checkedTime("createdSince", createdSince);
    }
    if (createdBefore != null) {
      SendOptions.checkedTime("createdBefore", createdBefore);
    }
  }

  /** Returns the query that finds every email. */
  public static EmailQuery all() {
    return ALL;
  }

  /** Narrows to any of these states. */
  public EmailQuery states(State first, State... more) {
    return new EmailQuery(
        EnumSet.of(first, more), codes, recipient, template, tag, createdSince, createdBefore);
  }

  /** Narrows to emails that failed for any of these reasons. */
  public EmailQuery codes(FailureCode first, FailureCode... more) {
    return new EmailQuery(
        states, EnumSet.of(first, more), recipient, template, tag, createdSince, createdBefore);
  }

  /**
   * Narrows to emails to, cc or bcc this mailbox; upper and lower case are the same.
   *
   * @throws InvalidEmailException if it is not an address
   */
  public EmailQuery recipient(String address) {
    return new EmailQuery(
        states,
        codes,
        Address.stored("recipient", address),
        template,
        tag,
        createdSince,
        createdBefore);
  }

  /** Narrows to one template. */
  public EmailQuery template(String name) {
    return new EmailQuery(states, codes, recipient, name, tag, createdSince, createdBefore);
  }

  /** Narrows to emails with a label. */
  public EmailQuery tag(String label) {
    return new EmailQuery(states, codes, recipient, template, label, createdSince, createdBefore);
  }

  /**
   * Narrows to emails stored at a time or later.
   *
   * @throws InvalidEmailException if the time is not between the years 1970 and 8999
   */
  public EmailQuery createdSince(Instant time) {
    return new EmailQuery(states, codes, recipient, template, tag, time, createdBefore);
  }

  /**
   * Narrows to emails stored before a time.
   *
   * @throws InvalidEmailException if the time is not between the years 1970 and 8999
   */
  public EmailQuery createdBefore(Instant time) {
    return new EmailQuery(states, codes, recipient, template, tag, createdSince, time);
  }

  /** Returns whether an email is among those looked for. */
  public boolean matches(EmailSummary email) {
    return (states.isEmpty() || states.contains(email.state()))
        && (codes.isEmpty() || (email.code() != null && codes.contains(email.code())))
        && (recipient == null || isFor(email, recipient))
        && (template == null || template.equals(email.template()))
        && (tag == null || email.tags().contains(tag))
        && (createdSince == null || !email.timeline().created().isBefore(createdSince))
        && (createdBefore == null || email.timeline().created().isBefore(createdBefore));
  }

  /** Shows which criteria are set, not the recipient. */
  @Override
  public String toString() {
    return "EmailQuery[states=%s, codes=%s, recipient=%s, template=%s]"
        .formatted(states, codes, recipient == null ? "any" : "one", template);
  }

  private static boolean isFor(EmailSummary email, Address wanted) {
    AddressesAndSubject addressesAndSubject = email.addressesAndSubject();
    return addressesAndSubject != null
        && addressesAndSubject.recipients().all().stream()
            .anyMatch(address -> address.canonical().equals(wanted.canonical()));
  }
}
