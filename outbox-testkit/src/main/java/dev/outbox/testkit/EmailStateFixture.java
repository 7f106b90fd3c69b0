package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.OutcomeDetails;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings an email into any state, by the way that emails really go. Only one email may be waiting
 * in the store meanwhile.
 */
final class EmailStateFixture {

  private final OutboxStore store;
  private final TestNode worker;

  EmailStateFixture(OutboxStore store) {
    this.store = store;
    this.worker = new TestNode(store, "driver");
  }

  TestNode worker() {
    return worker;
  }

  /** Brings an email that wants a callback into a state; held by the driver's node if busy. */
  Driven to(State state) {
    return to(state, SampleEmail.email().callback());
  }

  /** Brings an email into a state; it must want a callback if the state is one. */
  Driven to(State state, SampleEmail sample) {
    EmailId id = sample.build().id();
    store.insert(List.of(sample.build()));
    Claim claim = drive(state);
    assertThat(store.find(id).orElseThrow().summary().state())
        .as("where the email was driven to")
        .isEqualTo(state);
    return new Driven(id, claim);
  }

  private @Nullable Claim drive(State state) {
    switch (state) {
      case ACCEPTED -> {}
      case INTAKING -> {
        return worker.claimOnly(State.ACCEPTED);
      }
      case READY -> worker.makeReady();
      case PROCESSING -> {
        return worker.onTheWire();
      }
      case SENT -> worker.applied(Completion.sent(worker.onTheWire(), OutcomeDetails.NONE, false));
      case FAILED ->
          worker.applied(
              Completion.failed(
                  worker.onTheWire(),
                  FailureCode.REFUSED,
                  OutcomeDetails.of("no such mailbox"),
                  null));
      case INVALID ->
          worker.applied(
              Completion.invalid(
                  worker.claimOnly(State.ACCEPTED), OutcomeDetails.of("no variable named total")));
      case CALLING_SENT_CALLBACK, CALLING_FAILED_CALLBACK, CALLING_INVALID_CALLBACK -> {
        drive(state.outcome());
        return worker.claimOnly(state.outcome());
      }
      case SENT_ACKNOWLEDGED -> acknowledge(State.CALLING_SENT_CALLBACK);
      case FAILED_ACKNOWLEDGED -> acknowledge(State.CALLING_FAILED_CALLBACK);
      case INVALID_ACKNOWLEDGED -> acknowledge(State.CALLING_INVALID_CALLBACK);
    }
    return null;
  }

  private void acknowledge(State calling) {
    drive(calling.outcome());
    Claim claim = worker.claimOnly(calling.outcome());
    worker.applied(Completion.callbackAcknowledged(claim, OutcomeDetails.NONE, false));
  }

  /** Leaves the email that the driver's node is calling about for a later try. */
  void callLater(Claim claim, Duration dueIn) {
    worker.applied(
        Completion.callbackRetry(claim, dueIn, OutcomeDetails.of("the receiver answered 503")));
  }

  /**
   * An email where a test wants it.
   *
   * @param claim by which the driver's node holds it; null if it does not
   */
  record Driven(EmailId id, @Nullable Claim claim) {

    /** Returns the claim by which the driver's node holds the email. */
    Claim held() {
      if (claim == null) {
        throw new IllegalStateException("nobody holds " + id);
      }
      return claim;
    }
  }
}
