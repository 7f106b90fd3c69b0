package dev.outbox.javalin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outbox.Outbox;
import dev.outbox.OutboxStats;
import dev.outbox.email.State;
import dev.outbox.monitoring.OutboxHealth;
import dev.outbox.store.StateCount;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.Header;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How the outbox is doing: figures, health, why emails failed, and what happens right now. */
final class MonitoringRoutes {

  /** Counting looks at many rows; however many people watch, the store is asked once in this. */
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  /** How many event streams may be open at once. */
  private static final int LISTENERS = 100;

  private final Outbox outbox;
  private final OutboxPluginConfig settings;
  private final EventStream eventStream;
  private final EventStreamLimit streams;
  private @Nullable OutboxStats counted;
  private long countedAt;

  MonitoringRoutes(Outbox outbox, OutboxPluginConfig settings, EventStream eventStream) {
    this.outbox = outbox;
    this.settings = settings;
    this.eventStream = eventStream;
    this.streams = new EventStreamLimit(LISTENERS, settings.eventStreamsPerCaller);
  }

  List<Route> routes() {
    return List.of(
        Route.look("/api/stats", (context, access) -> stats(context)),
        Route.look("/api/health", (context, access) -> health(context)),
        Route.look("/api/failures", (context, access) -> failures(context)),
        Route.look("/api/events", (context, access) -> events(context)));
  }

  private void stats(Context context) {
    OutboxStats stats = fresh();
    ObjectNode json = Json.object();
    ObjectNode states = json.putObject("states");
    for (State state : State.values()) {
      StateCount count = stats.states().get(state);
      if (count != null) {
        states
            .putObject(state.wireName())
            .put("count", count.count())
            .put("bound", count.isBound())
            .put("oldestSeconds", count.oldest().toSeconds())
            .put("overdueSeconds", count.overdue().toSeconds());
      }
    }
    json.putObject("node")
        .put("status", stats.status().name())
        .put("inFlight", stats.inFlight())
        .put("sent", stats.sent())
        .put("failed", stats.failed())
        .put("abandonedCallbacks", stats.abandoned());
    json.put("backlogSeconds", backlog(stats.states()).toSeconds());
    json.set("throughput", eventStream.throughput().json());
    Json.write(context, json);
  }

  private synchronized OutboxStats fresh() {
    OutboxStats known = counted;
    if (known == null || System.nanoTime() - countedAt > FRESH_NANOS) {
      known = outbox.stats();
      counted = known;
      countedAt = System.nanoTime();
    }
    return known;
  }

  /** Answers from what the node knows: a probe must not hang with the store. */
  private void health(Context context) {
    OutboxHealth health = outbox.health();
    boolean isLate =
        health
            .backlog()
            .filter(backlog -> backlog.compareTo(settings.backlogAlarm) >= 0)
            .isPresent();
    ObjectNode json =
        Json.object()
            .put("status", !health.isUp() ? "down" : isLate ? "backlog" : "up")
            .put("store", store(health))
            .put("nodeStatus", health.nodeStatus().name())
            .put("paused", health.isPaused())
            .put("lastHeartbeatSeconds", seconds(health.lastHeartbeat()))
            .put("unreachableSeconds", seconds(health.unreachableFor()))
            .put("unrecordedResults", health.unrecordedResults())
            .put("backlogSeconds", seconds(health.backlog()));
    health.endedThreads().forEach(json.putArray("endedThreads")::add);
    health.failingClaims().stream()
        .map(State::wireName)
        .forEach(json.putArray("failingClaims")::add);
    Json.write(context.status(health.isUp() && !isLate ? 200 : 503), json);
  }

  private static String store(OutboxHealth health) {
    if (health.unreachableFor().isPresent()) {
      return "unavailable";
    }
    return health.lastHeartbeat().isPresent() ? "reachable" : "unknown";
  }

  private static @Nullable Long seconds(Optional<Duration> time) {
    return time.map(Duration::toSeconds).orElse(null);
  }

  /** How long the longest-waiting email could have been on its way. */
  private static Duration backlog(Map<State, StateCount> states) {
    return Stream.of(State.ACCEPTED, State.READY)
        .map(states::get)
        .filter(Objects::nonNull)
        .map(StateCount::overdue)
        .reduce(Duration.ZERO, (a, b) -> a.compareTo(b) > 0 ? a : b);
  }

  private void failures(Context context) {
    Json.write(context, FailureGroups.newest(outbox).json());
  }

  private void events(Context context) {
    String accept = context.header(Header.ACCEPT);
    if (accept == null || !accept.contains("text/event-stream")) {
      throw ProblemDetails.notAcceptable("want Accept: text/event-stream").asException();
    }
    if (context.method().equals(HandlerType.HEAD)) {
      context.contentType("text/event-stream");
      return;
    }
    String identity = settings.caller.apply(context);
    String caller =
        identity == null ? "address " + context.req().getRemoteAddr() : "id " + identity;
    eventStream.listen(context, streams.open(caller));
  }
}
