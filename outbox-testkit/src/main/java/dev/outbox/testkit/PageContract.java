package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listing emails page by page: the newest first, none twice, none left out. */
abstract class PageContract extends StoreContract {

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5, 10, 100})
  void pagesHaveNoGapAndNoRepetitionOverWaitingAndArchivedMail(int limit) {
    List<EmailId> newestFirst = mixed(10);

    List<EmailId> listed = new ArrayList<>();
    EmailId after = null;
    int pages = 0;
    do {
      EmailPage page = store.query(EmailQuery.all(), after, limit);
      assertThat(page.emails()).as("emails on a page").hasSizeBetween(1, limit);
      listed.addAll(ids(page));
      after = page.next();
      pages++;
    } while (after != null && pages < 20);

    assertThat(listed).isEqualTo(newestFirst);
    assertThat(pages)
        .as("pages of %d for 10 emails: a full page may be the last", limit)
        .isEqualTo((10 + limit - 1) / limit);
  }

  @Test
  void pagesOfACriterionSkipTheOthers() {
    List<EmailId> all = mixed(9);
    List<EmailId> waiting =
        all.stream().filter(id -> summary(id).state() == State.ACCEPTED).toList();
    EmailQuery query = EmailQuery.all().states(State.ACCEPTED);

    EmailPage first = store.query(query, null, 2);
    EmailPage second = store.query(query, first.next(), 100);

    assertThat(ids(first)).isEqualTo(waiting.subList(0, 2));
    assertThat(ids(second)).isEqualTo(waiting.subList(2, waiting.size()));
    assertThat(second.next()).as("next of the last page").isNull();
  }

  @Test
  void theLastPageHasNoNext() {
    storedPlain(4);

    assertThat(page(null, 4).next()).as("next of a page that holds just all").isNull();
    assertThat(page(null, 5).next()).as("next of a page with room").isNull();
    EmailPage first = page(null, 2);
    assertThat(first.next()).as("next of the first of two pages").isNotNull();
    assertThat(page(first.next(), 2).next()).as("next of the second of two").isNull();
  }

  @Test
  void anEmptyStoreHasOneEmptyPage() {
    assertThat(page(null, 10)).isEqualTo(new EmailPage(List.of(), null));
  }

  @Test
  void aPageMayStartAfterAnEmailThatIsGone() {
    List<EmailId> ids = new ArrayList<>(storedPlain(2));
    EmailId never = EmailId.next();
    ids.addAll(storedPlain(2));

    assertThat(ids(page(never, 10)))
        .as("emails older than an id that is not stored")
        .containsExactly(ids.get(1), ids.get(0));
  }

  @Test
  void anEmailArchivedBetweenTwoPagesIsSeenOnce() {
    List<EmailId> ids = new ArrayList<>(storedPlain(6));
    Collections.reverse(ids);
    TestNode worker = worker("one");
    List<Claim> claims = worker.allOnTheWire();
    EmailPage first = page(null, 3);

    for (Claim claim : claims) {
      worker.applied(Completion.sent(claim, OutcomeDetails.NONE, false));
    }

    List<EmailId> listed = new ArrayList<>(ids(first));
    listed.addAll(ids(page(first.next(), 3)));
    assertThat(listed).isEqualTo(ids);
  }

  @Test
  void anErasedEmailIsListedWithoutItsHeadline() {
    EmailId id = stored(email());
    move(OperatorAction.ERASE, id);

    assertThat(everything()).singleElement().matches(EmailSummary::erased, "is erased");
    assertThat(store.query(EmailQuery.all().recipient(SampleEmail.RECIPIENT), null, 10).emails())
        .as("found by its former recipient")
        .isEmpty();
  }

  /** Stores emails of which every second one is sent and archived; returns the newest first. */
  private List<EmailId> mixed(int count) {
    List<EmailId> newestFirst = new ArrayList<>(storedPlain(count));
    Collections.reverse(newestFirst);
    TestNode worker = worker("one");
    for (Claim claim : worker.claim(State.ACCEPTED)) {
      worker.applied(
          newestFirst.indexOf(claim.id()) % 2 == 0
              ? Completion.sent(worker.proceed(claim), OutcomeDetails.NONE, false)
              : Completion.released(claim, HOUR, OutcomeDetails.NONE));
    }
    return newestFirst;
  }

  private EmailPage page(@Nullable EmailId after, int limit) {
    return store.query(EmailQuery.all(), after, limit);
  }

  private static List<EmailId> ids(EmailPage page) {
    return page.emails().stream().map(EmailSummary::id).toList();
  }
}
