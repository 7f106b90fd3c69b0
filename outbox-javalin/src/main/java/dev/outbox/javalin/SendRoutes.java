package dev.outbox.javalin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.IdempotencyConflictException;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.Receipt;
import io.javalin.http.Context;
import io.javalin.http.Header;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes emails in: one, or many with an answer for each. */
final class SendRoutes {

  static final String KEY = "Idempotency-Key";
  private static final int MANY = 1_000;

  private final Outbox outbox;
  private final RequestBody body;

  SendRoutes(Outbox outbox, RequestBody body) {
    this.outbox = outbox;
    this.body = body;
  }

  List<Route> routes() {
    return List.of(
        Route.act("/api/emails", (context, access) -> send(context)),
        Route.act("/api/emails/batch", (context, access) -> sendMany(context)));
  }

  private void send(Context context) {
    Email email = EmailJsonReader.read(body.read(context), context.header(KEY));
    Receipt receipt = outbox.send(email);
    context.status(receipt.created() ? 201 : 200);
    context.header(Header.LOCATION, "emails/" + receipt.id());
    Json.write(context, json(receipt));
  }

  private void sendMany(Context context) {
    if (context.header(KEY) != null) {
      throw new InvalidEmailException(KEY, "each email of many has a key of its own, in its body");
    }
    List<@Nullable ObjectNode> results = new ArrayList<>();
    Map<Integer, Email> readable = new LinkedHashMap<>();
    Consumer<JsonNode> reading =
        item -> {
          try {
            readable.put(results.size(), EmailJsonReader.read(item, null));
            results.add(null);
          } catch (InvalidEmailException e) {
            results.add(refused(ProblemDetails.invalid(e.field(), e.problem())));
          }
        };
    body.readList(context, "emails", MANY, reading);
    store(readable, results);
    ArrayNode list = Json.array();
    results.forEach(list::add);
    Json.write(context, Json.object().set("results", list));
  }

  /** Stores all at once, which is fast; one by one if one of them is refused at the front door. */
  private void store(Map<Integer, Email> readable, List<@Nullable ObjectNode> results) {
    List<Integer> places = new ArrayList<>(readable.keySet());
    try {
      List<Receipt> receipts = outbox.sendAll(readable.values());
      for (int i = 0; i < receipts.size(); i++) {
        results.set(places.get(i), accepted(receipts.get(i)));
      }
    } catch (IdempotencyConflictException e) {
      for (int i = 0; i < places.size(); i++) {
        var holder = e.conflicts().get(i);
        results.set(
            places.get(i),
            holder == null
                ? accepted(e.receipts().get(i))
                : refused(ProblemDetails.conflictingKey(holder)));
      }
    } catch (InvalidEmailException e) {
      readable.forEach((place, email) -> results.set(place, storeOne(email)));
    }
  }

  private ObjectNode storeOne(Email email) {
    try {
      return accepted(outbox.send(email));
    } catch (InvalidEmailException e) {
      return refused(ProblemDetails.invalid(e.field(), e.problem()));
    } catch (IdempotencyConflictException e) {
      return refused(ProblemDetails.conflictingKey(e.conflicts().values().iterator().next()));
    }
  }

  private static ObjectNode accepted(Receipt receipt) {
    ObjectNode json = Json.object().put("status", receipt.created() ? 201 : 200);
    return json.setAll(json(receipt));
  }

  private static ObjectNode refused(ProblemDetails problem) {
    return Json.object().put("status", problem.status()).set("problem", problem.json());
  }

  private static ObjectNode json(Receipt receipt) {
    return Json.object().put("id", receipt.id().toString()).put("created", receipt.created());
  }
}
