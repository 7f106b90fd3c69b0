package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.store.StoreException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlDialectTest {

  @ParameterizedTest
  @CsvSource({
    "MYSQL, 8.0.36",
    "MYSQL, 9.1.0-commercial",
    "MARIADB, 10.6.0-mariadb",
    "MARIADB, 11.4.5-mariadb",
    "MARIADB, 5.5.5-10.11.18-mariadb-0+deb12u1",
    "H2, 2.4.240 (2025-09-22)"
  })
  void whatIsNewEnoughIsTaken(SqlDialect dialect, String version) {
    assertThatCode(() -> dialect.checkAge(version)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "MYSQL, 5.7.44-log, 5.7",
    "MARIADB, 10.5.29-mariadb, 10.5",
    "MARIADB, 5.5.5-10.3.39-mariadb, 10.3",
    "MARIADB, 5.5.68-mariadb, 5.5",
    "H2, 1.4.200 (2019-10-14), 1.4"
  })
  void whatIsTooOldIsNamed(SqlDialect dialect, String version, String named) {
    assertThatThrownBy(() -> dialect.checkAge(version))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(named + " is too old");
  }
}
