package dev.outbox.mysql;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoreWriter;
import dev.outbox.testkit.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** Two stores on one database, as two processes would have them, and a host beside them. */
final class SqlFixture implements StoreFixture {

  private static final Map<String, List<String>> TIMES =
      Map.of(
          "emails",
          List.of(
              "due",
              "created",
              "preparing",
              "prepared",
              "sending",
              "sent",
              "settled",
              "updated",
              "deadline"),
          "log",
          List.of(
              "created",
              "preparing",
              "prepared",
              "sending",
              "sent",
              "settled",
              "updated",
              "deadline"),
          "contents",
          List.of("settled"),
          "statuses",
          List.of("created_at", "preparing", "sending"));

  /** Opening connections takes longer than most tests. */
  private static final Map<String, HikariDataSource> POOLS = new ConcurrentHashMap<>();

  private final Jdbi host;
  private final MySqlStore store;
  private final MySqlStore another;
  private final OutboxStore heard;
  private final OutboxStore heardElsewhere;
  private final List<Handle> open = new ArrayList<>();

  SqlFixture(String url, String user, String password) {
    this(POOLS.computeIfAbsent(url, key -> ConnectionPools.open(url, user, password, 24)));
  }

  SqlFixture(DataSource pool) {
    this.host = Jdbi.create(pool);
    this.store = MySqlStore.builder(pool).applySchema().build();
    this.another = MySqlStore.builder(pool).build();
    this.heard = Overheard.store(store);
    this.heardElsewhere = Overheard.store(another);
    host.useHandle(
        handle ->
            List.of("emails", "log", "contents", "statuses", "keys", "nodes")
                .forEach(table -> handle.execute("DELETE FROM outbox_" + table)));
  }

  @Override
  public OutboxStore store() {
    return heard;
  }

  @Override
  public OutboxStore another() {
    return heardElsewhere;
  }

  @Override
  public void advance(Duration time) {
    store.forgetLowWater();
    another.forgetLowWater();
    host.useHandle(
        handle ->
            TIMES.forEach(
                (table, columns) -> columns.forEach(column -> shift(handle, table, column, time))));
  }

  private static void shift(Handle handle, String table, String column, Duration time) {
    handle
        .createUpdate(
            "UPDATE outbox_%s SET %s = TIMESTAMPADD(MICROSECOND, :micros, %s)"
                .formatted(table, column, column))
        .bind("micros", -time.toNanos() / 1_000)
        .execute();
  }

  @Override
  public JoinedTransaction begin() {
    Handle handle = host.open();
    open.add(handle);
    handle.begin();
    StoreWriter writer = store.transaction(handle);
    return new JoinedTransaction() {
      @Override
      public StoreWriter writer() {
        return writer;
      }

      @Override
      public void commit() {
        try (handle) {
          handle.commit();
        }
      }

      @Override
      public void rollback() {
        try (handle) {
          handle.rollback();
        }
      }
    };
  }

  @Override
  public void close() {
    for (Handle handle : open) {
      if (!handle.isClosed()) {
        handle.rollback();
        handle.close();
      }
    }
    store.close();
    another.close();
  }
}
