package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.OutcomeDetails;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The same request twice is one email: while it waits, after it was sent, and under races. */
abstract class IdempotencyContract extends StoreContract {

  @Test
  void aReplayGivesTheFirstEmailAndStoresNothing() {
    EmailId first = stored(email().key("order-42"));
    NewEmail replay = email().key("order-42").build();

    assertThat(store.insert(List.of(replay)))
        .containsExactly(new InsertResult(first, InsertResult.Status.EXISTING));

    assertThat(store.find(replay.id())).as("the replay's own id").isEmpty();
    assertOnly(first);
  }

  @Test
  void otherContentUnderAKnownKeyIsAConflictAndStoresNothing() {
    EmailId first = stored(email().key("order-42", "one content"));
    NewEmail other = email().key("order-42", "other content").build();

    assertThat(store.insert(List.of(other)))
        .containsExactly(new InsertResult(first, InsertResult.Status.CONFLICT));

    assertThat(store.find(other.id())).as("the conflicting email's own id").isEmpty();
    assertOnly(first);
    assertThat(insert(email().key("order-42", "one content")))
        .as("the first content once more, after a conflict")
        .isEqualTo(new InsertResult(first, InsertResult.Status.EXISTING));
  }

  @Test
  void emailsWithoutAKeyAreNeverTheSame() {
    storedPlain(2);

    assertThat(everything()).hasSize(2);
  }

  @Test
  void aKeyTwiceInOneListIsTakenOneAfterTheOther() {
    NewEmail first = email().key("order-42").build();
    NewEmail replay = email().key("order-42").build();
    NewEmail conflict = email().key("order-42", "other content").build();
    NewEmail bystander = email().build();

    assertThat(store.insert(List.of(first, replay, conflict, bystander)))
        .containsExactly(
            new InsertResult(first.id(), InsertResult.Status.CREATED),
            new InsertResult(first.id(), InsertResult.Status.EXISTING),
            new InsertResult(first.id(), InsertResult.Status.CONFLICT),
            new InsertResult(bystander.id(), InsertResult.Status.CREATED));
    assertOnly(first.id(), bystander.id());
  }

  @Test
  void aKeyIsKnownAfterItsEmailWasArchived() {
    EmailId first = stored(email().key("order-42"));
    TestNode worker = worker("one");
    worker.applied(Completion.sent(worker.onTheWire(), OutcomeDetails.NONE, false));

    assertThat(insert(email().key("order-42")))
        .as("a replay after the email was sent and archived")
        .isEqualTo(new InsertResult(first, InsertResult.Status.EXISTING));
    assertThat(insert(email().key("order-42", "other content")))
        .as("other content after the email was sent and archived")
        .isEqualTo(new InsertResult(first, InsertResult.Status.CONFLICT));
    assertOnly(first);
  }

  @Test
  void aKeyIsKnownAfterItsEmailFailed() {
    EmailId first = stored(email().key("order-42"));
    TestNode worker = worker("one");
    worker.applied(
        Completion.failed(worker.onTheWire(), FailureCode.REFUSED, OutcomeDetails.NONE, null));

    assertThat(insert(email().key("order-42")))
        .isEqualTo(new InsertResult(first, InsertResult.Status.EXISTING));
  }

  @Test
  void aKeyIsFreeAgainWhenItsEmailWasPruned() {
    EmailId sent = stored(email().key("sent"));
    TestNode worker = worker("one");
    worker.applied(Completion.sent(worker.onTheWire(), OutcomeDetails.NONE, false));
    EmailId failed = stored(email().key("failed"));
    worker.applied(
        Completion.failed(worker.onTheWire(), FailureCode.REFUSED, OutcomeDetails.NONE, null));
    advance(Duration.ofDays(31));

    assertThat(store.prune(RetentionSettings.DEFAULT, ALL)).isEqualTo(2);

    EmailId sentAgain = stored(email().key("sent", "other content"));
    EmailId failedAgain = stored(email().key("failed"));
    assertOnly(sentAgain, failedAgain);
    assertThat(sentAgain).isNotEqualTo(sent);
    assertThat(failedAgain).isNotEqualTo(failed);
    assertThat(insert(email().key("failed")))
        .as("a replay of the second email under the key")
        .isEqualTo(new InsertResult(failedAgain, InsertResult.Status.EXISTING));
  }

