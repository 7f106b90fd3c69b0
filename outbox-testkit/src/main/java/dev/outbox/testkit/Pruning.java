package dev.outbox.testkit;

import dev.outbox.email.State;
import dev.outbox.store.Retention;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/** One bounded round of removing what is older than its retention. */
final class Pruning {

  private final Tables tables;
  private final Retention retention;
  private final Instant now;
  private final int limit;

  Pruning(Tables tables, Retention retention, Instant now, int limit) {
    this.tables = tables;
    this.retention = retention;
    this.now = now;
    this.limit = limit;
  }

  int run() {
    var rows =
        Stream.concat(
                tables.log().stream().filter(row -> isOlder(row, retention.log())),
                tables.emails().stream().filter(this::isOver))
            .limit(limit)
            .toList();
    rows.forEach(tables::remove);
    var sent =
        Stream.concat(tables.log().stream(), tables.emails().stream())
            .filter(row -> row.state.outcome() == State.SENT && tables.hasContent(row.id))
            .filter(row -> isOlder(row, retention.sentContent()))
            .limit(limit - rows.size())
            .toList();
    sent.forEach(row -> tables.dropContent(row.id));
    return rows.size() + sent.size();
  }

  private boolean isOver(Row row) {
    if (row.owner != null || row.due != null) {
      return false;
    }
    return switch (row.state.outcome()) {
      case FAILED -> isOlder(row, retention.failed());
      case INVALID -> isOlder(row, retention.invalid());
      default -> false;
    };
  }

  private boolean isOlder(Row row, Duration age) {
    return row.settled != null && !row.settled.plus(age).isAfter(now);
  }
}
