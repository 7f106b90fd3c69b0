package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.store.Completion;
import dev.outbox.store.OutcomeDetails;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a completion reports: words, results for each recipient, and the rendered subject. */
abstract class OutcomeDetailsContract extends StoreContract {

  private static final OutcomeDetails TROUBLE =
      OutcomeDetails.of("greylisted").response("451 4.7.1 later, please");
  private static final List<RecipientResult> RESULTS =
      List.of(
          new RecipientResult("ada@example.com", RecipientResult.Status.ACCEPTED, "250 2.1.5 ok"),
          new RecipientResult("zo\u00eb@example.com", RecipientResult.Status.REFUSED, "550 \u274c"),
          new RecipientResult("alan@example.com", RecipientResult.Status.PENDING, null));

  @Test
  void aReportThatSaysNothingLeavesWhatIsStored() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    worker.applied(
        Completion.retry(
            worker.onTheWire(), Duration.ZERO, TROUBLE.recipients(RESULTS), TestNode.COMPOSED));

    worker.applied(
        Completion.released(worker.claimOnly(State.READY), Duration.ZERO, OutcomeDetails.NONE));

    EmailSummary email = summary(id);
    assertThat(email.reason()).isEqualTo("greylisted");
    assertThat(email.response()).isEqualTo("451 4.7.1 later, please");
    assertThat(email.recipients()).isEqualTo(RESULTS);
  }

  @Test
  void theRenderedSubjectFillsAMissingOne() {
    EmailId id = stored(email().subject(null));
    TestNode worker = worker("one");
    OutcomeDetails rendered = OutcomeDetails.NONE.subject("Rendered \ud83c\udf89");

    worker.applied(
        Completion.postponed(worker.claimOnly(State.ACCEPTED), HOUR, rendered, TestNode.COMPOSED));

    assertThat(subject(id)).isEqualTo("Rendered \ud83c\udf89");
  }

  @Test
  void theRenderedSubjectReachesTheLog() {
    EmailId id = stored(email().subject(null));
    TestNode worker = worker("one");

    worker.applied(
        Completion.sent(worker.onTheWire(), OutcomeDetails.NONE.subject("Rendered"), false));

    assertThat(subject(id)).isEqualTo("Rendered");
  }

  @Test
  void theRenderedSubjectDoesNotReplaceTheHostsOwn() {
    EmailId id = stored(email().subject("The host's own"));
    TestNode worker = worker("one");

    worker.applied(
        Completion.sent(worker.onTheWire(), OutcomeDetails.NONE.subject("Rendered"), false));

    assertThat(subject(id)).isEqualTo("The host's own");
  }

  @Test
  void textsInAnyLanguageAreKept() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    String reason = "\u274c ".repeat(500);
    String response = "550 5.7.1 \u4f60\u597d\r\n".repeat(142);

    worker.applied(
        Completion.failed(
            worker.onTheWire(),
            FailureCode.REFUSED,
            OutcomeDetails.of(reason).response(response),
            null));

    assertThat(summary(id).reason()).isEqualTo(reason);
    assertThat(summary(id).response()).isEqualTo(response);
    assertThat(lastRow(id).reason()).isEqualTo(reason);
    assertThat(lastRow(id).detail()).isEqualTo(response);
  }

  private @Nullable String subject(EmailId id) {
    AddressesAndSubject addressesAndSubject = summary(id).addressesAndSubject();
    return addressesAndSubject == null ? null : addressesAndSubject.subject();
  }
}
