package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {

  private static final SmtpRelay RELAY = SmtpRelay.startTls("smtp.example.com", 587);

  @Test
  void theDocumentedDefaultsAreTheOnesInForce() throws IOException {
    String page = Files.readString(Path.of("../docs/smtp.md"));
    Map<String, String> defaults = new LinkedHashMap<>();
    SmtpRelay.Limits limits = RELAY.limits();
    defaults.put("limits.connections", String.valueOf(limits.connections()));
    defaults.put("limits.emailsPerConnection", "%,d".formatted(limits.emailsPerConnection()));
    defaults.put(
        "limits.emailsPerSecond",
        limits.emailsPerSecond() == Integer.MAX_VALUE ? "no limit" : "limited");
    defaults.put("limits.idle", words(limits.idle()));
    SmtpRelay.Timeouts timeouts = RELAY.timeouts();
    defaults.put("timeouts.connect", words(timeouts.connect()));
    defaults.put("timeouts.reply", words(timeouts.reply()));
    defaults.put("timeouts.finalReply", words(timeouts.finalReply()));
    defaults.put("timeouts.delivery", words(timeouts.delivery()));
    defaults.forEach(
        (name, value) -> assertThat(page).contains("| `" + name + "` | " + value + " |"));
  }

  private static String words(Duration time) {
    return time.compareTo(Duration.ofMinutes(2)) < 0
        ? time.toSeconds() + " s"
        : time.toMinutes() + " min";
  }

  @Test
  void settingsThatCannotWorkAreRefusedByName() {
    assertRefused("host", () -> SmtpRelay.startTls("smtp example", 587));
    assertRefused("host", () -> SmtpRelay.startTls("smtp\r\n.example", 587));
    assertRefused("port", () -> SmtpRelay.startTls("smtp.example.com", 0));
    assertRefused("port", () -> SmtpRelay.implicitTls("smtp.example.com", 70_000));
    assertRefused("helloName", () -> RELAY.helloName("a\r\nMAIL"));
    assertRefused("connections", () -> RELAY.connections(0));
    assertRefused("emailsPerSecond", () -> RELAY.emailsPerSecond(0));
    Duration second = Duration.ofSeconds(1);
    assertRefused("idle", () -> new SmtpRelay.Limits(1, 1, 1, Duration.ZERO));
    assertRefused("emailsPerConnection", () -> new SmtpRelay.Limits(1, 0, 1, second));
    for (Duration never : new Duration[] {Duration.ZERO, second.negated(), Duration.ofDays(1)}) {
      assertRefused("connect", () -> new SmtpRelay.Timeouts(never, second, second, second));
      assertRefused("reply", () -> new SmtpRelay.Timeouts(second, never, second, second));
      assertRefused("finalReply", () -> new SmtpRelay.Timeouts(second, second, never, second));
      assertRefused("delivery", () -> new SmtpRelay.Timeouts(second, second, second, never));
    }
    assertRefused("relays", () -> SmtpTransport.over(List.of(), System::nanoTime));
  }

  private static void assertRefused(String field, Runnable setting) {
    assertThatThrownBy(setting::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(field + ":");
  }

  @Test
  void everyMethodChangesWhatItNames() {
    SmtpRelay relay =
        RELAY.connections(3).emailsPerSecond(7).helloName("me.example").login("u", () -> "p");
    assertThat(relay.limits().connections()).isEqualTo(3);
    assertThat(relay.limits().emailsPerSecond()).isEqualTo(7);
    assertThat(relay.limits().emailsPerConnection()).isEqualTo(1_000);
    assertThat(relay.helloName()).isEqualTo("me.example");
    assertThat(relay.security()).isEqualTo(SmtpRelay.Security.STARTTLS);
    assertThat(relay.login()).isNotNull();
    assertThat(SmtpRelay.unprotectedPlaintext("localhost", 25).security())
        .isEqualTo(SmtpRelay.Security.UNPROTECTED_PLAINTEXT);
  }
}
