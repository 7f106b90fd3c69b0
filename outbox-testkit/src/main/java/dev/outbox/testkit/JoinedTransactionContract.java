package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.testkit.StoreFixture.JoinedTransaction;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Emails that are stored together with the host's own data, or not at all. */
abstract class JoinedTransactionContract extends StoreContract {

  @Test
  void nothingIsVisibleBeforeTheHostCommits() {
    JoinedTransaction transaction = fixture.begin();
    NewEmail plain = email().build();
    NewEmail keyed = email().key("order-42").build();

    assertThat(transaction.writer().insert(List.of(plain, keyed)))
        .extracting(InsertResult::status)
        .containsOnly(InsertResult.Status.CREATED);

    assertThat(store.find(plain.id())).as("found before the commit").isEmpty();
    assertThat(store.find(keyed.id())).as("found before the commit").isEmpty();
    assertThat(everything()).as("listed before the commit").isEmpty();
    assertThat(store.stats()).as("counted before the commit").isEmpty();
    assertThat(worker("one").claim(State.ACCEPTED)).as("claimed before the commit").isEmpty();
    transaction.rollback();
  }

  @Test
  void aCommitMakesEverythingVisible() {
    JoinedTransaction transaction = fixture.begin();
    NewEmail plain = email().callback().tags("joined").build();
    NewEmail keyed = email().key("order-42").build();
    transaction.writer().insert(List.of(plain));
    transaction.writer().insert(List.of(keyed));

    transaction.commit();

    assertThat(everything())
        .extracting(EmailSummary::id)
        .containsExactlyInAnyOrder(plain.id(), keyed.id());
    assertThat(summary(plain.id()).addressesAndSubject()).isEqualTo(plain.addressesAndSubject());
    assertThat(summary(plain.id()).tags()).containsExactly("joined");
    assertThat(worker("one").claim(State.ACCEPTED)).as("emails that can be claimed").hasSize(2);
    assertThat(insert(email().key("order-42")))
        .isEqualTo(new InsertResult(keyed.id(), InsertResult.Status.EXISTING));
  }

  @Test
  void aRollbackLeavesNothingNotEvenAKey() {
    JoinedTransaction transaction = fixture.begin();
    NewEmail plain = email().build();
    NewEmail keyed = email().key("order-42").build();
    transaction.writer().insert(List.of(plain, keyed));

    transaction.rollback();

    assertThat(everything()).as("stored after a rollback").isEmpty();
    assertThat(worker("one").claim(State.ACCEPTED)).as("claimed after a rollback").isEmpty();
    EmailId second = stored(email().key("order-42", "other content"));
    assertThat(summary(second).state()).isEqualTo(State.ACCEPTED);
  }

  @Test
  void aKnownKeyIsKnownInATransactionToo() {
    EmailId first = stored(email().key("order-42"));
    JoinedTransaction transaction = fixture.begin();
    NewEmail other = email().build();

    assertThat(
            transaction
                .writer()
                .insert(
                    List.of(
                        email().key("order-42").build(),
                        other,
                        email().key("order-42", "other content").build())))
        .containsExactly(
            new InsertResult(first, InsertResult.Status.EXISTING),
            new InsertResult(other.id(), InsertResult.Status.CREATED),
            new InsertResult(first, InsertResult.Status.CONFLICT));
    transaction.commit();

    assertThat(everything()).hasSize(2);
  }

  @Test
  void aKeyIsKnownWithinItsOwnTransaction() {
    JoinedTransaction transaction = fixture.begin();
    NewEmail first = email().key("order-42").build();
    transaction.writer().insert(List.of(first));

    assertThat(transaction.writer().insert(List.of(email().key("order-42").build())))
        .as("a replay in the same transaction")
        .containsExactly(new InsertResult(first.id(), InsertResult.Status.EXISTING));
    transaction.commit();

    assertThat(everything()).extracting(EmailSummary::id).containsExactly(first.id());
  }

