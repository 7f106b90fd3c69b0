package dev.outbox.mysql;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.PriorityLane;
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
final class ClaimOperations {

  private static final Logger log = LoggerFactory.getLogger(ClaimOperations.class);

  /** How long emails with content in files wait if the content directory cannot be read. */
  static final Duration POSTPONED_BY = Duration.ofMinutes(1);

  private final SqlStatements sql;
  private final TransactionRunner database;
  private final ContentStorage contents;
  private final NodeOperations nodes;
  private final ClaimWatermarks watermarks;
  private final PriorityLaneAllocator turns = new PriorityLaneAllocator();

  ClaimOperations(
      SqlStatements sql,
      TransactionRunner database,
      ContentStorage contents,
      NodeOperations nodes,
      ClaimWatermarks watermarks) {
    this.sql = sql;
    this.database = database;
    this.contents = contents;
    this.nodes = nodes;
    this.watermarks = watermarks;
  }

  List<Claim> claim(ClaimRequest request) {
    Map<PriorityLane, ClaimWatermarks.Start> starts = new EnumMap<>(PriorityLane.class);
    Map<PriorityLane, ClaimWatermarks.Start> entries = new EnumMap<>(PriorityLane.class);
    for (PriorityLane lane : request.shares().keySet()) {
      ClaimWatermarks.Start start = watermarks.start(request.from(), lane);
      starts.put(lane, start);
      entries.put(lane, entry(request.from(), lane, start));
    }
    List<ClaimCandidate> chosen = new ArrayList<>();
    Set<PriorityLane> full = EnumSet.noneOf(PriorityLane.class);
    List<Claim> claims =
        database.transactUnlessLost(
            "claim emails",
            handle -> {
              chosen.clear();
              full.clear();
              List<ClaimCandidate> all =
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
  private ClaimWatermarks.Start entry(State from, PriorityLane lane, ClaimWatermarks.Start start) {
    if (!sql.keepsDeadEntries || !watermarks.isBacklog(from, lane)) {
      return start;
    }
    return database.readUncommitted(
        "look for due emails",
        handle ->
            beginning(handle.createQuery(sql.firstDue), from, lane, start)
                .map(
                    (row, context) ->
                        new ClaimWatermarks.Start(
                            UtcTimestamps.needed(row, 1), BinaryIds.id(row.getBytes(2))))
                .findFirst()
                .orElse(start));
  }

  private static Query beginning(
      Query due, State from, PriorityLane lane, ClaimWatermarks.Start start) {
    return due.bind("status", from.wireName())
        .bind("lane", EmailRecordMapper.code(lane))
        .bind("since", UtcTimestamps.argument(start.due()))
        .bind("first", start.first() == null ? BinaryIds.LOWEST : BinaryIds.bytes(start.first()));
  }

  private void remember(
      State from,
      Map<PriorityLane, ClaimWatermarks.Start> starts,
      List<ClaimCandidate> chosen,
      Set<PriorityLane> full) {
    Map<PriorityLane, ClaimWatermarks.Reached> reached = new EnumMap<>(PriorityLane.class);
    for (ClaimCandidate due : chosen) {
      ClaimWatermarks.Reached place = due.reached(full.contains(due.lane()));
      reached.merge(due.lane(), place, (a, b) -> a.isBeyond(b) ? a : b);
    }
    starts.forEach((lane, start) -> watermarks.reached(from, lane, start, reached.get(lane)));
  }

  /**
   * Tells whether a lane has nothing at all. A look for due emails in an empty lane ends only at
   * the next living entry of the index, and those of other lanes and states that lie before it may
   * be thousands of dead ones; this one ends where the lane does.
   */
  private boolean isEmpty(Handle handle, State from, PriorityLane lane) {
    return handle
        .createQuery(sql.anyInLane)
        .bind("status", from.wireName())
        .bind("lane", EmailRecordMapper.code(lane))
        .mapTo(Integer.class)
        .findFirst()
        .isEmpty();
  }

  private List<ClaimCandidate> due(
      Handle handle,
      State from,
      PriorityLane lane,
      Map<PriorityLane, ClaimWatermarks.Start> entries,
      int limit,
      Set<PriorityLane> full) {
    ClaimWatermarks.Start start = entries.getOrDefault(lane, ClaimWatermarks.Start.BEGINNING);
    List<ClaimCandidate> due =
        beginning(handle.createQuery(sql.due), from, lane, start)
            .bind("limit", limit)
            .map((row, context) -> ClaimCandidate.read(row))
            .list();
    if (due.size() == limit) {
      full.add(lane);
    } else {
      full.remove(lane);
    }
    return due;
  }

  private static List<ClaimCandidate> within(long maxBytes, List<ClaimCandidate> due) {
    long bytes = 0;
    for (int i = 0; i < due.size(); i++) {
      bytes += due.get(i).size();
      if (bytes > maxBytes && i > 0) {
        return due.subList(0, i);
      }
    }
    return due;
  }

  private List<Claim> claim(Handle handle, ClaimRequest request, List<ClaimCandidate> chosen) {
    Map<EmailId, ContentStorage.Loaded> loaded = contents.read(whole(handle, chosen));
    List<ClaimCandidate> claimable = claimable(handle, request, chosen, loaded);
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
        .bind("now", UtcTimestamps.argument(now))
        .bind("preparing", UtcTimestamps.argument(busy == State.INTAKING ? now : null))
        .bind("sending", UtcTimestamps.argument(busy == State.PROCESSING ? now : null))
        .bindList("ids", BinaryIds.list(claimable.stream().map(ClaimCandidate::id).toList()))
        .execute();
    for (ClaimCandidate each : claimable) {
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
  private List<ClaimCandidate> claimable(
      Handle handle,
      ClaimRequest request,
      List<ClaimCandidate> chosen,
      Map<EmailId, ContentStorage.Loaded> loaded) {
    if (request.from().hasOutcome()) {
      return chosen;
    }
    Map<Boolean, List<ClaimCandidate>> byUnavailable =
        chosen.stream()
            .collect(
                Collectors.partitioningBy(
                    row -> Objects.requireNonNull(loaded.get(row.id())).unavailable()));
    List<ClaimCandidate> postponed = byUnavailable.getOrDefault(true, List.of());
    if (!postponed.isEmpty()) {
      handle
          .createUpdate(sql.postpone)
          .bind("micros", POSTPONED_BY.toNanos() / 1_000)
          .bindList("ids", BinaryIds.list(postponed.stream().map(ClaimCandidate::id).toList()))
          .execute();
      log.debug("postponed {} emails, the content directory cannot be read", postponed.size());
    }
    return byUnavailable.getOrDefault(false, List.of());
  }

  /** Reads the content that was too large to come with the rows. */
  private List<ClaimCandidate> whole(Handle handle, List<ClaimCandidate> chosen) {
    List<EmailId> large =
        chosen.stream().filter(ClaimCandidate::isLarge).map(ClaimCandidate::id).toList();
    if (large.isEmpty()) {
      return chosen;
    }
    Map<EmailId, ClaimCandidate> rows = new LinkedHashMap<>();
    chosen.forEach(each -> rows.put(each.id(), each));
    handle
        .createQuery(sql.largeContent)
        .bindList("ids", BinaryIds.list(large))
        .scanResultSet(
            (results, context) -> {
              ResultSet found = results.get();
              while (found.next()) {
                Bytes payload = ContentStorage.inRow(found, "payload");
                Bytes composed = ContentStorage.inRow(found, "composed");
                rows.computeIfPresent(
                    BinaryIds.id(found.getBytes("id")), (id, row) -> row.with(payload, composed));
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
        .map(Claim::forDelivery)
        .toList();
  }

  private record Group(NodeId node, long token) {
    static Group of(Claim claim) {
      return new Group(claim.node(), claim.token());
    }
  }

  private Set<EmailId> proceed(Group group, List<Claim> members) {
    Set<EmailId> all = members.stream().map(Claim::id).collect(Collectors.toSet());
    List<byte[]> ids = BinaryIds.list(all);
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
                  .map((row, context) -> BinaryIds.id(row.getBytes("id")))
                  .set();
        });
  }
}
