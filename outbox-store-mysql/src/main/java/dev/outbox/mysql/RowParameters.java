package dev.outbox.mysql;

import java.time.Instant;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Takes the values of one row by the names of their parameters. */
interface RowParameters {

  /**
   * Takes one value: text, a number, bytes or an {@link Instant}.
   *
   * @return this
   */
  RowParameters bind(String name, @Nullable Object value);

  /** Hands values on to a statement of Jdbi's. */
  static RowParameters to(SqlStatement<?> statement) {
    return new RowParameters() {
      @Override
      public RowParameters bind(String name, @Nullable Object value) {
        if (value instanceof Instant time) {
          statement.bind(name, UtcTimestamps.argument(time));
        } else {
          statement.bind(name, value);
        }
        return this;
      }
    };
  }
}
