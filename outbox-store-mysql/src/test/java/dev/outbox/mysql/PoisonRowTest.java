package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailQuery;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completed;
import dev.outbox.store.Completion;
import dev.outbox.store.NewEmail;
import dev.outbox.store.Report;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row that somebody has spoilt is claimed and settled like any other, and stops nobody. */
class PoisonRowTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sender = 'nobody at all'",
        "sender = NULL",
        "recipients = 'to whom it may concern'",
        "recipients = ''",
        "callback_url = 'http://[broken'",
        "results = 'ACCEPTED'",
        "results = 'SOMETHING a@b.example x'",
        "priority = 77",
        "key_hash = X'00', fingerprint = X'00'",
        "payload = NULL",
        "code = 'NEWER_THAN_US', completed_to = 'NEWER-THAN-US'",
        "template = NULL, subject = NULL, tags = ''"
      })
  void itStopsNobody(String spoilt) {
    try (MySqlStore store = MySqlStore.inMemory("poison")) {
      NewEmail bad = Emails.plain();
      store.insert(List.of(Emails.plain(), bad, Emails.plain()));
      Jdbi.create(H2Settings.in("jdbc:h2:mem:poison"), "sa", "")
          .useHandle(
              handle ->
                  handle.execute(
                      "UPDATE outbox_emails SET " + spoilt + " WHERE id = ?", Ids.bytes(bad.id())));

      assertThat(store.query(EmailQuery.all(), null, 10).emails()).hasSize(3);
      assertThat(store.find(bad.id())).isPresent();
      List<Claim> claims = Emails.claim(store, State.ACCEPTED);
      assertThat(claims).hasSize(3);
      assertThat(
              store.complete(
                  claims.stream()
                      .map(claim -> Completion.invalid(claim, Report.of("spoilt")))
                      .toList()))
          .containsOnly(Completed.APPLIED);
      Jdbi.create(H2Settings.in("jdbc:h2:mem:poison"), "sa", "")
          .useHandle(handle -> handle.execute("DROP ALL OBJECTS"));
    }
  }
}
