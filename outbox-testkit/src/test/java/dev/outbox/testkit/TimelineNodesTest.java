package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.testkit.Cluster.Node;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An email's history names the node of each step, and nobody who has not done it. */
class TimelineNodesTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Cluster cluster = new Cluster();

  @Test
  void theStepsOfASentEmailNameItsNodeAlsoAfterArchiving() {
    Node node = cluster.node();
    EmailId id = node.outbox().send(Cluster.email("ada@example.com")).id();

    node.process();

    assertThat(cluster.find(id).summary().archived()).as("in the log").isTrue();
    assertThat(told(id))
        .containsExactly("ACCEPTED by nobody", "INTAKING by n1", "PROCESSING by n1", "SENT by n1");
  }

  @Test
  void anEmailOnItsWayNamesWhoHasIt() {
    EmailId id = stored(SampleEmail.email());
    TestNode worker = worker("one");
    Claim claim = worker.claimOnly(State.ACCEPTED);
    assertThat(told(id)).containsExactly("ACCEPTED by nobody", "INTAKING by one");

    cluster.advance(MINUTE);
    worker.proceed(claim);

    assertThat(told(id))
        .containsExactly("ACCEPTED by nobody", "INTAKING by one", "PROCESSING by one");
  }

  @Test
  void aRetryByAnotherNodeNamesBoth() {
    Node first = cluster.node();
    Node second = cluster.node();
    EmailId id = first.outbox().send(Cluster.email("ada@example.com")).id();
    first.transport().answerNext(RecordingTransport::defer);
    first.process();
    cluster.advance(Duration.ofDays(1));

    second.process();

    assertThat(told(id))
        .containsExactly(
            "ACCEPTED by nobody",
            "INTAKING by n1",
            "PROCESSING by n1",
            "READY by n1",
            "PROCESSING by n2",
            "SENT by n2");
  }

  @Test
  void whatTheDeadHadBegunIsNotSaidOfWhoTookItOver() {
    Node doomed = cluster.node();
    Node other = cluster.node();
    EmailId id = doomed.outbox().send(Cluster.email("ada@example.com")).id();
    doomed
        .transport()
        .answerNext(
            envelope -> {
              doomed.die();
              return RecordingTransport.accept(envelope);
            });
    doomed.process();

    cluster.watchForALease(other);

    assertThat(told(id))
        .containsExactly(
            "ACCEPTED by nobody",
            "INTAKING by n1",
            "PROCESSING by n1",
            "ACCEPTED by n1",
            "INTAKING by n2",
            "PROCESSING by n2",
            "SENT by n2");
  }

  @Test
  void whoCallsBackIsNotTakenForWhoSentIt() {
    EmailId id = stored(SampleEmail.email().callback());
    TestNode sender = worker("sender");
    TestNode caller = worker("caller");
    sender.applied(Completion.sent(sender.onTheWire(), OutcomeDetails.NONE, false));
    cluster.advance(MINUTE);

    Claim call = caller.claimOnly(State.SENT);
    assertThat(told(id))
        .endsWith("PROCESSING by sender", "SENT by sender", "CALLING-SENT-CALLBACK by caller");
    caller.applied(Completion.callbackAcknowledged(call, OutcomeDetails.NONE, false));

    assertThat(told(id))
        .containsExactly(
            "ACCEPTED by nobody",
            "INTAKING by sender",
            "PROCESSING by sender",
            "SENT by sender",
            "CALLING-SENT-CALLBACK by caller",
            "SENT-ACKNOWLEDGED by caller");
  }

  @Test
  void whatWasReadyNamesWhoRenderedItUntilAnotherMayHaveSentIt() {
    EmailId id = stored(SampleEmail.email());
    TestNode renderer = worker("renderer");
    TestNode sender = worker("sender");
    renderer.makeReady();
    assertThat(told(id))
        .containsExactly("ACCEPTED by nobody", "INTAKING by renderer", "READY by renderer");
    cluster.advance(MINUTE);

    sender.applied(Completion.sent(sender.claimOnly(State.READY), OutcomeDetails.NONE, false));

    assertThat(told(id))
        .containsExactly(
            "ACCEPTED by nobody",
            "INTAKING by nobody",
            "READY by nobody",
            "PROCESSING by sender",
            "SENT by sender");
  }

  @Test
  void whatWasCancelledNamesWhoRenderedItUntilItIsClaimedAgain() {
    EmailId id = stored(SampleEmail.email());
    worker("first").claimOnly(State.ACCEPTED);
    cluster.store().apply(OperatorAction.CANCEL, List.of(id));
    assertThat(told(id))
        .containsExactly("ACCEPTED by nobody", "INTAKING by first", "FAILED by nobody");
    cluster.store().apply(OperatorAction.REQUEUE, List.of(id));
    cluster.advance(MINUTE);

    worker("second").claimOnly(State.ACCEPTED);

    assertThat(told(id))
        .containsExactly(
            "ACCEPTED by nobody",
            "INTAKING by nobody",
            "FAILED by nobody",
            "ACCEPTED by nobody",
            "INTAKING by second");
  }

  @Test
  void aLateWorkersNoteDoesNotMakeItsNodeTheOneThatSends() {
    EmailId id = stored(SampleEmail.email());
    TestNode late = worker("late");
    TestNode other = worker("other");
    Claim lost = late.onTheWire();
    late.die();
    cluster.advance(MINUTE);
    other.onTheWire();

    assertThat(late.complete(Completion.sent(lost, OutcomeDetails.NONE, false)))
        .isEqualTo(CompletionResult.POSSIBLE_DUPLICATE);

    assertThat(told(id))
        .containsExactly(
            "ACCEPTED by nobody",
            "INTAKING by late",
            "PROCESSING by late",
            "ACCEPTED by late",
            "INTAKING by other",
            "PROCESSING by other",
            "PROCESSING by late");
  }

  private EmailId stored(SampleEmail email) {
    return cluster.store().insert(List.of(email.build())).get(0).id();
  }

  private TestNode worker(String name) {
    return new TestNode(cluster.store(), name);
  }

  /** Returns each state with the name of the node that is said to have brought it about. */
  private List<String> told(EmailId id) {
    return cluster.node().outbox().history(id).stream().map(TimelineNodesTest::told).toList();
  }

  private static String told(HistoryEntry entry) {
    String node = entry.node() == null ? "nobody" : entry.node().value().replaceFirst("~.*", "");
    return entry.state().wireName() + " by " + node;
  }
}
