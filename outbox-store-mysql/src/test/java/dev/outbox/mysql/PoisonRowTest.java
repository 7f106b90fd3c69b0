package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.ReapedEmail;
import dev.outbox.testsupport.LogLines;
import dev.outbox.testsupport.MariaDbServer;
import java.util.List;
import java.util.logging.Level;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row that somebody has spoilt is claimed and settled like any other, and stops nobody. */
class PoisonRowTest {

  private static final ReapPolicy POLICY = ReapPolicy.DEFAULT;

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
        "template = NULL, subject = NULL, tags = ''",
        "attempts = -1",
        "generation = 2147483647, attempts = 2147483647, reaps = 2147483647, tries = 2147483647",
        "token = 9223372036854775807",
        "lane = 1, worker = 'somebody else'"
      })
  void itStopsNobody(String spoilt) {
    try (MySqlStore store = MySqlStore.inMemory("poison")) {
      NewEmail bad = Emails.plain();
      store.insert(List.of(Emails.plain(), bad, Emails.plain()));
      Jdbi.create(H2Settings.in("jdbc:h2:mem:poison"), "sa", "")
          .useHandle(
              handle ->
                  handle.execute(
                      "UPDATE outbox_emails SET " + spoilt + " WHERE id = ?",
                      BinaryIds.bytes(bad.id())));

      assertThat(store.query(EmailQuery.all(), null, 10).emails()).hasSize(3);
      assertThat(store.find(bad.id())).isPresent();
      List<Claim> claims = Emails.claim(store, State.ACCEPTED);
      assertThat(claims).hasSize(3);
      List<ReapedEmail> reaped = store.reap(Emails.NODE, 0, POLICY, 10);
      assertThat(reaped)
          .extracting(ReapedEmail::id)
          .containsAll(claims.stream().map(Claim::id).toList());
      assertThat(store.reap(Emails.NODE, 0, POLICY, 10)).isEmpty();
      claims = Emails.claim(store, State.ACCEPTED);
      assertThat(claims).hasSize(3);
      assertThat(
              store.complete(
                  claims.stream()
                      .map(claim -> Completion.invalid(claim, OutcomeDetails.of("spoilt")))
                      .toList()))
          .containsOnly(CompletionResult.APPLIED);
      Jdbi.create(H2Settings.in("jdbc:h2:mem:poison"), "sa", "")
          .useHandle(handle -> handle.execute("DROP ALL OBJECTS"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sender = 'nobody at all'",
        "recipients = 'to whom it may concern'",
        "callback_url = 'http://[broken'",
        "results = 'SOMETHING a@b.example x'",
        "attempts = -1",
        "reaps = 2147483647"
      })
  void itBecomesInvalidAndTheColumnIsNamed(String damage) {
    String column = damage.substring(0, damage.indexOf(' '));
    try (MySqlStore store = MySqlStore.inMemory("named");
        LogLines lines = new LogLines(ClaimOperations.class)) {
      Jdbi direct = Jdbi.create(H2Settings.in("jdbc:h2:mem:named"), "sa", "");
      NewEmail bad = Emails.plain();
      store.insert(List.of(bad));
      direct.useHandle(handle -> handle.execute("UPDATE outbox_emails SET " + damage));

      Claim claim = Emails.claim(store, State.ACCEPTED).get(0);
      assertThat(claim.email().addressesAndSubject()).as("intake refuses it").isNull();
      store.complete(List.of(Completion.invalid(claim, OutcomeDetails.of("cannot be read"))));

      EmailSummary email = store.find(bad.id()).orElseThrow().summary();
      assertThat(email.state()).isEqualTo(State.INVALID);
      assertThat(email.reason()).isEqualTo("its row cannot be read: " + column);
      assertThat(lines.messages(Level.SEVERE))
          .singleElement()
          .asString()
          .contains(bad.id().toString())
          .contains(column);
      if (column.equals("sender") || column.equals("recipients")) {
        assertThat(filled(direct, column, damage)).as("left as it is").isEqualTo(1);
        store.apply(OperatorAction.ERASE, List.of(bad.id()));
        assertThat(filled(direct, column, column + " IS NOT NULL")).as("erased").isZero();
      }
      direct.useHandle(handle -> handle.execute("DROP ALL OBJECTS"));
    }
  }

  private static int filled(Jdbi direct, String column, String condition) {
    return direct.withHandle(
        handle ->
            handle
                .select("SELECT COUNT(" + column + ") FROM outbox_emails WHERE " + condition)
                .mapTo(Integer.class)
                .one());
  }

  @Test
  void aDateThatIsNoneStopsNoOtherEmail() {
    for (String url : List.of(MariaDbServer.shared().url(), MariaDbServer.shared().mySqlUrl())) {
      Jdbi direct = Jdbi.create(url, "root", "");
      try (MySqlStore store =
          MySqlStore.builder(url, "root", "").tablePrefix("poison_").applySchema().build()) {
        direct.useHandle(handle -> handle.execute("DELETE FROM poison_emails"));
        NewEmail bad = Emails.plain();
        store.insert(List.of(Emails.plain(), bad, Emails.plain()));
        direct.useHandle(
            handle -> {
              handle.execute("SET sql_mode = ''");
              handle.execute(
                  "UPDATE poison_emails SET created = '0000-00-00', deadline = '0000-00-00'"
                      + " WHERE id = ?",
                  BinaryIds.bytes(bad.id()));
            });

        assertThat(store.query(EmailQuery.all(), null, 10).emails()).hasSize(3);
        List<Claim> claims = Emails.claim(store, State.ACCEPTED);
        assertThat(claims).hasSize(3);
        assertThat(store.reap(Emails.NODE, 0, POLICY, 10)).hasSize(3);
      }
    }
  }
}
