package dev.outbox.mysql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntFunction;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;

/** Connections to an H2 database in memory that fail when a test wants it. For one thread. */
final class HookedSource {

  private final DataSource source;
  private int opened;
  private @Nullable IntFunction<@Nullable SQLException> hook;

  HookedSource(String name) {
    JdbcDataSource h2 = new JdbcDataSource();
    h2.setUrl(H2Settings.in("jdbc:h2:mem:" + name) + ";DB_CLOSE_DELAY=-1");
    h2.setUser("sa");
    this.source =
        (DataSource)
            Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("getConnection")) {
                    beforeOpening();
                  }
                  try {
                    return method.invoke(h2, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getTargetException();
                  }
                });
  }

  private void beforeOpening() throws SQLException {
    opened++;
    SQLException failure = hook == null ? null : hook.apply(opened);
    if (failure != null) {
      throw failure;
    }
  }

  DataSource source() {
    return source;
  }

  /** From now on counts how often a connection is asked for, and asks whether that fails. */
  void failBy(IntFunction<@Nullable SQLException> failing) {
    opened = 0;
    hook = failing;
  }

  /** Fails with each of these once, and then no more. */
  void failWith(SQLException... failures) {
    Deque<SQLException> next = new ArrayDeque<>(java.util.List.of(failures));
    failBy(count -> next.pollFirst());
  }

  /** Returns how often a connection was asked for since the last hook was set. */
  int opened() {
    return opened;
  }
}
