package dev.outbox.testkit;

import dev.outbox.email.EmailQuery;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A query of a random walk, and what it should find; null is for any. */
record RandomQuery(
    @Nullable State state,
    @Nullable FailureCode code,
    @Nullable String recipient,
    @Nullable String template,
    @Nullable String tag,
    @Nullable Duration since,
    @Nullable Duration before) {

  /** Between two units, so that no time of a walk is near. */
  private static final Duration HALF = RandomOperations.UNIT.dividedBy(2);

  static RandomQuery next(Random random, ModelTime now) {
    return new RandomQuery(
        chosen(random, State.values()),
        random.nextInt(3) == 0 ? chosen(random, FailureCode.values()) : null,
        chosen(random, RandomEmails.RECIPIENTS),
        chosen(random, RandomEmails.TEMPLATES),
        chosen(random, RandomEmails.TAGS),
        time(random, now),
        time(random, now));
  }

  private static <T> @Nullable T chosen(Random random, T[] values) {
    return random.nextInt(4) == 0 ? values[random.nextInt(values.length)] : null;
  }

  private static @Nullable Duration time(Random random, ModelTime now) {
    int units = (int) now.moved().dividedBy(RandomOperations.UNIT);
    return random.nextInt(4) == 0
        ? RandomOperations.UNIT.multipliedBy(random.nextInt(units + 1)).minus(HALF)
        : null;
  }

  boolean matches(ModelEmail email) {
    return (state == null || email.state == state)
        && (code == null || email.code == code)
        && (recipient == null
            || (!email.erased
                && email.request.addressesAndSubject().recipients().all().stream()
                    .anyMatch(each -> each.email().equalsIgnoreCase(recipient))))
        && (template == null || template.equals(email.request.template()))
        && (tag == null || email.request.tags().contains(tag))
        && (since == null || email.created.moved().compareTo(since) >= 0)
        && (before == null || email.created.moved().compareTo(before) < 0);
  }

  /** Returns the query as it is for a walk that began at some time. */
  EmailQuery at(Instant start) {
    EmailQuery query = EmailQuery.all();
    query = state == null ? query : query.states(state);
    query = code == null ? query : query.codes(code);
    query = recipient == null ? query : query.recipient(recipient);
    query = template == null ? query : query.template(template);
    query = tag == null ? query : query.tag(tag);
    query = since == null ? query : query.createdSince(start.plus(since));
    return before == null ? query : query.createdBefore(start.plus(before));
  }
}