  @Test
  void actionsRunOnceAndOnlyAfterTheCommit() {
    AtomicInteger runs = new AtomicInteger();
    JoinedTransaction transaction = fixture.begin();
    NewEmail email = email().build();
    transaction.writer().insert(List.of(email));
    transaction
        .writer()
        .afterCommit(() -> runs.addAndGet(store.find(email.id()).isPresent() ? 1 : 100));
    transaction.writer().afterCommit(() -> runs.addAndGet(10));

    assertThat(runs).as("runs before the commit").hasValue(0);
    transaction.commit();

    assertThat(runs)
        .as("runs after the commit: 1 for the first, which finds its email, and 10 for the second")
        .hasValue(11);
  }

  @Test
  void actionsNeverRunAfterARollback() {
    AtomicInteger runs = new AtomicInteger();
    JoinedTransaction rolledBack = fixture.begin();
    rolledBack.writer().insert(List.of(email().build()));
    rolledBack.writer().afterCommit(runs::incrementAndGet);

    rolledBack.rollback();
    JoinedTransaction next = fixture.begin();
    next.writer().insert(List.of(email().build()));
    next.commit();

    assertThat(runs).as("runs of an action whose transaction was rolled back").hasValue(0);
  }

  @Test
  void actionsRunAtOnceWithoutATransaction() {
    AtomicInteger runs = new AtomicInteger();

    store.afterCommit(runs::incrementAndGet);

    assertThat(runs).hasValue(1);
  }

  @Test
  void twoTransactionsDoNotMixUpWhatTheyStore() {
    JoinedTransaction kept = fixture.begin();
    JoinedTransaction dropped = fixture.begin();
    NewEmail stays = email().build();
    kept.writer().insert(List.of(stays));
    dropped.writer().insert(List.of(email().build()));

    dropped.rollback();
    kept.commit();

    assertThat(everything()).extracting(EmailSummary::id).containsExactly(stays.id());
  }

  @Test
  void aKeyThatIsTakenDuringATransactionMakesOneEmail() {
    JoinedTransaction transaction = fixture.begin();
    NewEmail joined = email().key("order-42").tags("order-42").build();
    transaction.writer().insert(List.of(joined));

    // A store may let the other caller wait for the transaction, or let the commit fail.
    var race = Race.overtaking(() -> insertElsewhere("order-42"), () -> committed(transaction));

    assertOneEmail("order-42", joined, race.second(), race.first());
  }

  @Test
  void aKeyThatRacesWithACommitMakesOneEmail() {
    Race.repeatedly(
        () -> {
          String key = EmailId.next().toString();
          JoinedTransaction transaction = fixture.begin();
          NewEmail joined = email().key(key).tags(key).build();
          transaction.writer().insert(List.of(joined));

          var race = Race.between(() -> insertElsewhere(key), () -> committed(transaction));

          assertOneEmail(key, joined, race.second(), race.first());
        });
  }

  @Test
  void aKeyThatRacesWithARollbackMakesOneEmail() {
    Race.repeatedly(
        () -> {
          String key = EmailId.next().toString();
          JoinedTransaction transaction = fixture.begin();
          NewEmail joined = email().key(key).tags(key).build();
          transaction.writer().insert(List.of(joined));

          var race = Race.between(() -> insertElsewhere(key), () -> rolledBack(transaction));

          assertOneEmail(key, joined, !race.second(), race.first());
        });
  }

  private void assertOneEmail(String key, NewEmail joined, boolean committed, InsertResult other) {
    assertThat(other.status())
        .as("the other caller's answer, the transaction being committed: %s", committed)
        .isEqualTo(committed ? InsertResult.Status.EXISTING : InsertResult.Status.CREATED);
    if (committed) {
      assertThat(other.id()).isEqualTo(joined.id());
    }
    assertThat(tagged(key))
        .as("emails under one key")
        .extracting(EmailSummary::id)
        .containsExactly(other.id());
  }

  private InsertResult insertElsewhere(String key) {
    return fixture.another().insert(List.of(email().key(key).tags(key).build())).get(0);
  }

  private static boolean committed(JoinedTransaction transaction) {
    try {
      transaction.commit();
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  private static boolean rolledBack(JoinedTransaction transaction) {
    transaction.rollback();
    return true;
  }
}
