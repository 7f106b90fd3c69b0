package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Counters;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.Claim;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.ReapPolicy.Decision;
import dev.outbox.store.ReapedEmail;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Taking emails from dead nodes, and only from those. */
abstract class ReapContract extends StoreContract {

  private static final ReapPolicy HOLD = new ReapPolicy(2, 5, UnknownOutcomePolicy.HOLD);

  @Test
  void aNodeThatHasBeatenSinceItWasSeenIsNotReaped() {
    EmailId id = stored(email());
    TestNode worker = worker("alive");
    store.heartbeat(worker.node());
    Claim claim = worker.claimOnly(State.ACCEPTED);
    store.heartbeat(worker.node());

    assertThat(store.reap(worker.node(), 1, ReapPolicy.DEFAULT, ALL))
        .as("emails taken from a node whose counter moved from 1 to 2")
        .isEmpty();
    assertThat(store.reap(worker.node(), 0, ReapPolicy.DEFAULT, ALL)).isEmpty();
    assertThat(store.reap(worker.node(), 3, ReapPolicy.DEFAULT, ALL)).isEmpty();
    assertThat(summary(id)).isEqualTo(claim.email());

    assertThat(store.reap(worker.node(), 2, ReapPolicy.DEFAULT, ALL))
        .as("emails taken from a node whose counter stands")
        .hasSize(1);
  }

  @Test
  void aNodeThatNeverBeatIsReapedByItsZero() {
    EmailId id = stored(email());
    TestNode silent = worker("silent");
    silent.claimOnly(State.ACCEPTED);

    assertThat(store.reap(silent.node(), 1, ReapPolicy.DEFAULT, ALL)).isEmpty();
    assertThat(store.reap(silent.node(), 0, ReapPolicy.DEFAULT, ALL))
        .containsExactly(new ReapedEmail(id, State.INTAKING, State.ACCEPTED, 1, null));
  }

