package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.settings.CallbackSettings;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.settings.RetentionSettings;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A time or number out of range is rejected by name where it is given, and not where it is used.
 */
class OutOfRangeTest {

  private static final Duration ENDLESS = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration SECOND = Duration.ofSeconds(1);

  static Stream<Arguments> settings() {
    ProcessingSettings processor = ProcessingSettings.DEFAULT;
    RetentionSettings retention = RetentionSettings.DEFAULT;
    return Stream.of(
        setting("expireAfter", () -> Outbox.builder(new InMemoryStore()).expireAfter(ENDLESS)),
        setting("log", () -> retention.log(ENDLESS)),
        setting("failed", () -> retention.failed(ENDLESS)),
        setting("invalid", () -> retention.invalid(ENDLESS)),
        setting("sentContent", () -> retention.sentContent(ENDLESS)),
        setting("heartbeatInterval", () -> new LeaseSettings(ENDLESS, ENDLESS)),
        setting("leaseDuration", () -> new LeaseSettings(SECOND, ENDLESS)),
        setting("pollInterval", () -> processor.pollInterval(ENDLESS)),
        setting("stageTimeout", () -> processor.stageTimeout(ENDLESS)),
        setting("shutdownTimeout", () -> processor.shutdownTimeout(ENDLESS)),
        setting("rollingUpgradePeriod", () -> processor.rollingUpgradePeriod(ENDLESS)),
        setting("maxUnrecordedAge", () -> processor.maxUnrecordedAge(ENDLESS)),
        setting("retryInterval", () -> CallbackSettings.DEFAULT.retries(3, ENDLESS)),
        setting("roundInterval", () -> CallbackSettings.DEFAULT.rounds(5, ENDLESS)));
  }

  private static Arguments setting(String name, ThrowingCallable change) {
    return Arguments.of(name, change);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void anEndlessDurationIsRejectedByTheNameOfItsSetting(String name, ThrowingCallable change) {
    assertThatThrownBy(change)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name + ": ")
        .hasMessageContaining("PT2562047788015215H");
  }

  @Test
  void theLongestDurationsAreAccepted() {
    Duration year = Duration.ofDays(365);
    Duration century = Duration.ofDays(36_500);

    assertThat(new RetentionSettings(century, century, century, century).log()).isEqualTo(century);
    assertThat(ProcessingSettings.DEFAULT.pollInterval(year).pollInterval()).isEqualTo(year);
    assertThat(CallbackSettings.DEFAULT.rounds(5, year).roundInterval()).isEqualTo(year);
    assertThat(new LeaseSettings(SECOND, Duration.ofDays(1)).leaseDuration())
        .isEqualTo(Duration.ofDays(1));
    Outbox.builder(new InMemoryStore()).expireAfter(Duration.ofDays(3_650)).build().close();
  }

  @Test
  void aTimeThatNoStoreCanKeepIsRejectedByTheNameOfItsCriterion() {
    for (Instant time : new Instant[] {Instant.MIN, Instant.MAX}) {
      refuses("createdSince", () -> EmailQuery.all().createdSince(time));
      refuses("createdBefore", () -> EmailQuery.all().createdBefore(time));
    }
    refuses("createdSince", () -> EmailQuery.all().createdSince(Instant.ofEpochSecond(-1)));
    EmailQuery.all()
        .createdSince(Instant.EPOCH)
        .createdBefore(Instant.parse("8999-12-31T23:59:59Z"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1E+999999999", "1E-999999999", "1E+1001"})
  void aNumberThatWouldBeLongInPrintIsRejectedBySend(String number) {
    try (TestOutbox mail = TestOutbox.create()) {
      refuses(
          "data.total",
          () ->
              mail.outbox()
                  .send(
                      Email.to("ada@example.com")
                          .template("order", Map.of("total", new BigDecimal(number)))
                          .build()));
    }
  }

  /** To count its digits takes half a minute. */
  @Test
  @Timeout(10)
  void aNumberOfMillionsOfDigitsIsRejectedAtOnce() {
    BigInteger number = BigInteger.ONE.shiftLeft(50_000_000);
    refuses(
        "data.total", () -> Email.to("ada@example.com").template("order", Map.of("total", number)));
    refuses(
        "data.total",
        () ->
            Email.to("ada@example.com")
                .template("order", Map.of("total", new BigDecimal(number, 2))));
  }

  @Test
  void aTimeOrLifeOfAnEmailOutOfRangeIsRejectedByName() {
    refuses("sendAt", () -> Email.to("ada@example.com").sendAt(Instant.MAX));
    try (TestOutbox mail = TestOutbox.create()) {
      Email email = Email.to("ada@example.com").subject("s").text("x").expireAfter(ENDLESS).build();
      refuses("expireAfter", () -> mail.outbox().send(email));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, 858_993_458})
  void veryManyRetriesOfACallbackAreNotTakenForNone(int retries) {
    FakeHost host = new FakeHost();
    host.beDown();
    try (TestOutbox mail =
        TestOutbox.with(
            builder ->
                builder
                    .callback(host)
                    .callbacks(CallbackSettings.DEFAULT.retries(retries, SECOND)))) {
      EmailId id = mail.outbox().send(FakeHost.email().build()).id();
      mail.process();

      assertThat(host.notices()).hasSize(1);
      assertThat(Mails.summary(mail, id).due()).isEqualTo(mail.store().now().plus(SECOND));
    }
  }

  private static void refuses(String field, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            InvalidEmailException.class, e -> assertThat(e.field()).isEqualTo(field));
  }
}
