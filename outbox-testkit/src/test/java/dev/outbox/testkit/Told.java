package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.State;
import dev.outbox.testsupport.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * What a receiver's answer made of a sent email. There are three endings, and each is a state, an
 * entry of the history and something in the log, or nothing there.
 */
final class Told {

  private final EmailSummary email;
  private final HistoryEntry last;
  private final @Nullable Duration dueIn;
  private final LogLines log;

  private Told(EmailSummary email, HistoryEntry last, @Nullable Duration dueIn, LogLines log) {
    this.email = email;
    this.last = last;
    this.dueIn = dueIn;
    this.log = log;
  }

  /** Looks at an email after a call; the log is to hold nothing of other emails. */
  static Told of(TestOutbox mail, EmailId id, LogLines log) {
    EmailSummary email = Mails.summary(mail, id);
    List<HistoryEntry> history = mail.outbox().history(id);
    assertThat(history).extracting(HistoryEntry::state).contains(State.CALLING_SENT_CALLBACK);
    return new Told(
        email,
        history.get(history.size() - 1),
        email.due() == null ? null : Duration.between(mail.store().now(), email.due()),
        log);
  }

  /** The receiver took it, and the email is in the log of sent ones. */
  void wasAcknowledged(@Nullable String words) {
    assertThat(email.state()).isEqualTo(State.SENT_ACKNOWLEDGED);
    assertThat(email.archived()).isTrue();
    assertHistory(State.SENT_ACKNOWLEDGED, "acknowledged", words);
    assertThat(errors()).isEmpty();
    assertLogIsDiscreet(words);
  }

  /**
   * The receiver is to be called again.
   *
   * @param reason as a regular expression
   * @return in how long
   */
  Duration isCalledAgain(String reason, @Nullable String words) {
    assertThat(email.state()).isEqualTo(State.CALLING_SENT_CALLBACK);
    assertThat(email.owner()).isNull();
    assertThat(email.archived()).isFalse();
    assertHistory(State.CALLING_SENT_CALLBACK, reason, words);
    assertThat(errors()).isEmpty();
    assertLogIsDiscreet(words);
    return Objects.requireNonNull(dueIn);
  }

  /**
   * The receiver is not called again, and an operator has to act.
   *
   * @param reason as a regular expression
   */
  void wasGivenUp(String reason, @Nullable String words) {
    assertThat(email.state()).isEqualTo(State.CALLING_SENT_CALLBACK);
    assertThat(email.owner()).isNull();
    assertThat(email.archived()).isTrue();
    assertThat(dueIn).isNull();
    assertHistory(State.CALLING_SENT_CALLBACK, reason, words);
    assertThat(errors())
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .contains(email.id().toString(), "an operator has to act")
                    .containsPattern(reason));
    assertLogIsDiscreet(words);
  }

  private void assertHistory(State state, String reason, @Nullable String words) {
    assertThat(last.state()).isEqualTo(state);
    assertThat(last.reason()).matches(reason);
    assertThat(last.detail()).isEqualTo(words);
    assertThat(last.node()).isNotNull();
  }

  private List<String> errors() {
    return log.of(Level.SEVERE);
  }

  private void assertLogIsDiscreet(@Nullable String words) {
    assertThat(log.of(Level.WARNING)).as("a call that is repeated is everyday life").isEmpty();
    assertThat(log.all())
        .noneMatch(line -> line.contains("example.com") || line.contains("127.0.0.1"))
        .noneMatch(line -> words != null && line.contains(words));
  }
}
