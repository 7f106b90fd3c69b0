package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.email.Recipients;
import dev.outbox.store.Completion;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoredValueLimits;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The longest value of each text: a store keeps it unchanged. One character more is rejected, or
 * shortened if a relay or a receiver wrote it, before it reaches a store.
 */
abstract class LimitsContract extends StoreContract {

  /** A character of four bytes in UTF-8, which has two {@code char}s in Java. */
  private static final String WIDE = "\ud83c\udf89";

  /** A text of a new email. */
  record Field(
      String name,
      int limit,
      BiFunction<SampleEmail, String, SampleEmail> setter,
      Function<EmailSummary, @Nullable String> getter) {

    NewEmail with(String value) {
      return setter.apply(email(), value).build();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Field> fields() {
    return Stream.of(
        new Field(
            "subject",
            StoredValueLimits.SUBJECT,
            SampleEmail::subject,
            email -> Objects.requireNonNull(email.addressesAndSubject()).subject()),
        new Field(
            "template", StoredValueLimits.TEMPLATE, SampleEmail::template, EmailSummary::template),
        new Field(
            "requestId",
            StoredValueLimits.REQUEST_ID,
            SampleEmail::requestId,
            EmailSummary::requestId),
        new Field(
            "tags",
            StoredValueLimits.TAG,
            (sample, tag) -> sample.tags(tag),
            email -> email.tags().iterator().next()));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void theLongestTextOfANewEmailIsKept(Field field) {
    for (String longest : longest(field.limit())) {
      NewEmail email = field.with(longest);
      store.insert(List.of(email));

      assertThat(field.getter().apply(summary(email.id()))).isEqualTo(longest);
    }
  }

  @ParameterizedTest
  @MethodSource("fields")
  void oneCharacterMoreIsRejectedWithTheNameOfTheField(Field field) {
    for (String longest : longest(field.limit())) {
      assertRejected(field.name(), () -> field.with(longest + "x"));
    }
  }

  @Test
  void theLongestSenderIsKeptAndOneCharacterMoreIsRejected() {
    for (String name : List.of("\"".repeat(100) + "x".repeat(100), "\"".repeat(100) + wide(100))) {
      Address longest = sender(name, 58);
      assertThat(longest.format()).hasSize(StoredValueLimits.SENDER);
      EmailId id = stored(email().from(longest));

      assertThat(headline(id).from()).isEqualTo(longest);
      assertRejected("from", () -> email().from(sender(name, 59)).build());
    }
  }

  @Test
  void theLongestCallbackUrlIsKeptAndOneCharacterMoreIsRejected() {
    String start = "https://shop.example.com/";
    URI longest = URI.create(start + "x".repeat(StoredValueLimits.CALLBACK_URL - start.length()));
    EmailId id = stored(email().callback(longest));

    assertThat(summary(id).callbackUrl()).isEqualTo(longest);
    assertRejected("callbackUrl", () -> email().callback(URI.create(longest + "x")).build());
  }

  @Test
  void asManyTagsAsAllowedAreKeptAndOneMoreIsRejected() {
    String[] most =
        IntStream.range(0, StoredValueLimits.TAGS)
            .mapToObj(i -> WIDE + i + "x".repeat(StoredValueLimits.TAG - WIDE.length() - 2))
            .toArray(String[]::new);
    EmailId id = stored(email().tags(most));

    assertThat(summary(id).tags()).containsExactlyInAnyOrder(most);
    String[] more = Arrays.copyOf(most, most.length + 1);
    more[most.length] = "one more";
    assertRejected("tags", () -> email().tags(more).build());
  }

  @Test
  void theLongestRenderedSubjectIsKeptAndOneCharacterMoreIsRejected() {
    for (String longest : longest(StoredValueLimits.SUBJECT)) {
      EmailId id = stored(email().subject(null));
      TestNode worker = worker("one");

      worker.applied(
          Completion.sent(worker.onTheWire(), OutcomeDetails.NONE.subject(longest), false));

      assertThat(headline(id).subject()).isEqualTo(longest);
      assertRejected("subject", () -> OutcomeDetails.NONE.subject(longest + "x"));
    }
  }

  @Test
  void theLongestTextsOfACompletionAreKept() {
    for (String wide : List.of("x", WIDE)) {
      String reason = filled(wide, StoredValueLimits.REASON);
      String response = filled(wide, StoredValueLimits.RESPONSE);
      String reply = filled(wide, StoredValueLimits.RECIPIENT_RESPONSE);

      EmailId id = failed(reason, response, reply);

      assertTexts(id, reason, response, reply);
    }
  }

  @Test
  void longerTextsOfACompletionAreShortenedAndEndWithAnEllipsis() {
    for (String wide : List.of("x", WIDE)) {
      EmailId id = failed(wide.repeat(5_000), wide.repeat(5_000), wide.repeat(5_000));

      assertTexts(
          id,
          shortened(wide, StoredValueLimits.REASON),
          shortened(wide, StoredValueLimits.RESPONSE),
          shortened(wide, StoredValueLimits.RECIPIENT_RESPONSE));
    }
  }

  @Test
  void anEmailWithTheLongestValueInEveryTextIsKeptToItsEnd() {
    Recipients most = mostRecipients();
    URI url = URI.create("https://shop.example.com/" + "x".repeat(975));
    String[] tags =
        IntStream.range(0, StoredValueLimits.TAGS)
            .mapToObj(i -> i + wide(StoredValueLimits.TAG - 2))
            .toArray(String[]::new);
    EmailId id =
        stored(
            email()
                .from(sender("\"".repeat(100) + wide(100), 58))
                .recipients(most)
                .subject(null)
                .template(filled(WIDE, StoredValueLimits.TEMPLATE))
                .requestId(filled(WIDE, StoredValueLimits.REQUEST_ID))
                .tags(tags)
                .callback(url));
    TestNode worker = worker("one");
    List<RecipientResult> results =
        most.to().stream()
            .map(each -> new RecipientResult(each.email(), Status.REFUSED, "\u4f60".repeat(5_000)))
            .toList();
    OutcomeDetails report =
        OutcomeDetails.of("\u4f60".repeat(5_000))
            .response("\u4f60".repeat(5_000))
            .subject("\u4f60".repeat(StoredValueLimits.SUBJECT))
            .recipients(results);

    worker.applied(
        Completion.failed(worker.onTheWire(), FailureCode.REFUSED, report, TestNode.COMPOSED));

    EmailSummary email = summary(id);
    assertThat(headline(id).recipients()).isEqualTo(most);
    assertThat(email.reason()).isEqualTo(report.reason());
    assertThat(email.response()).isEqualTo(report.response());
    assertThat(email.recipients()).isEqualTo(report.recipients());
    assertThat(headline(id).subject()).isEqualTo(report.subject());
    assertThat(email.tags()).containsExactlyInAnyOrder(tags);
  }

  @Test
  void moreRecipientsThanEveryStoreCanKeepAreRejected() {
    List<Address> more = new ArrayList<>(mostRecipients().to());
    more.add(recipient(more.size()));

    assertRejected(
        "recipients", () -> email().recipients(new Recipients(more, List.of(), List.of())).build());
  }

  /** Returns as many of the longest recipients as every store can keep. */
  private static Recipients mostRecipients() {
    List<Address> most = new ArrayList<>();
    most.add(recipient(0));
    while (StoredValueLimits.bytes(new Recipients(plus(most), List.of(), List.of()))
        <= StoredValueLimits.RECIPIENTS_BYTES) {
      most.add(recipient(most.size()));
    }
    return new Recipients(most, List.of(), List.of());
  }

  private static List<Address> plus(List<Address> addresses) {
    List<Address> more = new ArrayList<>(addresses);
    more.add(recipient(addresses.size()));
    return more;
  }

  private static Address recipient(int number) {
    return new Address(
        "\u4f60".repeat(200),
        "r%05d".formatted(number) + "a".repeat(58),
        "b".repeat(63) + "." + "c".repeat(63) + ".example");
  }

  private static Address sender(String name, int label) {
    return new Address(name, "a".repeat(64), "b".repeat(63) + "." + "c".repeat(label) + ".example");
  }

  /** Stores an email and lets its delivery fail with these texts. */
  private EmailId failed(String reason, String response, String reply) {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    OutcomeDetails report =
        OutcomeDetails.of(reason)
            .response(response)
            .recipients(List.of(new RecipientResult("ada@example.com", Status.REFUSED, reply)));
    worker.applied(
        Completion.failed(worker.onTheWire(), FailureCode.REFUSED, report, TestNode.COMPOSED));
    return id;
  }

  private void assertTexts(EmailId id, String reason, String response, String reply) {
    EmailSummary email = summary(id);
    assertThat(email.reason()).as("reason").isEqualTo(reason);
    assertThat(email.response()).as("response").isEqualTo(response);
    assertThat(email.recipients())
        .as("results")
        .containsExactly(new RecipientResult("ada@example.com", Status.REFUSED, reply));
    assertThat(lastRow(id).reason()).as("reason in the history").isEqualTo(reason);
    assertThat(lastRow(id).detail()).as("detail in the history").isEqualTo(response);
  }

  private static void assertRejected(String field, ThrowingCallable construction) {
    assertThatThrownBy(construction)
        .isInstanceOfSatisfying(
            InvalidEmailException.class, e -> assertThat(e.field()).isEqualTo(field));
  }

  private AddressesAndSubject headline(EmailId id) {
    return Objects.requireNonNull(summary(id).addressesAndSubject());
  }

  /** Returns the longest texts: of one byte a character, and of as many bytes as there can be. */
  private static List<String> longest(int limit) {
    return List.of("x".repeat(limit), "\u4f60".repeat(limit), filled(WIDE, limit));
  }

  private static String wide(int length) {
    return filled(WIDE, length);
  }

  private static String filled(String unit, int length) {
    return unit.repeat(length / unit.length()) + "x".repeat(length % unit.length());
  }

  /** Returns what is left of a long text; a pair of surrogates is kept whole or not at all. */
  private static String shortened(String unit, int limit) {
    return unit.repeat((limit - 1) / unit.length()) + "\u2026";
  }
}
