package dev.outbox.mysql;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Lane;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives due emails to nodes, and takes what they have rendered to the wire's edge. */
final class Claiming {

  private static final Logger log = LoggerFactory.getLogger(Claiming.class);

  /** How long emails with content in files wait if the content directory cannot be read. */
  static final Duration POSTPONED_BY = Duration.ofMinutes(1);

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

  List<Claim> claim(ClaimRequest request) {
    Map<Lane, LowWater.Start> starts = new EnumMap<>(Lane.class);
    Map<Lane, LowWater.Start> entries = new EnumMap<>(Lane.class);
    for (Lane lane : request.shares().keySet()) {
      LowWater.Start start = lowWater.start(request.from(), lane);
      starts.put(lane, start);
      entries.put(lane, entry(request.from(), lane, start));
    }
    List<DueRow> chosen = new ArrayList<>();
    Set<Lane> full = EnumSet.noneOf(Lane.class);
    List<Claim> claims =
        database.transactUnlessLost(
            "claim emails",
            handle -> {
              chosen.clear();
              full.clear();
              List<DueRow> all =
                  turns.choose(
                      request,
                      (lane, limit) ->
                          turns.wasEmpty(request.from(), lane)
                                  && isEmpty(handle, request.from(), lane)
                              ? List.of()
                              : due(handle, request.from(), lane, entries, limit, full));
              chosen.addAll(within(request.maxBytes(), all));
              return chosen.isEmpty() ? List.of() : claim(handle, request, chosen);
            });
    remember(request.from(), starts, chosen, full);
    return claims;
  }

  /**
   * Returns the first entry of the index behind a start that is not dead. A look that locks asks
   * for every dead one on its way whether its row is locked, and among several nodes most of a
   * backlog's are the others'. What comes back to life meanwhile is found when a look starts from
   * the very beginning.
   */
  private LowWater.Start entry(State from, Lane lane, LowWater.Start start) {
    if (!sql.keepsDeadEntries || !lowWater.isBacklog(from, lane)) {
      return start;
    }
    return database.glance(
        "look for due emails",
        handle ->
            beginning(handle.createQuery(sql.firstDue), from, lane, start)
                .map(
                    (row, context) ->
                        new LowWater.Start(Time.needed(row, 1), Ids.id(row.getBytes(2))))
                .findFirst()
                .orElse(start));
  }

  private static Query beginning(Query due, State from, Lane lane, LowWater.Start start) {
    return due.bind("status", from.wireName())
        .bind("lane", EmailColumns.code(lane))
        .bind("since", Time.argument(start.due()))
        .bind("first", start.first() == null ? Ids.LOWEST : Ids.bytes(start.first()));
  }

