package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmailQueryTest {

  private static final EmailQuery ALL = EmailQuery.all();
  private static final Instant CREATED = SampleSummary.CREATED;
  private static final EmailSummary READY = SampleSummary.in(State.READY, null);

  @Test
  void allFindsEveryEmail() {
    assertThat(Stream.of(READY, SampleSummary.erased(), SampleSummary.failed(FailureCode.REFUSED)))
        .allMatch(ALL::matches);
  }

  @Test
  void anyOfTheStatesIsEnough() {
    assertThat(ALL.states(State.SENT, State.READY).matches(READY)).isTrue();
    assertThat(ALL.states(State.SENT).matches(READY)).isFalse();
  }

  @Test
  void anyOfTheCodesIsEnoughAndNoCodeIsNone() {
    EmailSummary refused = SampleSummary.failed(FailureCode.REFUSED);
    assertThat(ALL.codes(FailureCode.EXPIRED, FailureCode.REFUSED).matches(refused)).isTrue();
    assertThat(ALL.codes(FailureCode.EXPIRED).matches(refused)).isFalse();
    assertThat(ALL.codes(FailureCode.REFUSED).matches(READY)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ada@example.com", "ADA@Example.COM", "Bob <cc@example.com>", "bcc@example.com"})
  void aRecipientIsFoundInToCcAndBccWhateverItsCase(String address) {
    assertThat(ALL.recipient(address).matches(READY)).isTrue();
  }

  @Test
  void emailsOfAnEarlierReleaseCanBeSearchedByAddressesThatNewOnesCannotHave() {
    assertThat(ALL.recipient("other.example!ada%b@example.com").matches(READY)).isFalse();
  }

  @Test
  void neitherTheSenderNorAnybodyElseIsARecipient() {
    assertThat(ALL.recipient("shop@example.com").matches(READY)).isFalse();
    assertThat(ALL.recipient("ad@example.com").matches(READY)).isFalse();
  }

  @Test
  void anErasedEmailHasNoRecipient() {
    assertThat(SampleSummary.erased().erased()).isTrue();
    assertThat(ALL.recipient("ada@example.com").matches(SampleSummary.erased())).isFalse();
  }

  @Test
  void templateAndTagMatchAsAWhole() {
    assertThat(ALL.template("welcome").matches(READY)).isTrue();
    assertThat(ALL.template("wel").matches(READY)).isFalse();
    assertThat(ALL.tag("paid").matches(READY)).isTrue();
    assertThat(ALL.tag("pai").matches(READY)).isFalse();
  }

  @Test
  void theBeginningOfATimeSpanIsInsideAndItsEndIsNot() {
    assertThat(ALL.createdSince(CREATED).matches(READY)).isTrue();
    assertThat(ALL.createdSince(CREATED.plusNanos(1)).matches(READY)).isFalse();
    assertThat(ALL.createdBefore(CREATED).matches(READY)).isFalse();
    assertThat(ALL.createdBefore(CREATED.plusNanos(1)).matches(READY)).isTrue();
  }

  @Test
  void allCriteriaTogetherHaveToMatchAndNoneReplacesAnother() {
    EmailQuery query =
        ALL.states(State.FAILED)
            .codes(FailureCode.REFUSED)
            .recipient("ada@example.com")
            .template("welcome")
            .tag("paid")
            .createdSince(CREATED)
            .createdBefore(CREATED.plusSeconds(1));
    EmailSummary refused = SampleSummary.failed(FailureCode.REFUSED);

    assertThat(query.matches(refused)).isTrue();
    assertThat(
            Stream.of(
                query.states(State.SENT),
                query.codes(FailureCode.EXPIRED),
                query.recipient("x@example.com"),
                query.template("other"),
                query.tag("other"),
                query.createdSince(CREATED.plusSeconds(1)),
                query.createdBefore(CREATED)))
        .noneMatch(other -> other.matches(refused));
  }

  @Test
  void whatIsNoAddressIsRefused() {
    assertThatThrownBy(() -> ALL.recipient("ada"))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("recipient: ");
  }
}
