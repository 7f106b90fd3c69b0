package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The log of sent emails by itself: day partitions, from which emails are loaded, listed, searched,
 * counted and deleted. {@code docs/dynamodb.md} says what each costs. Safe for use by many threads.
 */
public final class DynamoDbLog {

  private final ItemReader rows;
  private final ReadOperations listing;
  private final LogScan days;
  private final PruneOperations pruning;

  DynamoDbLog(ItemReader rows, ReadOperations listing, LogScan days, PruneOperations pruning) {
    this.rows = rows;
    this.listing = listing;
    this.days = days;
    this.pruning = pruning;
  }

  /** Loads an email of the log. One read: the partition follows from the id. */
  public Optional<EmailSummary> load(EmailId id) {
    return Optional.ofNullable(rows.logged(List.of(id)).get(id)).map(row -> row.columns().email());
  }

  /**
   * Lists emails, the newest first.
   *
   * @param after the last id of the page before; null for the first page
   * @param limit how many at most, 1 to 1,000
   */
  public EmailPage list(@Nullable EmailId after, int limit) {
    return search(EmailQuery.all(), "", after, limit);
  }

  /**
   * Searches the log for the newest emails.
   *
   * @param query what to look for
   * @param limit how many at most, 1 to 1,000
   */
  public EmailPage search(EmailQuery query, int limit) {
    return search(query, "", null, limit);
  }

  /**
   * Searches the log. Days are found by key from {@code createdSince} and {@code createdBefore};
   * all else is a filter over what these days hold, and reads all of it.
   *
   * @param query what to look for
   * @param subject words of the subject, all of which must be there in any case; empty for any
   * @param after the last id of the page before; null for the first page
   * @param limit how many at most, 1 to 1,000
   */
  public EmailPage search(EmailQuery query, String subject, @Nullable EmailId after, int limit) {
    if (limit < 1 || limit > 1_000) {
      throw new IllegalArgumentException("limit: want 1 to 1000, is " + limit);
    }
    List<String> words =
        List.of(
                Objects.requireNonNull(subject, "subject")
                    .toLowerCase(Locale.ROOT)
                    .trim()
                    .split("\\s+", -1))
            .stream()
            .filter(word -> !word.isEmpty())
            .toList();
    return listing.logged(
        query, email -> query.matches(email) && hasSubject(email, words), after, limit);
  }

  private static boolean hasSubject(EmailSummary email, List<String> words) {
    if (words.isEmpty()) {
      return true;
    }
    String subject =
        email.addressesAndSubject() == null ? null : email.addressesAndSubject().subject();
    return subject != null && words.stream().allMatch(subject.toLowerCase(Locale.ROOT)::contains);
  }

  /**
   * Counts the emails of some days, by the day on which their ids were made, in UTC. Reads what it
   * counts, without transferring it.
   */
  public long count(LocalDate first, LocalDate last) {
    return days.count(first, last);
  }

  /**
   * Deletes an email with its history and its idempotency key.
   *
   * @return whether it was there
   */
  public boolean delete(EmailId id) {
    EmailItem row = rows.logged(List.of(id)).get(id);
    return row != null && !row.foreign && pruning.remove(List.of(row)) > 0;
  }

  /**
   * Deletes the emails of a day, and of all days before it, the oldest day first.
   *
   * @param last the last day, by the ids, in UTC
   * @param limit how many at most, at least 1
   * @return how many were deleted; fewer than the limit if that is all
   */
  public int deleteAll(LocalDate last, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit: want at least 1, is " + limit);
    }
    return pruning.remove(days.until(last, limit));
  }
}