  @Test
  void tenCallersWithOneKeyMakeOneEmail() {
    Race.repeatedly(
        () -> {
          String key = newKey();

          List<InsertResult> answers =
              Race.among(10, index -> insertInto(index % 2 == 0 ? store : fixture.another(), key));

          assertThat(answers)
              .as("answers to ten callers with one key")
              .filteredOn(answer -> answer.status() == InsertResult.Status.CREATED)
              .hasSize(1);
          assertThat(answers)
              .filteredOn(answer -> answer.status() == InsertResult.Status.EXISTING)
              .hasSize(9);
          assertThat(answers)
              .extracting(InsertResult::id)
              .as("whose email it is")
              .containsOnly(answers.get(0).id());
          assertThat(tagged(key)).as("emails under one key").hasSize(1);
        });
  }

  @Test
  void listsThatCrossEachOtherMakeOneEmailForEachKey() {
    Race.repeatedly(
        () -> {
          List<String> keys = Stream.generate(IdempotencyContract::newKey).limit(20).toList();
          List<String> backwards = new ArrayList<>(keys);
          Collections.reverse(backwards);

          List<List<InsertResult>> answers =
              Race.among(
                  4,
                  index ->
                      (index < 2 ? store : fixture.another())
                          .insert(all(index % 2 == 0 ? keys : backwards)));

          assertThat(answers.stream().flatMap(List::stream))
              .as("answers to lists of the same 20 keys, forwards and backwards")
              .filteredOn(answer -> answer.status() == InsertResult.Status.CREATED)
              .hasSize(20);
          assertThat(newest(20).stream().flatMap(email -> email.tags().stream()))
              .as("keys of the newest 20 emails")
              .containsExactlyInAnyOrderElementsOf(keys);
        });
  }

  @Test
  void aCallerThatRacesWithTheArchiverMakesNoSecondEmail() {
    TestNode worker = worker("one");
    Race.repeatedly(
        () -> {
          List<String> keys = Stream.generate(IdempotencyContract::newKey).limit(10).toList();
          List<NewEmail> firsts = all(keys);
          store.insert(firsts);
          List<Completion> sent =
              worker.allOnTheWire().stream()
                  .map(claim -> Completion.sent(claim, OutcomeDetails.NONE, false))
                  .toList();

          var race =
              Race.between(
                  () -> sent.stream().map(worker::complete).toList(),
                  () -> keys.stream().map(key -> insertInto(fixture.another(), key)).toList());

          assertThat(race.first()).as("completions").containsOnly(CompletionResult.APPLIED);
          assertThat(race.second())
              .as("answers to replays while their emails were archived")
              .isEqualTo(
                  firsts.stream()
                      .map(first -> new InsertResult(first.id(), InsertResult.Status.EXISTING))
                      .toList());
          assertThat(newest(10)).allMatch(EmailSummary::archived, "is in the log");
          assertThat(store.stats()).as("emails that wait").isEmpty();
        });
  }

  private static String newKey() {
    return EmailId.next().toString();
  }

  private static NewEmail keyed(String key) {
    return email().key(key).tags(key).build();
  }

  private static List<NewEmail> all(List<String> keys) {
    return keys.stream().map(IdempotencyContract::keyed).toList();
  }

  private static InsertResult insertInto(OutboxStore store, String key) {
    return store.insert(List.of(keyed(key))).get(0);
  }

  private void assertOnly(EmailId... ids) {
    assertThat(everything())
        .as("all that is stored")
        .extracting(EmailSummary::id)
        .containsExactlyInAnyOrder(ids);
  }
}
