package dev.outbox.benchmarks;

import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * What was used up until a moment: CPU time of this JVM and of all its children, and statements of
 * the database server.
 */
record ResourceUsage(double cpuSeconds, double statements, double commits) {

  static ResourceUsage untilNow(DatabaseServer server) {
    Map<String, Long> counters = new HashMap<>();
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Com\\_%'")) {
      while (row.next()) {
        counters.put(row.getString(1), row.getLong(2));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    long statements = 0;
    for (String each : new String[] {"select", "insert", "insert_select", "update", "delete"}) {
      statements += counters.getOrDefault("Com_" + each, 0L);
    }
    return new ResourceUsage(cpu(), statements, counters.getOrDefault("Com_commit", 0L));
  }

  private static double cpu() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    double own = system.getProcessCpuTime() / 1e9;
    return own
        + ProcessHandle.current()
            .descendants()
            .map(child -> child.info().totalCpuDuration().orElse(Duration.ZERO))
            .mapToDouble(time -> time.toNanos() / 1e9)
            .sum();
  }

  ResourceUsage minus(ResourceUsage before) {
    return new ResourceUsage(
        cpuSeconds - before.cpuSeconds, statements - before.statements, commits - before.commits);
  }

  /** Returns the share of a thousand emails. */
  ResourceUsage perThousand(int emails) {
    double share = 1000.0 / emails;
    return new ResourceUsage(cpuSeconds * share, statements * share, commits * share);
  }
}
