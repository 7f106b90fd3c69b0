package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoreException;
import dev.outbox.testsupport.MariaDbServer;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases quote values in their errors; the store does not. {@link Overheard} hears the rest. */
class PrivacyTest {

  private static String url(String kind) {
    return kind.equals("h2") ? H2Settings.in("jdbc:h2:mem:privacy") : MariaDbServer.shared().url();
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "mariadb"})
  void whatTheDatabaseQuotesIsNotInOurExceptions(String kind) {
    try (MySqlStore plain =
        MySqlStore.builder(url(kind), kind.equals("h2") ? "sa" : "root", "")
            .tablePrefix("privacy_")
            .applySchema()
            .build()) {
      Jdbi.create(url(kind), kind.equals("h2") ? "sa" : "root", "")
          .useHandle(
              handle ->
                  handle.execute("ALTER TABLE privacy_emails MODIFY COLUMN subject VARCHAR(5)"));
      OutboxStore store = Overheard.store(plain);
      long before = Overheard.exceptions();

      assertThatThrownBy(() -> store.insert(List.of(Emails.plain())))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("could not store emails")
          .hasMessageContaining("SQL state");

      assertThat(Overheard.exceptions()).isGreaterThan(before);
      assertThat(Overheard.leaks()).isEmpty();
    }
  }

  /** Only so is what a test catches, or nobody ever sees, heard as well. */
  @Test
  void whatOurCodeThrowsIsHeardWhoeverCatchesIt() {
    List<String> texts;
    try (ThrownTexts thrown = new ThrownTexts()) {
      assertThatThrownBy(() -> MySqlSchema.withPrefix("a b"));
      texts = thrown.end();
    }

    assertThat(texts)
        .singleElement()
        .asString()
        .startsWith("java.lang.IllegalArgumentException: tablePrefix");
  }

  @Test
  void theEarHears() {
    Overheard.hear(new IllegalStateException("no such user: ada.lovelace@example.com"));

    assertThat(Overheard.leaks()).isNotEmpty();
    Overheard.forget();
  }
}
