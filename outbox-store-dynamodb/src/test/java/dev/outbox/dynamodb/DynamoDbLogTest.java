package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.store.InsertResult;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class DynamoDbLogTest extends LocalStore {

  private final DynamoDbLog log = store.log();
  private final LocalDate today = LocalDate.now(ZoneOffset.UTC);

  @Test
  void sentEmailsAreLoadedAndOthersAreNot() {
    EmailId sent = stored.sent(Mail.email());
    EmailId failed = stored.failed(Mail.email());

    assertThat(log.load(sent)).map(EmailSummary::state).contains(State.SENT);
    assertThat(log.load(failed)).isEmpty();
  }

  @Test
  void theNewestComeFirstPageByPage() {
    EmailId first = stored.sent(Mail.email());
    stored.failed(Mail.email());
    EmailId second = stored.sent(Mail.email());
    EmailId third = stored.sent(Mail.email());

    EmailPage page = log.list(null, 2);
    assertThat(page.emails()).extracting(EmailSummary::id).containsExactly(third, second);
    assertThat(log.list(page.next(), 2).emails())
        .extracting(EmailSummary::id)
        .containsExactly(first);
  }

  @Test
  void aLimitOutOfBoundsIsRefused() {
    for (int limit : new int[] {-1, 0, 1_001}) {
      assertThatThrownBy(() -> log.list(null, limit))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("limit: want 1 to 1000, is " + limit);
      assertThatThrownBy(() -> log.search(EmailQuery.all(), limit))
          .hasMessageContaining("limit: want 1 to 1000");
    }
    assertThatThrownBy(() -> log.deleteAll(today, 0)).hasMessage("limit: want at least 1, is 0");
  }

  @Test
  void theLogIsSearchedByRecipientStateTimeAndSubject() {
    EmailId id = stored.sent(Mail.email());

    assertFound(EmailQuery.all().recipient("ada.lovelace@example.com"), "", id);
    assertFound(EmailQuery.all().recipient("nobody@example.com"), "");
    assertFound(EmailQuery.all().states(State.SENT), "ENGINE order", id);
    assertFound(EmailQuery.all().states(State.SENT_ACKNOWLEDGED), "");
    assertFound(EmailQuery.all(), "order 43");
    assertFound(EmailQuery.all().createdSince(Instant.now().minusSeconds(3_600)), "", id);
    assertFound(EmailQuery.all().createdBefore(Instant.now().minusSeconds(3_600)), "");
  }

  private void assertFound(EmailQuery query, String subject, EmailId... ids) {
    assertThat(log.search(query, subject, null, 10).emails())
        .as("%s, subject %s", query, subject)
        .extracting(EmailSummary::id)
        .containsExactly(ids);
  }

  @Test
  void theLogIsCountedByDays() {
    stored.sent(Mail.email());
    stored.sent(Mail.email());
    stored.failed(Mail.email());

    assertThat(log.count(today.minusDays(1), today.plusDays(1))).isEqualTo(2);
    assertThat(log.count(today.minusDays(9), today.minusDays(2))).isZero();
  }

  @Test
  void oneEmailIsDeletedWithItsKey() {
    EmailId id = stored.sent(Mail.keyed("order-42"));
    EmailId other = stored.sent(Mail.email());

    assertThat(log.delete(id)).isTrue();
    assertThat(log.delete(id)).as("deleted twice").isFalse();

    assertThat(store.find(id)).isEmpty();
    assertThat(store.find(other)).isPresent();
    assertThat(store.insert(List.of(Mail.keyed("order-42"))))
        .extracting(InsertResult::status)
        .containsExactly(InsertResult.Status.CREATED);
  }

  @Test
  void allOfSomeDaysAreDeletedInBoundedBatches() {
    stored.sent(Mail.email());
    stored.sent(Mail.email());
    EmailId newest = stored.sent(Mail.email());
    EmailId failed = stored.failed(Mail.email());

    assertThat(log.deleteAll(today.minusDays(2), 10)).isZero();
    assertThat(log.deleteAll(today, 2)).isEqualTo(2);
    assertThat(log.load(newest)).as("the newest, while there are older ones").isPresent();
    assertThat(log.deleteAll(today.plusDays(1), 2)).isEqualTo(1);
    assertThat(store.find(failed)).isPresent();
  }
}
