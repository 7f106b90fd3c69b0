package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.Priority;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.Sha256;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoredValueLimits;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The longest texts that an email may have fit into its items, all at once. */
class LongestValuesTest extends LocalStore {

  /** Three bytes in UTF-8, the most that one {@code char} takes. */
  private static final String WIDE = "\u6f22";

  private static final Bytes BODY = Bytes.utf8("{}");

  @Test
  void anEmailWithEveryTextAtItsLongestIsRetriedFailedAndSent() {
    NewEmail email = email(mostRecipients(), BODY);
    OutcomeDetails report = report(mostRecipients());
    store.insert(List.of(email));

    Claim first = stored.onTheWire();
    assertThat(first.email().addressesAndSubject()).isEqualTo(email.addressesAndSubject());
    assertThat(store.complete(List.of(Completion.retry(first, Duration.ZERO, report, BODY))))
        .containsExactly(CompletionResult.APPLIED);
    assertStored(email.id(), State.READY, report);

    assertThat(
            store.complete(
                List.of(
                    Completion.failedAfterAttempt(ready(), FailureCode.ATTEMPTS, report, null))))
        .containsExactly(CompletionResult.APPLIED);
    assertStored(email.id(), State.FAILED, report);

    assertThat(store.apply(OperatorAction.REQUEUE, List.of(email.id())).get(0).status())
        .isEqualTo(ActionResult.Status.DONE);
    assertThat(store.complete(List.of(Completion.sent(ready(), report, false))))
        .containsExactly(CompletionResult.APPLIED);
    EmailSummary sent = store.find(email.id()).orElseThrow().summary();
    assertThat(sent.state()).isEqualTo(State.SENT);
    assertThat(sent.recipients()).isEqualTo(report.recipients());
  }

  @Test
  void whatIsInsertedCanAlwaysBeReaped() {
    store.heartbeat(stored.node());
    NewEmail email = email(mostRecipients(), BODY);
    store.insert(List.of(email));
    Claim claim = stored.onTheWire();
    assertThat(
            store.complete(
                List.of(
                    Completion.retry(
                        claim,
                        Duration.ZERO,
                        report(email.addressesAndSubject().recipients().to().size()),
                        BODY))))
        .containsExactly(CompletionResult.APPLIED);
    ready();

    assertThat(store.reap(stored.node(), 1, ReapPolicy.DEFAULT, 10))
        .extracting(reaped -> reaped.id())
        .containsExactly(email.id());
  }

  /** Returns how many of the longest recipients {@link StoredValueLimits} allows. */
  private static int mostRecipients() {
    int most = 100;
    while (isAllowed(most + 1)) {
      most++;
    }
    assertThat(most).as("not limited by their number").isBetween(101, 1_000);
    return most;
  }

  private static boolean isAllowed(int recipients) {
    try {
      return recipients <= 1_000 && email(recipients, BODY).id() != null;
    } catch (InvalidEmailException e) {
      return false;
    }
  }

  @Test
  void contentThatDoesNotFitIsRefusedByFieldAndIdAndNothingOfTheListIsStored() {
    NewEmail large = email(1, Bytes.owned(new byte[ContentStorage.ITEM_BYTES + 1]));
    List<NewEmail> emails = new ArrayList<>();
    IntStream.range(0, 80).forEach(i -> emails.add(Mail.email()));
    emails.add(large);

    assertThatThrownBy(() -> store.insert(emails))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("content: ")
        .hasMessageContaining(large.id().toString());

    assertThat(tables.emails())
        .noneMatch(item -> AttributeValues.needed(item, "Status").equals("_META"));
  }

  @Test
  void aJoinedEmailThatDoesNotFitAddsNothing() {
    List<TransactWriteItem> writes = new ArrayList<>();
    DynamoDbTransaction transaction = store.transaction(writes);

    assertThatThrownBy(() -> transaction.insert(List.of(Mail.email(), email(600, BODY))))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("recipients: ");

    assertThat(writes).isEmpty();
  }