  @ParameterizedTest
  @CsvSource({
    "INTAKING, true",
    "PROCESSING, true",
    "PROCESSING, false",
    "CALLING_SENT_CALLBACK, true",
    "CALLING_FAILED_CALLBACK, true",
    "CALLING_INVALID_CALLBACK, true"
  })
  void everyDeathMovesAnEmailAsThePolicySays(State busy, boolean callback) {
    assertDeathsFollow(
        ReapPolicy.DEFAULT, busy, callback ? email().callback() : email(), /* composed= */ false);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEmailWithComposedBytesGoesBackToBeSentAsItIs(boolean callback) {
    assertDeathsFollow(
        ReapPolicy.DEFAULT,
        State.PROCESSING,
        callback ? email().callback() : email(),
        /* composed= */ true);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEmailOnTheWireIsHeldWhenThePolicyIsToHold(boolean callback) {
    assertDeathsFollow(
        HOLD, State.PROCESSING, callback ? email().callback() : email(), /* composed= */ true);
  }

  @Test
  void anEmailThatWasNotOnTheWireIsNotHeld() {
    assertDeathsFollow(HOLD, State.INTAKING, email(), /* composed= */ false);
  }

  @Test
  void contentSurvivesAReap() {
    EmailId id = stored(email());
    TestNode worker = worker("dead");
    Claim claim = worker.onTheWireComposed();

    worker.die();

    assertThat(content(id)).isEqualTo(claim.content());
    assertThat(worker("new").claimOnly(State.READY).content()).isEqualTo(claim.content());
  }

  @Test
  void aReapTakesNoMoreThanItsLimit() {
    List<EmailId> ids = storedPlain(5);
    TestNode worker = worker("dead");
    worker.claim(State.ACCEPTED);
    List<ReapedEmail> all = new ArrayList<>();

    for (int left : new int[] {3, 1, 0}) {
      List<ReapedEmail> some = store.reap(worker.node(), 0, ReapPolicy.DEFAULT, 2);
      all.addAll(some);
      assertThat(store.claimsOf(worker.node(), ALL)).as("left after reaping two").hasSize(left);
    }

    assertThat(all).extracting(ReapedEmail::id).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(store.reap(worker.node(), 0, ReapPolicy.DEFAULT, 2))
        .as("when there is nothing left")
        .isEmpty();
  }

  @Test
  void whatOthersHoldOrNobodyHoldsIsLeftAlone() {
    storedPlain(2);
    TestNode dead = worker("dead");
    TestNode other = worker("other");
    Claim deadsOwn = dead.claim(State.ACCEPTED, 1).get(0);
    Claim othersOwn = other.claim(State.ACCEPTED, 1).get(0);
    EmailId waiting = stored(email());

    assertThat(dead.die()).extracting(ReapedEmail::id).containsExactly(deadsOwn.id());

    assertThat(summary(othersOwn.id())).isEqualTo(othersOwn.email());
    assertThat(summary(waiting).progress()).isEqualTo(Counters.NONE);
  }

  @Test
  void aReapIsWrittenIntoTheHistoryWithTheDeadNode() {
    EmailId id = stored(email());
    TestNode worker = worker("dead");
    worker.onTheWire();
    advance(HOUR);

    worker.die(HOLD);

    assertThat(store.history(id)).hasSize(1);
    HistoryRecord row = lastRow(id);
    assertThat(row.from()).isEqualTo(State.PROCESSING);
    assertThat(row.to()).isEqualTo(State.FAILED);
    assertThat(row.node()).isEqualTo(worker.node());
    assertThat(row.code()).isEqualTo(FailureCode.OUTCOME_UNKNOWN);
    assertThat(between(row.preparing(), row.at())).as("from preparing").isCloseTo(HOUR, SLACK);
    assertThat(between(row.sending(), row.at())).as("from sending").isCloseTo(HOUR, SLACK);
  }

  @Test
  void twoReapersTakeEachEmailOnce() {
    List<EmailId> ids = storedPlain(40);
    TestNode worker = worker("dead");
    worker.claim(State.ACCEPTED);

    List<List<ReapedEmail>> byReaper =
        Race.among(
            4,
            index -> {
              List<ReapedEmail> mine = new ArrayList<>();
              List<ReapedEmail> some;
              do {
                some =
                    (index % 2 == 0 ? store : fixture.another())
                        .reap(worker.node(), 0, ReapPolicy.DEFAULT, 7);
                mine.addAll(some);
              } while (!some.isEmpty());
              return mine;
            });

    assertThat(byReaper.stream().flatMap(List::stream))
        .as("emails taken by four reapers at once")
        .extracting(ReapedEmail::id)
        .containsExactlyInAnyOrderElementsOf(ids);
    for (EmailId id : ids) {
      assertThat(summary(id).progress()).isEqualTo(Counters.NONE.reaped());
      assertThat(store.history(id)).as("history of %s", id).hasSize(1);
    }
  }

  /** Lets the holder of one email die until it can no longer be claimed. */
  private void assertDeathsFollow(
      ReapPolicy policy, State busy, SampleEmail sample, boolean composed) {
    boolean callback = sample.build().callbackUrl() != null;
    TestNode worker = worker("dying");
    EmailId id =
        composed ? storedComposed(worker, sample) : driver().to(beforeBusy(busy), sample).id();
    PriorityLane lane = PriorityLane.of(sample.build().priority());
    Decision verdict;
    int deaths = 0;
    do {
      hold(worker, id, busy, lane);
      Counters before = summary(id).progress();
      verdict = policy.decide(busy, composed, lane, before, callback);

      assertThat(worker.die(policy))
          .as("death %d in %s", ++deaths, busy.wireName())
          .containsExactly(new ReapedEmail(id, busy, verdict.to(), deaths, verdict.code()));

      assertFollows(summary(id), verdict);
      assertThat(lastRow(id).from()).isEqualTo(busy);
      assertThat(lastRow(id).to()).isEqualTo(verdict.to());
      lane = verdict.lane();
    } while (verdict.waits() && verdict.to().hasOutcome() == busy.hasOutcome());
    assertThat(store.history(id).stream().filter(row -> worker.node().equals(row.node())))
        .as("rows of history for %d deaths", deaths)
        .hasSize(deaths);
  }

  private static State beforeBusy(State busy) {
    return busy.hasOutcome() ? busy.outcome() : State.ACCEPTED;
  }

  private EmailId storedComposed(TestNode worker, SampleEmail sample) {
    stored(sample);
    return worker.makeReady();
  }

  /** Claims the email from where it waits, and from its lane alone. */
  private void hold(TestNode worker, EmailId id, State busy, PriorityLane lane) {
    State from = summary(id).state();
    List<Claim> claims = worker.claim(from, Map.of(lane, 1));
    assertThat(claims)
        .as("claims from %s in lane %s", from.wireName(), lane)
        .extracting(Claim::id)
        .containsExactly(id);
    if (claims.get(0).state() == State.INTAKING && busy == State.PROCESSING) {
      worker.proceed(claims.get(0));
    }
  }

  private static void assertFollows(EmailSummary email, Decision verdict) {
    assertThat(email.state()).as("state").isEqualTo(verdict.to());
    assertThat(email.owner()).as("owner").isNull();
    assertThat(email.progress()).as("counters").isEqualTo(verdict.progress());
    assertThat(email.archived()).as("in the log").isEqualTo(verdict.archives());
    if (verdict.code() != null) {
      assertThat(email.code()).as("code").isEqualTo(verdict.code());
    }
    if (verdict.waits()) {
      assertThat(email.due()).as("due at once").isEqualTo(email.timeline().updated());
    } else {
      assertThat(email.due()).as("due").isNull();
    }
  }
}
