package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.content.ContentDirectory;
import dev.outbox.content.LargeContent;
import dev.outbox.content.PrivateFiles;
import dev.outbox.store.NewEmail;
import dev.outbox.testsupport.LogLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other users of the machine cannot read the files of an embedded store. */
class EmbeddedFilesTest {

  private static final String OPEN = "is open to other users of this machine (rwxr-xr-x)";

  @TempDir Path folder;

  @Test
  void onlyTheOwnerCanReadWhatAnEmbeddedStoreCreates() throws IOException {
    Path database = folder.resolve("data/mail/outbox");
    NewEmail email = Emails.plain();
    try (MySqlStore store = MySqlStore.embedded(database)) {
      store.insert(List.of(email));
      assertPrivate(folder.resolve("data"));
    }
    try (MySqlStore store = MySqlStore.embedded(database)) {
      assertThat(store.find(email.id())).isPresent();
    }
    assertPrivate(folder.resolve("data"));
    assertThat(folder.resolve("data/mail/outbox.mv.db")).isRegularFile();
  }

  @Test
  void noFileQuotesAStatementThatFailed() throws IOException, SQLException {
    Path database = folder.resolve("outbox");
    try (MySqlStore store = MySqlStore.embedded(database);
        Connection other =
            DriverManager.getConnection(H2Settings.in("jdbc:h2:file:" + database), "sa", "");
        Statement statement = other.createStatement()) {
      assertThat(store.stats()).isEmpty();
      assertThatThrownBy(() -> statement.execute("SELECT 'secret' FROM nowhere"))
          .isInstanceOf(SQLException.class);
    }

    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(folder.resolve("outbox.mv.db"));
    }
  }

  @Test
  void aRewrittenFileStaysPrivate() throws IOException {
    Path database = folder.resolve("data/outbox");
    H2File.restrict(database);
    try (HikariDataSource pool =
            ConnectionPools.open(H2Settings.in("jdbc:h2:file:" + database), "sa", "", 1);
        MySqlStore store = MySqlStore.builder(pool).applySchema().build()) {
      for (int i = 0; i < 50; i++) {
        store.insert(List.of(Samples.email()));
      }
      Path file = folder.resolve("data/outbox.mv.db");
      long before = Files.size(file);

      new H2File(pool, 100_000).shrink();

      assertThat(Files.size(file)).isLessThan(before / 2);
      assertPrivate(folder.resolve("data"));
    }
  }

  @Test
  void aFileOfAnEarlierReleaseBecomesPrivateAndAnOpenDirectoryIsReported() throws IOException {
    Path directory = open("data");
    Path database = directory.resolve("outbox");
    NewEmail email = Emails.plain();
    try (MySqlStore store =
        MySqlStore.builder(H2Settings.in("jdbc:h2:file:" + database), "sa", "")
            .applySchema()
            .build()) {
      store.insert(List.of(email));
    }
    Path file = directory.resolve("outbox.mv.db");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

    try (LogLines log = new LogLines(PrivateFiles.class);
        MySqlStore store = MySqlStore.embedded(database)) {
      assertThat(store.find(email.id())).isPresent();
      assertThat(permissions(file)).isEqualTo("rw-------");
      assertThat(permissions(directory)).isEqualTo("rwxr-xr-x");
      assertThat(log.messages(Level.WARNING)).singleElement().asString().contains(OPEN);
    }
  }

  @Test
  void anOpenContentDirectoryIsReportedOnceAndAPrivateOneIsNot() throws IOException {
    Path directory = open("content");
    try (LogLines log = new LogLines(PrivateFiles.class)) {
      ContentDirectory content = ContentDirectory.at(directory);
      content.save(Emails.plain().id(), LargeContent.Kind.PAYLOAD, Emails.plain().payload());
      ContentDirectory.at(folder.resolve("private"));

      assertThat(log.messages(Level.WARNING)).singleElement().asString().contains(OPEN);
    }
  }

  private Path open(String name) throws IOException {
    Path directory = Files.createDirectory(folder.resolve(name));
    return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void assertPrivate(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      assertThat(all)
          .hasSizeGreaterThan(1)
          .allSatisfy(
              path ->
                  assertThat(permissions(path))
                      .as("%s", path)
                      .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
    }
  }

  private static String permissions(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
