package dev.outbox.javalin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.email.Address;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.FailureCode;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.State;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a caller looks for, from the parameters of a request or from its body.
 *
 * @param values all values of a name; none if it was not given
 */
record SearchCriteria(Function<String, List<String>> values) {

  /** The longest duration that a parameter may have, in either direction. */
  private static final Duration LONGEST = Duration.ofDays(3_650);

  /** Stores keep the times before this one. */
  private static final Instant END = Instant.parse("9000-01-01T00:00:00Z");

  private static final Set<String> FIELDS =
      Set.of("state", "code", "recipient", "template", "tag", "since", "before");

  /** Reads parameters; several values of one are given apart or with commas. */
  static SearchCriteria parameters(Context context) {
    return new SearchCriteria(
        name ->
            context.queryParams(name).stream()
                .flatMap(value -> Arrays.stream(value.split(",", -1)))
                .filter(value -> !value.isBlank())
                .toList());
  }

  static SearchCriteria body(JsonNode json) {
    return new SearchCriteria(JsonFields.of("", json, FIELDS)::texts);
  }

  /**
   * Returns the query.
   *
   * @throws InvalidEmailException naming what cannot be used
   */
  EmailQuery query() {
    Set<State> states = EnumSet.noneOf(State.class);
    for (String name : values.apply("state")) {
      states.add(
          State.ofWireName(name)
              .orElseThrow(() -> new InvalidEmailException("state", "not one of " + stateNames())));
    }
    Set<FailureCode> codes = EnumSet.noneOf(FailureCode.class);
    for (String name : values.apply("code")) {
      codes.add(
          parsed("code", name, FailureCode::valueOf, "one of " + List.of(FailureCode.values())));
    }
    String recipient = one("recipient");
    return new EmailQuery(
        states,
        codes,
        recipient == null ? null : Address.stored("recipient", recipient),
        one("template"),
        one("tag"),
        time("since"),
        time("before"));
  }

  /** Returns where the page starts, or null for the first. */
  @Nullable EmailId after() {
    String after = one("after");
    return after == null ? null : parsed("after", after, EmailId::parse, "an id");
  }

  int limit() {
    String text = one("limit");
    if (text == null) {
      return 50;
    }
    int limit = parsed("limit", text, Integer::parseInt, "a number");
    if (limit < 1 || limit > 1_000) {
      throw new InvalidEmailException("limit", "not from 1 to 1000");
    }
    return limit;
  }

  Duration duration(String name, Duration otherwise) {
    String text = one(name);
    if (text == null) {
      return otherwise;
    }
    Duration duration = parsed(name, text, Duration::parse, "a duration such as PT15M");
    if (duration.compareTo(LONGEST) > 0 || duration.compareTo(LONGEST.negated()) < 0) {
      throw new InvalidEmailException(name, "longer than %d days".formatted(LONGEST.toDays()));
    }
    return duration;
  }

  @Nullable String one(String name) {
    List<String> given = values.apply(name);
    if (given.size() > 1) {
      throw new InvalidEmailException(name, "given more than once");
    }
    return given.isEmpty() ? null : given.get(0);
  }

  private @Nullable Instant time(String name) {
    String text = one(name);
    if (text == null) {
      return null;
    }
    Instant time = parsed(name, text, Instant::parse, "a time such as 2030-01-31T08:00:00Z");
    if (time.isBefore(Instant.EPOCH) || !time.isBefore(END)) {
      throw new InvalidEmailException(name, "not between the years 1970 and 8999");
    }
    return time;
  }

  private static <T> T parsed(String name, String text, Function<String, T> reader, String form) {
    try {
      return reader.apply(text);
    } catch (RuntimeException e) {
      throw new InvalidEmailException(name, "not " + form);
    }
  }

  private static String stateNames() {
    return Arrays.stream(State.values()).map(State::wireName).collect(Collectors.joining(", "));
  }
}
