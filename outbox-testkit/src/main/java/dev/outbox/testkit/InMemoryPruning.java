package dev.outbox.testkit;

import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import java.time.Instant;
import java.util.stream.Stream;

/** One bounded round of removing what is older than its retention. */
final class InMemoryPruning {

  private final InMemoryTables tables;
  private final RetentionSettings retention;
  private final Instant now;
  private final int limit;

  InMemoryPruning(InMemoryTables tables, RetentionSettings retention, Instant now, int limit) {
    this.tables = tables;
    this.retention = retention;
    this.now = now;
    this.limit = limit;
  }

  int run() {
    var rows =
        Stream.concat(
                tables.log().stream()
                    .filter(row -> row.isSettledBefore(now.minus(retention.log()))),
                tables.emails().stream().filter(row -> row.isOver(retention, now)))
            .limit(limit)
            .toList();
    rows.forEach(tables::remove);
    var sent =
        Stream.concat(tables.log().stream(), tables.emails().stream())
            .filter(row -> row.email().state().outcome() == State.SENT)
            .filter(row -> tables.hasContent(row.id()))
            .filter(row -> row.isSettledBefore(now.minus(retention.sentContent())))
            .limit(limit - rows.size())
            .toList();
    sent.forEach(row -> tables.dropContent(row.id()));
    return rows.size() + sent.size();
  }
}
