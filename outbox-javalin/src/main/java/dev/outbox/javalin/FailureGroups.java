package dev.outbox.javalin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outbox.Outbox;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.email.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The newest failed and invalid emails, those with the same trouble together. What differs between
 * two emails with one trouble, such as addresses and queue ids, is taken out of the words; nothing
 * personal is left.
 */
final class FailureGroups {

  private static final int EXAMINED = 1_000;
  private static final int WORDS = 200;
  private static final Pattern NUMBER = Pattern.compile("\\b(?=\\w*\\d)[\\w-]{6,}\\b");

  private static final State[] TROUBLED =
      Arrays.stream(State.values())
          .filter(state -> state.outcome() == State.FAILED || state.outcome() == State.INVALID)
          .toArray(State[]::new);

  private final EmailPage page;

  private FailureGroups(EmailPage page) {
    this.page = page;
  }

  static FailureGroups newest(Outbox outbox) {
    return new FailureGroups(
        outbox.query(EmailQuery.all().states(TROUBLED[0], TROUBLED), EXAMINED));
  }

  ObjectNode json() {
    Map<FailureKind, List<EmailSummary>> groups = new LinkedHashMap<>();
    page.emails()
        .forEach(
            email ->
                groups.computeIfAbsent(FailureKind.of(email), t -> new ArrayList<>()).add(email));
    ObjectNode json = Json.object();
    ArrayNode list = json.putArray("groups");
    groups.entrySet().stream()
        .sorted(Comparator.comparing(entry -> -entry.getValue().size()))
        .forEach(entry -> list.add(entry.getKey().json(entry.getValue())));
    json.put("examined", page.emails().size());
    json.put("more", page.next() != null);
    return json;
  }

  /** What is wrong with all emails of a group. */
  private record FailureKind(State outcome, @Nullable String code, String text) {

    static FailureKind of(EmailSummary email) {
      return new FailureKind(
          email.state().outcome(), email.code() == null ? null : email.code().name(), text(email));
    }

    ObjectNode json(List<EmailSummary> emails) {
      EmailSummary newest = emails.get(0);
      return Json.object()
          .put("outcome", outcome.wireName())
          .put("code", code)
          .put("text", text)
          .put("count", emails.size())
          .put("newest", newest.timeline().updated().toString())
          .put("example", newest.id().toString());
    }

    private static String text(EmailSummary email) {
      String said =
          email.recipients().stream()
              .filter(each -> each.status() != Status.ACCEPTED)
              .map(RecipientResult::reply)
              .filter(Objects::nonNull)
              .findFirst()
              .orElse(email.response());
      String words = said == null ? email.reason() : said;
      String plain = words == null ? "no reason is known" : words.replaceAll("\\s+", " ");
      String alike = AddressMasking.ADDRESS.matcher(plain).replaceAll("(address)");
      alike = AddressMasking.CUT_ADDRESS.matcher(alike).replaceAll("(address)");
      for (String local : AddressMasking.locals(email)) {
        alike = AddressMasking.alone(local).matcher(alike).replaceAll("(address)");
      }
      alike = NUMBER.matcher(alike).replaceAll("(id)").replace("<(address)>", "(address)");
      return alike.length() <= WORDS ? alike : alike.substring(0, WORDS) + "…";
    }
  }
}
