package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.State;
import dev.outbox.testkit.TestOutbox;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The reason of a failure may contain a relay's reply, which quotes addresses. */
class EmailJsonTest {

  private static final String REPLY = "550 5.1.1 <ada@example.com>: user ADA unknown";
  private static final String MASKED = "550 5.1.1 <a***@example.com>: user a*** unknown";

  @ParameterizedTest
  @EnumSource(
      value = AccessRole.class,
      names = {"VIEWER", "OPERATOR"})
  void aReasonIsMaskedInTheEmailAndInItsHistory(AccessRole access) {
    ObjectNode json = details(access, REPLY);

    assertThat(
            List.of(
                json.get("reason").textValue(),
                json.at("/history/0/reason").textValue(),
                json.at("/history/0/detail").textValue()))
        .as("reason, reason and detail of the history entry")
        .containsExactly(MASKED, MASKED, MASKED);
    assertThat(json.toString()).doesNotContainIgnoringCase("ada");
  }

  @ParameterizedTest
  @EnumSource(
      value = AccessRole.class,
      names = {"AUDITOR", "ADMIN"})
  void aReasonIsShownAsItIsToThoseWhoMaySeeAddresses(AccessRole access) {
    ObjectNode json = details(access, REPLY);

    assertThat(json.get("reason").textValue()).isEqualTo(REPLY);
    assertThat(json.at("/history/0/reason").textValue()).isEqualTo(REPLY);
    assertThat(json.at("/history/0/detail").textValue()).isEqualTo(REPLY);
  }

  /** The stored text has a longest length, and may end within an address. */
  @ParameterizedTest
  @CsvSource({
    "550 5.1.1 <ada@exam, 550 5.1.1 <a***@exam",
    "550 5.1.1 <ada@, 550 5.1.1 <a***@",
    "550 5.1.1 no mailbox ada@, 550 5.1.1 no mailbox a***@",
    "550 5.1.1 <ada, 550 5.1.1 <***",
    "550 5.1.1 <ad, 550 5.1.1 <***",
  })
  void anAddressThatIsCutOffIsMaskedToo(String reason, String masked) {
    assertThat(details(AccessRole.VIEWER, reason).get("reason").textValue()).isEqualTo(masked);
  }

  @Test
  void anEmailWithoutAReasonHasNone() {
    assertThat(new EmailJson(AccessRole.VIEWER).summary(failed(null)).get("reason").isNull())
        .isTrue();
  }

  private static ObjectNode details(AccessRole access, String reason) {
    HistoryEntry entry =
        new HistoryEntry(
            State.FAILED, Instant.EPOCH, 0, 1, null, FailureCode.REFUSED, reason, reason);
    return new EmailJson(access).details(failed(reason), true, List.of(entry));
  }

  private static EmailSummary failed(@Nullable String reason) {
    EmailSummary email;
    try (TestOutbox mail = TestOutbox.create()) {
      EmailId id =
          mail.outbox()
              .send(Email.to("ada@example.com").subject("Order 42").text("Thank you.").build())
              .id();
      email = mail.outbox().find(id).orElseThrow().summary();
    }
    return new EmailSummary(
        email.id(),
        State.FAILED,
        email.addressesAndSubject(),
        email.priority(),
        email.template(),
        email.tags(),
        email.requestId(),
        email.callbackUrl(),
        email.progress(),
        email.timeline(),
        email.due(),
        email.deadline(),
        email.owner(),
        email.worker(),
        FailureCode.REFUSED,
        reason,
        email.response(),
        email.recipients(),
        email.archived());
  }
}
