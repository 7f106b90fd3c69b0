package dev.outbox.mysql;

import dev.outbox.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;

/**
 * The tables of the store: shows their DDL, makes them, and checks that they fit this release.
 *
 * <p>A host that uses Flyway or Liquibase takes the text of {@link #ddl()}, or the resource {@code
 * dev/outbox/mysql/schema-1.sql} with its prefix filled in. Safe for use by many threads.
 */
public final class MySqlSchema {

  /** The version of the tables that this release writes. */
  public static final int VERSION = 1;

  /** The prefix of all tables, unless the host chooses another. */
  public static final String DEFAULT_PREFIX = "outbox_";

  private static final Pattern PREFIX = Pattern.compile("[a-zA-Z][a-zA-Z0-9_]{0,29}");

  private final String prefix;

  private MySqlSchema(String prefix) {
    this.prefix = prefix;
  }

  /** Returns the schema with the usual prefix. */
  public static MySqlSchema standard() {
    return new MySqlSchema(DEFAULT_PREFIX);
  }

  /**
   * Returns the schema with a prefix of the host's.
   *
   * @param prefix a letter, then up to 29 letters, digits and underscores
   */
  public static MySqlSchema withPrefix(String prefix) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "tablePrefix: not a letter and up to 29 letters, digits and underscores: " + prefix);
    }
    return new MySqlSchema(prefix);
  }

  String prefix() {
    return prefix;
  }

  /** Returns the statements that make the tables, as a script. */
  public String ddl() {
    try (InputStream in =
        MySqlSchema.class.getResourceAsStream("schema-%d.sql".formatted(VERSION))) {
      if (in == null) {
        throw new IllegalStateException("schema: the resource is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("${prefix}", prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Makes the tables that are missing; does nothing if all are there. Several nodes may do so at
   * once.
   *
   * @throws StoreException if the database refuses
   */
  public void apply(DataSource source) {
    apply(TransactionRunner.open(source, null));
  }

  void apply(TransactionRunner database) {
    database.run(
        "make the tables",
        handle -> {
          statements().forEach(handle::execute);
          return true;
        });
  }

  private List<String> statements() {
    String script =
        ddl().lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
    return Arrays.stream(script.split(";\\s*(\\n|$)"))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .toList();
  }

  /**
   * Checks that the tables are there and that this release may use them. Newer tables are fine as
   * long as they allow a reader of this version, so that an old node goes on while new ones are
   * rolled out.
   *
   * @throws StoreException if a table or column is missing, or the tables are for newer releases
   */
  public void validate(DataSource source) {
    validate(TransactionRunner.open(source, null));
  }

  void validate(TransactionRunner database) {
    Versions found = database.run("read the schema's version", this::versions);
    if (found.version < VERSION) {
      throw new StoreException(
          StoreException.Reason.MISCONFIGURED,
          "the tables %s* have version %d, and this release needs %d: apply the newer schema"
              .formatted(prefix, found.version, VERSION),
          null);
    }
    if (found.oldestReader > VERSION) {
      throw new StoreException(
          StoreException.Reason.MISCONFIGURED,
          "the tables %s* have version %d and can only be used by releases that know version %d;"
                  .formatted(prefix, found.version, found.oldestReader)
              + " this one knows %d".formatted(VERSION),
          null);
    }
    database.run(
        "check the tables",
        handle -> {
          SchemaValidator.NEEDED.forEach((table, columns) -> check(handle, table, columns));
          return true;
        });
  }

  private record Versions(int version, int oldestReader) {}

  private Versions versions(Handle handle) {
    String table = prefix + "schema";
    try {
      return handle
          .createQuery("SELECT version, oldest_reader FROM " + table + " WHERE id = 1")
          .map((row, context) -> new Versions(row.getInt(1), row.getInt(2)))
          .findOne()
          .orElseThrow(
              () ->
                  new StoreException(
                      StoreException.Reason.MISCONFIGURED, table + ": has no row", null));
    } catch (JdbiException e) {
      SanitizedSqlException trouble = SanitizedSqlException.in(e);
      if (trouble == null || trouble.kind() != ErrorKind.MISCONFIGURED) {
        throw e;
      }
      throw new StoreException(
          StoreException.Reason.MISCONFIGURED,
          table + ": cannot be read; apply the schema first (MySqlSchema, or applySchema())",
          trouble);
    }
  }

  private void check(Handle handle, String table, Set<String> columns) {
    String name = prefix + table;
    Set<String> found;
    try {
      found = SchemaValidator.of(handle, name);
    } catch (JdbiException e) {
      SanitizedSqlException trouble = SanitizedSqlException.in(e);
      if (trouble == null || trouble.kind() != ErrorKind.MISCONFIGURED) {
        throw e;
      }
      throw new StoreException(
          StoreException.Reason.MISCONFIGURED, name + ": cannot be read", trouble);
    }
    columns.stream()
        .filter(column -> !found.contains(column))
        .findFirst()
        .ifPresent(
            missing -> {
              throw new StoreException(
                  StoreException.Reason.MISCONFIGURED,
                  name + ": the column " + missing + " is missing",
                  null);
            });
  }
}
