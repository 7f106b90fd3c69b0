package dev.outbox.javalin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.State;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists of emails, a page at a time: all that fit, the failed, the invalid, the stale. */
final class ListRoutes {

  /**
   * How many emails are looked at for one page of a list that the store cannot search by itself.
   */
  private static final int EXAMINED = 2_000;

  /** The query parameters of a list that chooses the states itself. */
  private static final Set<String> PARAMETERS =
      Set.of("code", "recipient", "template", "tag", "since", "before", "after", "limit");

  private final Outbox outbox;

  ListRoutes(Outbox outbox) {
    this.outbox = outbox;
  }

  List<Route> routes() {
    return List.of(
        list("/api/emails", SearchCriteria::query).accepting(parametersAnd("state")),
        list("/api/failed", criteria -> settledAs(criteria, State.FAILED)),
        list("/api/invalid", criteria -> settledAs(criteria, State.INVALID)),
        Route.look("/api/stale", this::stale).accepting(parametersAnd("olderThan")));
  }

  private Route list(String path, Function<SearchCriteria, EmailQuery> query) {
    Route.Action action =
        (context, access) -> {
          SearchCriteria criteria = criteria(context, access);
          write(context, access, criteria, checked(() -> query.apply(criteria)), email -> true);
        };
    return Route.look(path, action).accepting(PARAMETERS);
  }

  private static SearchCriteria criteria(Context context, AccessRole access) {
    SearchCriteria criteria = SearchCriteria.parameters(context);
    AddressSearchCheck.reject(criteria, access);
    return criteria;
  }

  private static Set<String> parametersAnd(String name) {
    return Stream.concat(PARAMETERS.stream(), Stream.of(name)).collect(Collectors.toSet());
  }

  private static EmailQuery settledAs(SearchCriteria criteria, State outcome) {
    return forms(criteria.query(), state -> state.outcome() == outcome);
  }

  private static EmailQuery forms(EmailQuery query, Predicate<State> wanted) {
    State[] states = Arrays.stream(State.values()).filter(wanted).toArray(State[]::new);
    return query.states(states[0], states);
  }

  /** Shows what should have moved and has not: due, or in somebody's hands, for too long. */
  private void stale(Context context, AccessRole access) {
    SearchCriteria criteria = criteria(context, access);
    Instant before =
        Instant.now().minus(checked(() -> criteria.duration("olderThan", Duration.ofMinutes(15))));
    EmailQuery open =
        forms(checked(criteria::query), state -> !state.hasOutcome() || state.isBusy());
    write(context, access, criteria, open.createdBefore(before), email -> isStale(email, before));
  }

  private static boolean isStale(EmailSummary email, Instant before) {
    Instant due = email.due();
    return email.owner() != null
        ? email.timeline().updated().isBefore(before)
        : due != null && due.isBefore(before);
  }

  private void write(
      Context context,
      AccessRole access,
      SearchCriteria criteria,
      EmailQuery query,
      Predicate<EmailSummary> filter) {
    int limit = checked(criteria::limit);
    Predicate<EmailSummary> shown = filter.and(AddressSearchCheck.shown(criteria, access));
    EmailPage page = page(query, checked(criteria::after), limit, shown);
    EmailJson json = new EmailJson(access);
    ArrayNode emails = Json.array();
    page.emails().forEach(email -> emails.add(json.summary(email)));
    ObjectNode answer = Json.object();
    answer.set("emails", emails);
    answer.put("next", page.next() == null ? null : page.next().toString());
    Json.write(context, answer);
  }

  private EmailPage page(
      EmailQuery query, @Nullable EmailId after, int limit, Predicate<EmailSummary> filter) {
    List<EmailSummary> found = new ArrayList<>();
    EmailId next = after;
    int examined = 0;
    do {
      EmailPage page = outbox.query(query, next, limit);
      for (EmailSummary email : page.emails()) {
        if (filter.test(email)) {
          found.add(email);
        }
        if (found.size() == limit) {
          boolean more = page.next() != null || email.id().compareTo(last(page)) > 0;
          return new EmailPage(found, more ? email.id() : null);
        }
      }
      next = page.next();
      examined += page.emails().size();
    } while (next != null && examined < EXAMINED);
    return new EmailPage(found, next);
  }

  private static EmailId last(EmailPage page) {
    return page.emails().get(page.emails().size() - 1).id();
  }

  /** In a parameter, what would be an invalid email in a body is a bad request. */
  static <T> T checked(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (InvalidEmailException e) {
      throw ProblemDetails.badParameter(e.field(), e.problem()).asException();
    }
  }
}
