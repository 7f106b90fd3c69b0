package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.mysql.MySqlSchema;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What the Flyway recipe says, with Flyway itself. */
class FlywayTest {

  @TempDir Path folder;
  private DataSource source;

  @BeforeEach
  void connect() {
    String url =
        "jdbc:h2:file:%s;MODE=MySQL;WRITE_DELAY=0;REUSE_SPACE=FALSE"
            .formatted(folder.resolve("shop"));
    source = new DriverManagerDataSource(url, "sa", "");
  }

  @Test
  void flywayMakesTheTablesAndTheStoreIsContent() throws IOException {
    Path migrations = Files.createDirectory(folder.resolve("migration"));
    Files.writeString(
        migrations.resolve("V1__orders.sql"), "CREATE TABLE orders (id INT PRIMARY KEY);");
    Files.writeString(migrations.resolve("V2__outbox.sql"), MySqlSchema.standard().ddl());

    migrate(migrations);

    MySqlStore.builder(source).build().close();
  }

  @Test
  void theFileOfTheJarNeedsOnlyItsPlaceholder() throws IOException {
    Path migrations = Files.createDirectory(folder.resolve("migration"));
    try (var script = MySqlSchema.class.getResourceAsStream("schema-1.sql")) {
      Files.copy(script, migrations.resolve("V1__outbox.sql"));
    }

    Flyway.configure()
        .dataSource(source)
        .locations("filesystem:" + migrations)
        .placeholders(Map.of("prefix", "shop_outbox_"))
        .load()
        .migrate();

    MySqlStore.builder(source).tablePrefix("shop_outbox_").build().close();
  }

  @Test
  void withoutTheMigrationTheStoreSaysWhatIsMissing() {
    assertThatThrownBy(() -> MySqlStore.builder(source).build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("apply the schema first");
  }

  private void migrate(Path migrations) {
    int executed =
        Flyway.configure()
            .dataSource(source)
            .locations("filesystem:" + migrations)
            .load()
            .migrate()
            .migrationsExecuted;
    assertThat(executed).isEqualTo(2);
  }
}