  private void remember(
      State from, Map<Lane, LowWater.Start> starts, List<DueRow> chosen, Set<Lane> full) {
    Map<Lane, LowWater.Reached> reached = new EnumMap<>(Lane.class);
    for (DueRow due : chosen) {
      LowWater.Reached place = due.reached(full.contains(due.lane()));
      reached.merge(due.lane(), place, (a, b) -> a.isBeyond(b) ? a : b);
    }
    starts.forEach((lane, start) -> lowWater.reached(from, lane, start, reached.get(lane)));
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

  private List<DueRow> due(
      Handle handle,
      State from,
      Lane lane,
      Map<Lane, LowWater.Start> entries,
      int limit,
      Set<Lane> full) {
    LowWater.Start start = entries.getOrDefault(lane, LowWater.Start.BEGINNING);
    List<DueRow> due =
        beginning(handle.createQuery(sql.due), from, lane, start)
            .bind("limit", limit)
            .map((row, context) -> DueRow.read(row))
            .list();
    if (due.size() == limit) {
      full.add(lane);
    } else {
      full.remove(lane);
    }
    return due;
  }

  private static List<DueRow> within(long maxBytes, List<DueRow> due) {
    long bytes = 0;
    for (int i = 0; i < due.size(); i++) {
      bytes += due.get(i).size();
      if (bytes > maxBytes && i > 0) {
        return due.subList(0, i);
      }
    }
    return due;
  }

  private List<Claim> claim(Handle handle, ClaimRequest request, List<DueRow> chosen) {
    Map<EmailId, ContentKeeper.Loaded> loaded = contents.read(whole(handle, chosen));
    List<DueRow> claimable = claimable(handle, request, chosen, loaded);
    if (claimable.isEmpty()) {
      return List.of();
    }
    nodes.register(handle, request.node());
    Instant now = chosen.get(0).hot().now();
    State busy = request.busy();
    handle
        .createUpdate(sql.claim)
        .bind("busy", busy.wireName())
        .bind("node", request.node().value())
        .bind("now", Time.argument(now))
        .bind("preparing", Time.argument(busy == State.INTAKING ? now : null))
        .bind("sending", Time.argument(busy == State.PROCESSING ? now : null))
        .bindList("ids", Ids.list(claimable.stream().map(DueRow::id).toList()))
        .execute();
    for (DueRow each : claimable) {
      if (each.isUnreadable()) {
        log.error("{} becomes invalid, cannot read {}", each.id(), each.hot().unreadable());
      }
    }
    return claimable.stream()
        .map(
            each ->
                each.claimed(request, now)
                    .claim(Objects.requireNonNull(loaded.get(each.id())).content(), now))
        .toList();
  }

  /**
   * Postpones emails with content in files while the content directory as a whole cannot be read,
   * and returns the others. They do not stay at the head of the queue, where they would keep later
   * emails from being claimed, and no try is counted. Callbacks need no content.
   */
  private List<DueRow> claimable(
      Handle handle,
      ClaimRequest request,
      List<DueRow> chosen,
      Map<EmailId, ContentKeeper.Loaded> loaded) {
    if (request.from().isSettled()) {
      return chosen;
    }
    Map<Boolean, List<DueRow>> byUnavailable =
        chosen.stream()
            .collect(
                Collectors.partitioningBy(
                    row -> Objects.requireNonNull(loaded.get(row.id())).unavailable()));
    List<DueRow> postponed = byUnavailable.getOrDefault(true, List.of());
    if (!postponed.isEmpty()) {
      handle
          .createUpdate(sql.postpone)
          .bind("micros", POSTPONED_BY.toNanos() / 1_000)
          .bindList("ids", Ids.list(postponed.stream().map(DueRow::id).toList()))
          .execute();
      log.debug("postponed {} emails, the content directory cannot be read", postponed.size());
    }
    return byUnavailable.getOrDefault(false, List.of());
  }

  /** Reads the content that was too large to come with the rows. */
  private List<DueRow> whole(Handle handle, List<DueRow> chosen) {
    List<EmailId> large = chosen.stream().filter(DueRow::isLarge).map(DueRow::id).toList();
    if (large.isEmpty()) {
      return chosen;
    }
    Map<EmailId, DueRow> rows = new LinkedHashMap<>();
    chosen.forEach(each -> rows.put(each.id(), each));
    handle
        .createQuery(sql.largeContent)
        .bindList("ids", Ids.list(large))
        .scanResultSet(
            (results, context) -> {
              ResultSet found = results.get();
              while (found.next()) {
                Bytes payload = ContentKeeper.inRow(found, "payload");
                Bytes composed = ContentKeeper.inRow(found, "composed");
                rows.computeIfPresent(
                    Ids.id(found.getBytes("id")), (id, row) -> row.with(payload, composed));
              }
              return rows;
            });
    return List.copyOf(rows.values());
  }

  /** Takes rendered emails to the wire; mostly one statement, as their tokens are mostly equal. */
  List<Claim> proceed(List<Claim> claims) {
    Map<Group, Set<EmailId>> standing = new HashMap<>();
    claims.stream()
        .collect(Collectors.groupingBy(Group::of))
        .forEach((group, members) -> standing.put(group, proceed(group, members)));
    return claims.stream()
        .filter(claim -> standing.getOrDefault(Group.of(claim), Set.of()).contains(claim.id()))
        .map(Claim::proceeded)
        .toList();
  }

  private record Group(NodeId node, long token) {
    static Group of(Claim claim) {
      return new Group(claim.node(), claim.token());
    }
  }

  private Set<EmailId> proceed(Group group, List<Claim> members) {
    Set<EmailId> all = members.stream().map(Claim::id).collect(Collectors.toSet());
    List<byte[]> ids = Ids.list(all);
    return database.change(
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
