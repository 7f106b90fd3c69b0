package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Address;
import dev.outbox.email.Bytes;
import dev.outbox.email.Counters;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.Priority;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.email.Timeline;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoredContent;
import dev.outbox.store.StoredEmail;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Storing new emails, and storing them again when the first answer was lost. */
abstract class InsertContract extends StoreContract {

  @Test
  void everyPartOfANewEmailIsReadBack() {
    NewEmail written =
        email()
            .to(
                "Ada Lovelace <ada@example.com>",
                "\"B\\\"abbage, C.\" <charles@b\u00fccher.example>")
            .cc("grace@example.com")
            .bcc("Zo\u00eb \ud83d\ude80 <zo\u00eb@example.com>", "alan@example.com")
            .subject("R\u00e9sum\u00e9 \u4f60\u597d \ud83c\udf89 \"quoted\", 'single' \\ and %")
            .priority(Priority.BULK)
            .template("orders/confirmed")
            .tags("orders", "Orders", "\u00e9t\u00e9")
            .requestId("request \ud83d\udce6 1")
            .callback()
            .lifetime(Duration.ofHours(6))
            .payload(Bytes.copyOf(new byte[] {0, 1, 10, 13, 39, 92, 127, -128, -1}))
            .build();

    store.insert(List.of(written));

    assertReadBack(written);
  }

  @Test
  void anEmailWithoutOptionalPartsIsReadBackWithoutThem() {
    NewEmail written = email().subject(null).template(null).build();

    store.insert(List.of(written));

    assertReadBack(written);
  }

  @Test
  void theLargestPartsThatAnEmailMayHaveAreReadBack() {
    NewEmail written =
        email()
            .recipients(new Recipients(longAddresses("t"), longAddresses("c"), longAddresses("b")))
            .subject("\ud83d\ude80".repeat(250))
            .template("t".repeat(200))
            .tags(
                IntStream.range(10, 26)
                    .mapToObj(i -> i + "\u00e9".repeat(62))
                    .toArray(String[]::new))
            .requestId("\u4f60".repeat(255))
            .callback(URI.create("https://shop.example.com/" + "x".repeat(975)))
            .lifetime(Duration.ofDays(30))
            .build();

    store.insert(List.of(written));

    assertReadBack(written);
  }

  @Test
  void anAddressThatOnlyEmailsOfAnEarlierReleaseHaveIsReadFoundAndArchived() {
    Address old = new Address("Ada", "=?q?a|b%c!d", "example.com");
    NewEmail written = email().from(old).recipients(Recipients.of(old)).build();

    store.insert(List.of(written));

    assertReadBack(written);
    assertThat(store.query(EmailQuery.all().recipient(old.email()), null, 10).emails())
        .extracting(EmailSummary::id)
        .containsExactly(written.id());
    TestNode worker = worker("one");
    worker.applied(Completion.sent(worker.onTheWire(), OutcomeDetails.NONE, false));
    assertThat(summary(written.id()).archived()).isTrue();
    assertThat(summary(written.id()).addressesAndSubject())
        .isEqualTo(written.addressesAndSubject());
  }

  @Test
  void aLargePayloadIsReadBackByteForByte() {
    byte[] content = new byte[1 << 20];
    new Random(42).nextBytes(content);
    EmailId id = stored(email().payload(Bytes.copyOf(content)));

    assertThat(content(id)).isEqualTo(new StoredContent(Bytes.copyOf(content), null));
  }

  @Test
  void whatIsStoredDoesNotChangeWithTheCallersArray() {
    byte[] content = {1, 2, 3};
    EmailId id = stored(email().payload(Bytes.owned(content)));

    content[0] = 9;

    assertThat(content(id))
        .as("the content, after the caller wrote into the array it had given")
        .isEqualTo(new StoredContent(Bytes.copyOf(new byte[] {1, 2, 3}), null));
  }

  @Test
  void anEmailForLaterIsDueThenAndLivesFromThen() {
    Instant sendAt = Instant.ofEpochMilli(now().plus(HOUR).toEpochMilli());
    EmailId id = stored(email().sendAt(sendAt).lifetime(Duration.ofHours(2)));

    assertThat(summary(id).due()).as("due").isEqualTo(sendAt);
    assertThat(summary(id).deadline())
        .as("deadline, counted from when it is due")
        .isEqualTo(sendAt.plus(Duration.ofHours(2)));
  }

  @Test
  void anEmailForATimeThatIsOverIsDueAtOnce() {
    EmailId id = stored(email().sendAt(now().minus(Duration.ofMinutes(5))));

    assertThat(worker("one").claimOnly(State.ACCEPTED).id()).isEqualTo(id);
  }

