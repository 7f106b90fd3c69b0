package dev.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.Priority;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.Recipients;
import dev.outbox.email.SampleSummary;
import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoreRequestsTest {

  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration BELOW_ZERO = Duration.ofNanos(-1);

  @ParameterizedTest
  @EnumSource
  void aClaimIsAskedFromWhereThereIsSomethingToClaim(State from) {
    if (EnumSet.of(
            State.INTAKING,
            State.PROCESSING,
            State.SENT_ACKNOWLEDGED,
            State.FAILED_ACKNOWLEDGED,
            State.INVALID_ACKNOWLEDGED)
        .contains(from)) {
      refuses("from: ", () -> claim(from, Map.of(PriorityLane.HIGH, 1), 1));
    } else {
      assertThat(claim(from, Map.of(PriorityLane.HIGH, 1), 1).busy())
          .isEqualTo(from.claimedAs().orElseThrow());
    }
  }

  @Test
  void theLimitOfAClaimIsTheSumOfItsShares() {
    assertThat(
            claim(
                    State.READY,
                    Map.of(PriorityLane.HIGH, 5, PriorityLane.BULK, 2, PriorityLane.SUSPECT, 0),
                    1)
                .limit())
        .isEqualTo(7);
  }

  @Test
  void aClaimThatCanGetNothingIsRefused() {
    refuses("shares: ", () -> claim(State.READY, Map.of(), 1));
    refuses(
        "shares: ",
        () -> claim(State.READY, Map.of(PriorityLane.HIGH, 0, PriorityLane.BULK, 0), 1));
    refuses(
        "shares: ",
        () -> claim(State.READY, Map.of(PriorityLane.HIGH, 5, PriorityLane.BULK, -1), 1));
    refuses("maxBytes: ", () -> claim(State.READY, Map.of(PriorityLane.HIGH, 1), 0));
  }

  @Test
  void sharesThatCannotBeCountedAreRefused() {
    int most = Integer.MAX_VALUE;
    refuses(
        "shares: ",
        () -> claim(State.READY, Map.of(PriorityLane.HIGH, most, PriorityLane.BULK, most), 1));
    assertThat(claim(State.READY, Map.of(PriorityLane.HIGH, most), 1).limit()).isEqualTo(most);
  }

  @Test
  void aRetentionBelowZeroIsRefusedByName() {
    refuses("log: ", () -> new RetentionSettings(BELOW_ZERO, DAY, DAY, DAY));
    refuses("failed: ", () -> new RetentionSettings(DAY, BELOW_ZERO, DAY, DAY));
    refuses("invalid: ", () -> new RetentionSettings(DAY, DAY, BELOW_ZERO, DAY));
    refuses("sentContent: ", () -> new RetentionSettings(DAY, DAY, DAY, BELOW_ZERO));
    assertThat(RetentionSettings.DEFAULT)
        .isEqualTo(
            new RetentionSettings(
                Duration.ofDays(30), Duration.ofDays(30), Duration.ofDays(30), Duration.ZERO));
  }

  @Test
  void eachPartOfAReportIsAddedToTheOthers() {
    List<RecipientResult> results =
        List.of(new RecipientResult("a@b.c", RecipientResult.Status.REFUSED, "550"));

    assertThat(OutcomeDetails.of("why").response("550 no").subject("Hello").recipients(results))
        .isEqualTo(new OutcomeDetails("why", "550 no", "Hello", results));
    assertThat(
            OutcomeDetails.NONE
                .recipients(results)
                .subject("Hello")
                .response("550 no")
                .reason("why"))
        .isEqualTo(new OutcomeDetails("why", "550 no", "Hello", results));
    assertThat(OutcomeDetails.NONE).isEqualTo(new OutcomeDetails(null, null, null, List.of()));
  }

  @Test
  void aNewEmailLivesForAPositiveTime() {
    refuses("lifetime: ", () -> newEmail(Duration.ZERO));
    refuses("lifetime: ", () -> newEmail(BELOW_ZERO));
    assertThat(newEmail(DAY).lifetime()).isEqualTo(DAY);
  }

  @Test
  void thePriorityDecidesWhereAnEmailStarts() {
    assertThat(PriorityLane.of(Priority.HIGH)).isEqualTo(PriorityLane.HIGH);
    assertThat(PriorityLane.of(Priority.NORMAL)).isEqualTo(PriorityLane.NORMAL);
    assertThat(PriorityLane.of(Priority.BULK)).isEqualTo(PriorityLane.BULK);
  }

  @Test
  void contentIsAsLongAsPayloadAndMessageTogether() {
    assertThat(new StoredContent(Bytes.utf8("abc"), null).length()).isEqualTo(3);
    assertThat(new StoredContent(Bytes.utf8("abc"), Bytes.utf8("de")).length()).isEqualTo(5);
  }

  @Test
  void aCountIsABoundFromTenThousandOn() {
    assertThat(new StateCount(9_999, DAY, DAY).isBound()).isFalse();
    assertThat(new StateCount(10_000, DAY, DAY).isBound()).isTrue();
  }

  private static ClaimRequest claim(State from, Map<PriorityLane, Integer> shares, long maxBytes) {
    return new ClaimRequest(SampleSummary.NODE, from, shares, maxBytes);
  }

  private static NewEmail newEmail(Duration lifetime) {
    Address ada = Address.parse("ada@example.com");
    return new NewEmail(
        EmailId.next(),
        new AddressesAndSubject(ada, Recipients.of(ada), null),
        Priority.NORMAL,
        null,
        Set.of(),
        null,
        null,
        null,
        null,
        lifetime,
        Bytes.empty());
  }

  private static void refuses(String field, Runnable made) {
    assertThatIllegalArgumentException().isThrownBy(made::run).withMessageStartingWith(field);
  }
}
