package dev.outbox.testkit;

import dev.outbox.email.Bytes;
import dev.outbox.email.FailureCode;
import dev.outbox.email.RecipientResult;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutcomeDetails;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What the workers of a random walk make of their claims. */
final class RandomResults {

  private final Random random;

  RandomResults(Random random) {
    this.random = random;
  }

  Completion of(Claim claim) {
    OutcomeDetails report = report();
    Duration dueIn = RandomOperations.UNIT.multipliedBy(random.nextInt(3));
    return switch (claim.state()) {
      case INTAKING ->
          switch (random.nextInt(6)) {
            case 0 -> Completion.invalid(claim, report);
            case 1 -> Completion.failed(claim, FailureCode.EXPIRED, report, null);
            case 2 -> Completion.released(claim, dueIn, report);
            case 3 -> Completion.deferredToOtherNode(claim, dueIn, report);
            default -> Completion.postponed(claim, dueIn, report, message());
          };
      case PROCESSING ->
          switch (random.nextInt(10)) {
            case 0 -> Completion.retry(claim, dueIn, report, claim.composed() ? null : message());
            case 1 -> Completion.retry(claim, dueIn, report, message());
            case 2 -> Completion.released(claim, dueIn, report);
            case 3 -> Completion.failed(claim, FailureCode.REFUSED, report, perhaps(message()));
            case 4 ->
                Completion.failedAfterAttempt(
                    claim, FailureCode.ATTEMPTS, report, perhaps(message()));
            case 5 -> Completion.invalid(claim, report);
            default -> Completion.sent(claim, report, random.nextBoolean());
          };
      default ->
          switch (random.nextInt(5)) {
            case 0 -> Completion.released(claim, dueIn, report);
            case 1 -> Completion.callbackAbandoned(claim, report, random.nextBoolean());
            case 2 -> Completion.callbackRetry(claim, dueIn, report);
            default -> Completion.callbackAcknowledged(claim, report, random.nextBoolean());
          };
    };
  }

  private OutcomeDetails report() {
    OutcomeDetails report = OutcomeDetails.NONE;
    if (random.nextBoolean()) {
      report = report.reason("trouble " + random.nextInt(100));
    }
    if (random.nextBoolean()) {
      report = report.response("reply " + random.nextInt(100));
    }
    if (random.nextInt(3) == 0) {
      report = report.subject("Rendered " + random.nextInt(100));
    }
    if (random.nextInt(3) == 0) {
      RecipientResult.Status[] all = RecipientResult.Status.values();
      report =
          report.recipients(
              List.of(
                  new RecipientResult(
                      RandomEmails.RECIPIENTS[0], all[random.nextInt(all.length)], "said")));
    }
    return report;
  }

  private Bytes message() {
    return Bytes.utf8("message " + random.nextInt(1_000));
  }

  private @Nullable Bytes perhaps(Bytes message) {
    return random.nextBoolean() ? message : null;
  }
}