  @Test
  void resultsComeInTheOrderOfTheEmailsAndKeepTheirIds() {
    EmailId known = stored(email().key("known"));
    NewEmail first = email().build();
    NewEmail second = email().key("known").build();
    NewEmail third = email().key("new").build();
    NewEmail fourth = email().key("known", "other content").build();
    NewEmail fifth = email().build();

    assertThat(store.insert(List.of(fifth, fourth, third, second, first)))
        .containsExactly(
            new InsertResult(fifth.id(), InsertResult.Status.CREATED),
            new InsertResult(known, InsertResult.Status.CONFLICT),
            new InsertResult(third.id(), InsertResult.Status.CREATED),
            new InsertResult(known, InsertResult.Status.EXISTING),
            new InsertResult(first.id(), InsertResult.Status.CREATED));
    assertThat(everything())
        .as("what is stored")
        .extracting(EmailSummary::id)
        .containsExactlyInAnyOrder(known, first.id(), third.id(), fifth.id());
  }

  @Test
  void anEmptyListStoresNothing() {
    assertThat(store.insert(List.of())).isEmpty();
    assertThat(everything()).isEmpty();
  }

  @Test
  void hundredsOfEmailsAreStoredByOneCall() {
    List<NewEmail> emails =
        IntStream.range(0, 300)
            .mapToObj(i -> i % 2 == 0 ? email().build() : email().key("key " + i).build())
            .toList();

    assertThat(store.insert(emails))
        .isEqualTo(
            emails.stream()
                .map(e -> new InsertResult(e.id(), InsertResult.Status.CREATED))
                .toList());
    assertThat(everything()).hasSize(300);
  }

  @Test
  void aRepeatedInsertIsCreatedAgainAndOneEmail() {
    NewEmail plain = email().build();
    NewEmail keyed = email().key("order-42").build();
    List<InsertResult> first = store.insert(List.of(plain, keyed));
    EmailSummary stored = summary(keyed.id());

    List<InsertResult> second = store.insert(List.of(plain, keyed));

    assertThat(first).extracting(InsertResult::status).containsOnly(InsertResult.Status.CREATED);
    assertThat(second).as("the answer to the same call once more").isEqualTo(first);
    assertThat(everything()).hasSize(2);
    assertThat(summary(keyed.id())).isEqualTo(stored);
  }

  @Test
  void theSameIdTwiceInOneListIsOneEmail() {
    NewEmail email = email().key("order-42").build();

    assertThat(store.insert(List.of(email, email)))
        .extracting(InsertResult::status)
        .containsExactly(InsertResult.Status.CREATED, InsertResult.Status.CREATED);
    assertThat(everything()).hasSize(1);
  }

  @Test
  void aRepeatedInsertDoesNotDisturbAnEmailOnItsWay() {
    NewEmail email = email().key("order-42").build();
    store.insert(List.of(email));
    TestNode worker = worker("one");
    Claim claim = worker.onTheWire();
    StoredEmail before = found(email.id());

    assertThat(store.insert(List.of(email)))
        .containsExactly(new InsertResult(email.id(), InsertResult.Status.CREATED));

    assertThat(found(email.id())).isEqualTo(before);
    worker.applied(Completion.sent(claim, OutcomeDetails.NONE, false));
  }

  @Test
  void anInsertThatRacesWithItsOwnRepetitionMakesOneEmail() {
    Race.repeatedly(
        () -> {
          List<NewEmail> emails =
              List.of(email().build(), email().key(EmailId.next().toString()).build());

          List<List<InsertResult>> answers =
              Race.among(2, index -> (index == 0 ? store : fixture.another()).insert(emails));

          assertThat(answers.stream().flatMap(List::stream))
              .as("answers to one call made twice at once")
              .extracting(InsertResult::status)
              .containsOnly(InsertResult.Status.CREATED);
          assertThat(newest(2))
              .extracting(EmailSummary::id)
              .containsExactly(emails.get(1).id(), emails.get(0).id());
        });
  }

  private void assertReadBack(NewEmail written) {
    EmailSummary read = summary(written.id());
    Instant created = read.timeline().created();
    assertThat(read)
        .isEqualTo(
            new EmailSummary(
                written.id(),
                State.ACCEPTED,
                written.addressesAndSubject(),
                written.priority(),
                written.template(),
                written.tags(),
                written.requestId(),
                written.callbackUrl(),
                Counters.NONE,
                Timeline.startingAt(created),
                created,
                created.plus(written.lifetime()),
                null,
                null,
                null,
                null,
                null,
                List.of(),
                false));
    assertThat(content(written.id())).isEqualTo(new StoredContent(written.payload(), null));
    assertThat(store.history(written.id())).as("history of a new email").isEmpty();
  }

  private static List<Address> longAddresses(String prefix) {
    String domain =
        Stream.generate(() -> "d".repeat(60)).limit(3).reduce("e", (a, b) -> a + "." + b);
    return IntStream.range(100, 133)
        .mapToObj(i -> new Address("\u00e4".repeat(200), prefix + "x".repeat(60) + i, domain))
        .toList();
  }
}
