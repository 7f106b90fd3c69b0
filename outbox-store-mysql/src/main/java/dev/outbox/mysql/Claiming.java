package dev.outbox.mysql;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.EmailRow;
import dev.outbox.store.Lane;
import dev.outbox.store.StoredContent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Gives due emails to nodes, and takes what they have rendered to the wire's edge. */
final class Claiming {

  private final Sql sql;
  private final Database database;
  private final ContentKeeper contents;
  private final Nodes nodes;
  private final LowWater lowWater;
  private final LaneTurns turns = new LaneTurns();

  Claiming(Sql sql, Database database, ContentKeeper contents, Nodes nodes, LowWater lowWater) {
    this.sql = sql;
    this.database = database;
    this.contents = contents;
    this.nodes = nodes;
    this.lowWater = lowWater;
  }

  /** An email that could be claimed. */
  private record Due(EmailId id, Lane lane, Instant due, long size, Instant now) {

    static Due read(ResultSet row, Lane lane) throws SQLException {
      return new Due(
          Ids.id(row.getBytes("id")),
          lane,
          Time.needed(row, "due"),
          row.getLong("size"),
          Time.needed(row, "now"));
    }
  }

  /** A claimed row as it is read back. */
  private record Taken(EmailRow row, @Nullable StoredContent content) {}

  List<Claim> claim(ClaimRequest request) {
    Map<Lane, Instant> since = new EnumMap<>(Lane.class);
    request
        .shares()
        .keySet()
        .forEach(lane -> since.put(lane, lowWater.since(request.from(), lane)));
    List<Due> chosen = new ArrayList<>();
    List<Claim> claims =
        database.transactUnlessLost(
            "claim emails",
            handle -> {
              chosen.clear();
              List<Due> all =
                  turns.choose(
                      request,
                      (lane, limit) ->
                          turns.wasEmpty(request.from(), lane)
                                  && isEmpty(handle, request.from(), lane)
                              ? List.of()
                              : due(handle, request.from(), lane, since, limit));
              chosen.addAll(within(request.maxBytes(), all));
              return chosen.isEmpty() ? List.of() : claim(handle, request, chosen);
            });
    remember(request.from(), since, chosen);
    return claims;
  }

  private void remember(State from, Map<Lane, Instant> since, List<Due> chosen) {
    Map<Lane, LowWater.Reached> reached = new EnumMap<>(Lane.class);
    chosen.forEach(
        due ->
            reached.merge(
                due.lane,
                new LowWater.Reached(due.due, due.now),
                (a, b) -> a.due().isAfter(b.due()) ? a : b));
    since.forEach((lane, start) -> lowWater.reached(from, lane, start, reached.get(lane)));
  }

  /**
   * Tells whether a lane has nothing at all. A look for due emails in an empty lane ends only at
   * the next living entry of the index, and those of other lanes and states that lie before it may
   * be thousands of dead ones; this one ends where the lane does.
   */
  private boolean isEmpty(Handle handle, State from, Lane lane) {
    return handle
        .createQuery(sql.anyInLane)
        .bind("status", from.wireName())
        .bind("lane", EmailColumns.code(lane))
        .mapTo(Integer.class)
        .findFirst()
        .isEmpty();
  }

  private List<Due> due(Handle handle, State from, Lane lane, Map<Lane, Instant> since, int limit) {
    return handle
        .createQuery(sql.due)
        .bind("status", from.wireName())
        .bind("lane", EmailColumns.code(lane))
        .bind("since", Time.argument(since.get(lane)))
        .bind("limit", limit)
        .map((row, context) -> Due.read(row, lane))
        .list();
  }

  private static List<Due> within(long maxBytes, List<Due> due) {
    long bytes = 0;
    for (int i = 0; i < due.size(); i++) {
      bytes += due.get(i).size;
      if (bytes > maxBytes && i > 0) {
        return due.subList(0, i);
      }
    }
    return due;
  }

  private List<Claim> claim(Handle handle, ClaimRequest request, List<Due> chosen) {
    nodes.register(handle, request.node());
    Instant now = chosen.get(0).now;
    State busy = request.busy();
    List<byte[]> ids = Ids.list(chosen.stream().map(Due::id).toList());
    handle
        .createUpdate(sql.claim)
        .bind("busy", busy.wireName())
        .bind("node", request.node().value())
        .bind("now", Time.argument(now))
        .bind("preparing", Time.argument(busy == State.INTAKING ? now : null))
        .bind("sending", Time.argument(busy == State.PROCESSING ? now : null))
        .bindList("ids", ids)
        .execute();
    Map<EmailId, Taken> taken = new HashMap<>();
    handle
        .createQuery(sql.claimed)
        .bindList("ids", ids)
        .map(
            (row, context) ->
                new Taken(
                    Objects.requireNonNull(EmailColumns.read(row, false)), contents.read(row)))
        .forEach(each -> taken.put(each.row.id(), each));
    return chosen.stream()
        .map(due -> Objects.requireNonNull(taken.get(due.id)))
        .map(each -> each.row.claim(each.content, now))
        .toList();
  }

  /** Takes rendered emails to the wire; mostly one statement, as their tokens are mostly equal. */
  List<Claim> proceed(List<Claim> claims) {
    Set<EmailId> standing = new HashSet<>();
    claims.stream()
        .collect(Collectors.groupingBy(claim -> new Group(claim.node(), claim.token())))
        .forEach((group, members) -> standing.addAll(proceed(group, members)));
    return claims.stream()
        .filter(claim -> standing.contains(claim.id()))
        .map(Claim::proceeded)
        .toList();
  }

  private record Group(NodeId node, long token) {}

  private Set<EmailId> proceed(Group group, List<Claim> members) {
    Set<EmailId> all = members.stream().map(Claim::id).collect(Collectors.toSet());
    List<byte[]> ids = Ids.list(all);
    return database.run(
        "take emails to the wire",
        handle -> {
          int moved =
              handle
                  .createUpdate(sql.proceed)
                  .bind("token", group.token)
                  .bind("node", group.node.value())
                  .bindList("ids", ids)
                  .execute();
          return moved == all.size()
              ? all
              : handle
                  .createQuery(sql.proceeded)
                  .bind("token", group.token)
                  .bind("node", group.node.value())
                  .bindList("ids", ids)
                  .map((row, context) -> Ids.id(row.getBytes("id")))
                  .set();
        });
  }
}