  /** Without a content directory a message has to fit into one transaction of 4 MB. */
  @Test
  void aMessageThatNoTransactionHoldsIsRejectedDataAndTheOthersAreRecorded() {
    EmailId large = stored.waiting(Mail.email());
    EmailId small = stored.waiting(Mail.email());
    List<Claim> claims =
        store.beginDelivery(store.claim(Mail.claim(stored.node(), State.ACCEPTED, 2)));
    Bytes message = Bytes.owned(new byte[6_000_000]);

    assertThatThrownBy(
            () ->
                store.complete(
                    claims.stream()
                        .map(
                            claim ->
                                Completion.retry(
                                    claim,
                                    Duration.ZERO,
                                    OutcomeDetails.of("later"),
                                    claim.id().equals(large) ? message : BODY))
                        .toList()))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.REJECTED_DATA));

    assertThat(store.find(small).orElseThrow().summary().state()).isEqualTo(State.READY);
    assertThat(store.find(large).orElseThrow().summary().state()).isEqualTo(State.PROCESSING);
  }

  private Claim ready() {
    return store.claim(Mail.claim(stored.node(), State.READY, 1)).get(0);
  }

  private void assertStored(EmailId id, State state, OutcomeDetails report) {
    EmailSummary found = store.find(id).orElseThrow().summary();
    assertThat(found.state()).isEqualTo(state);
    assertThat(found.reason()).isEqualTo(report.reason());
    assertThat(found.response()).isEqualTo(report.response());
    assertThat(found.recipients()).isEqualTo(report.recipients());
  }

  private static OutcomeDetails report(int recipients) {
    return OutcomeDetails.of(WIDE.repeat(StoredValueLimits.REASON))
        .response(WIDE.repeat(StoredValueLimits.RESPONSE))
        .recipients(
            IntStream.range(0, recipients)
                .mapToObj(
                    i ->
                        new RecipientResult(
                            address(i).email(),
                            RecipientResult.Status.REFUSED,
                            WIDE.repeat(StoredValueLimits.RECIPIENT_RESPONSE)))
                .toList());
  }

  private static NewEmail email(int recipients, Bytes payload) {
    return new NewEmail(
        EmailId.next(),
        new AddressesAndSubject(
            address(0),
            new Recipients(
                IntStream.range(0, recipients).mapToObj(LongestValuesTest::address).toList(),
                List.of(),
                List.of()),
            WIDE.repeat(StoredValueLimits.SUBJECT)),
        Priority.NORMAL,
        WIDE.repeat(StoredValueLimits.TEMPLATE),
        tags(),
        WIDE.repeat(StoredValueLimits.REQUEST_ID),
        null,
        new IdempotencyKey(Sha256.of("k" + EmailId.next()), Sha256.of("content")),
        null,
        Duration.ofDays(3),
        payload);
  }

  private static Set<String> tags() {
    return IntStream.range(0, 16)
        .mapToObj(i -> WIDE.repeat(60) + "%04d".formatted(i))
        .collect(Collectors.toSet());
  }

  /** The longest address with the longest name. */
  private static Address address(int number) {
    String domain = "a".repeat(63) + "." + "b".repeat(63) + "." + "c".repeat(61);
    return new Address(WIDE.repeat(200), "x".repeat(60) + "%04d".formatted(number), domain);
  }

  @Test
  void aCallbackUrlAtItsLongestIsKept() {
    String url = "https://example.com/" + "p".repeat(StoredValueLimits.CALLBACK_URL - 20);
    NewEmail plain = Mail.email();
    NewEmail email =
        new NewEmail(
            plain.id(),
            plain.addressesAndSubject(),
            plain.priority(),
            plain.template(),
            plain.tags(),
            plain.requestId(),
            URI.create(url),
            null,
            null,
            plain.lifetime(),
            plain.payload());
    store.insert(List.of(email));

    assertThat(stored.claimed().email().callbackUrl()).hasToString(url);
  }
}
