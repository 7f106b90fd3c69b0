package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EmailLimitsTest {

  private static final EmailLimits SMALL = new EmailLimits(3, 10, 12, 8, Duration.ofHours(1));

  @Test
  void theDefaultsAreThoseOfTheDocumentation() {
    assertThat(EmailLimits.DEFAULT)
        .isEqualTo(
            new EmailLimits(100, 10 * 1024 * 1024, 256 * 1024, 1024 * 1024, Duration.ofDays(30)));
  }

  @Test
  void toCcAndBccCountTogether() {
    passes(words().cc("b@example.com").bcc("c@example.com"));
    refuses(
        "recipients: 4 addresses, more than the limit of 3",
        words().cc("b@example.com").bcc("c@example.com", "d@example.com"));
  }

  @Test
  void answersGoToNoMoreThanAnEmailMay() {
    String[] three = {"b@example.com", "c@example.com", "d@example.com"};
    passes(words().replyTo(three));
    refuses(
        "replyTo: 4 addresses, more than the limit of 3",
        words().replyTo(three).replyTo("e@e.com"));
  }

  @Test
  void attachmentsCountTogether() {
    passes(words().attach(file(6)).attach(file(4)));
    refuses(
        "attachments: 11 bytes, more than the limit of 10",
        words().attach(file(6)).attach(file(5)));
  }

  @Test
  void templateDataCountsAsJson() {
    passes(Email.to("ada@example.com").template("t", Map.of("abc", 1234))); // {"abc":1234}
    refuses(
        "data: 13 bytes, more than the limit of 12",
        Email.to("ada@example.com").template("t", Map.of("abc", 12345)));
  }

  @Test
  void inlineWordsCountTogetherInUtf8() {
    passes(Email.to("ada@example.com").subject("s").html("1234").text("\u00eb34"));
    refuses(
        "body: 9 bytes, more than the limit of 8",
        Email.to("ada@example.com").subject("s").html("1234").text("\u00eb345"));
  }

  @Test
  void aSubjectHasALongestLength() {
    passes(words().subject("s".repeat(500)));
    refuses(
        "subject: 501 characters, more than the limit of 500", words().subject("s".repeat(501)));
  }

  @Test
  void thereAreFiftyHeadersAtMost() {
    EmailBuilder email = words();
    for (int i = 0; i < 50; i++) {
      email.header("X-" + i, "v");
    }
    passes(email);
    refuses("headers: 51 headers, more than the limit of 50", email.header("X-50", "v"));
  }

  @Test
  void anEmailMayNotAskForALongerLifeThanAllowed() {
    passes(words().expireAfter(Duration.ofHours(1)));
    refuses(
        "expireAfter: PT1H0.000000001S, more than the limit of PT1H",
        words().expireAfter(Duration.ofHours(1).plusNanos(1)));
  }

  @Test
  void limitsThatLetNothingThroughAreRefusedByName() {
    Duration hour = Duration.ofHours(1);
    refusesLimit("recipients", () -> new EmailLimits(0, 1, 1, 1, hour));
    refusesLimit("attachmentBytes", () -> new EmailLimits(1, 0, 1, 1, hour));
    refusesLimit("dataBytes", () -> new EmailLimits(1, 1, -1, 1, hour));
    refusesLimit("bodyBytes", () -> new EmailLimits(1, 1, 1, 0, hour));
    refusesLimit("expireAfter", () -> new EmailLimits(1, 1, 1, 1, Duration.ZERO));
    refusesLimit("expireAfter", () -> new EmailLimits(1, 1, 1, 1, hour.negated()));
  }

  @Test
  void aLifeWithoutEndIsRefusedBecauseNoClockCanAddIt() {
    Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
    refusesLimit("expireAfter", () -> new EmailLimits(1, 1, 1, 1, endless));
    refusesLimit("expireAfter", () -> new EmailLimits(1, 1, 1, 1, Duration.ofDays(3651)));
    assertThat(new EmailLimits(1, 1, 1, 1, Duration.ofDays(3650))).isNotNull();
  }

  private static EmailBuilder words() {
    return Email.to("ada@example.com").subject("s").text("t");
  }

  private static Attachment file(int bytes) {
    return Attachment.of("a", "a/b", new byte[bytes]);
  }

  private static void passes(EmailBuilder email) {
    assertThatCode(() -> SMALL.check(email.build())).doesNotThrowAnyException();
  }

  private static void refuses(String message, EmailBuilder email) {
    Email built = email.build();
    assertThatThrownBy(() -> SMALL.check(built))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessage(message);
  }

  private static void refusesLimit(String name, Runnable made) {
    assertThatIllegalArgumentException().isThrownBy(made::run).withMessageStartingWith(name + ": ");
  }
}
