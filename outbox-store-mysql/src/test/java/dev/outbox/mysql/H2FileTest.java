package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.store.NewEmail;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.h2.jdbc.JdbcConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file that only grows is written anew before it is mostly waste. */
class H2FileTest {

  private static final int SMALL = 100_000;

  @TempDir Path folder;
  private String url;
  private HikariDataSource pool;
  private MySqlStore store;
  private List<NewEmail> emails;

  @BeforeEach
  void waste() throws IOException {
    url = H2Settings.in("jdbc:h2:file:" + folder.resolve("outbox"));
    pool = ConnectionPools.open(url, "sa", "", 1);
    store = MySqlStore.builder(pool).applySchema().build();
    emails = Stream.generate(Samples::email).limit(50).toList();
    emails.forEach(email -> store.insert(List.of(email)));
    assertThat(size()).isGreaterThan(2 * SMALL);
  }

  @AfterEach
  void close() {
    store.close();
    pool.close();
  }

  @Test
  void itIsMuchSmallerThenAndHoldsTheSame() throws IOException {
    long before = size();

    new H2File(pool, SMALL).shrink();

    assertThat(size()).isLessThan(before / 2);
    assertThat(emails).allMatch(email -> store.find(email.id()).isPresent());
    store.insert(List.of(Samples.email()));
  }

  @Test
  void itIsLeftAloneWhileMostOfItIsInUse() throws SQLException {
    new H2File(pool, SMALL).shrink();
    String before = connection();

    new H2File(pool, 0).shrink();

    assertThat(connection()).as("not closed meanwhile").isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:h2:file:/data/shop, true",
    "jdbc:h2:/data/shop, true",
    "jdbc:h2:~/shop, true",
    "jdbc:h2:mem:shop, false",
    "jdbc:h2:tcp://db/shop, false",
    "jdbc:mariadb://db/shop, false"
  })
  void aFileIsWhatThisProcessOpensItself(String place, boolean file) {
    assertThat(H2Settings.isFile(place)).isEqualTo(file);
  }

  @Test
  void itIsLeftAloneWhileItIsSmall() throws IOException {
    long before = size();

    new H2File(pool, 64 << 20).shrink();

    assertThat(size()).isGreaterThanOrEqualTo(before);
  }

  @Test
  void itIsLeftAloneWhileSomebodyElseIsInIt() throws IOException, SQLException {
    long before = size();
    try (Connection other = DriverManager.getConnection(url, "sa", "")) {
      new H2File(pool, SMALL).shrink();

      assertThat(other.isValid(1)).isTrue();
      assertThat(size()).isGreaterThanOrEqualTo(before);
    }
  }

  /** Returns the name of the pool's only connection, which is another after a shutdown. */
  private String connection() throws SQLException {
    try (Connection only = pool.getConnection()) {
      return only.unwrap(JdbcConnection.class).toString();
    }
  }

  private long size() throws IOException {
    return Files.size(folder.resolve("outbox.mv.db"));
  }
}
