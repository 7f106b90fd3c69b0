package dev.outbox.smtp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Email;
import dev.outbox.testkit.TestOutbox;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** With every logger at ALL, nothing is logged of the login, of addresses and of replies. */
class PrivateLogTest {

  private static final String LOGIN = "login-zq1@example.com";
  private static final String SECRET = "secret-zq2";
  private static final String RECIPIENT = "recipient-zq3@example.com";
  private static final String SENDER = "sender-zq4@example.com";

  /** What each of them is in, as it is and in base 64. */
  private static final List<String> PRIVATE =
      Stream.of(
              "zq",
              base64(LOGIN),
              base64(SECRET),
              base64(LOGIN + "\0" + LOGIN + "\0" + SECRET),
              base64("user=" + LOGIN + "\001auth=Bearer " + SECRET + "\001\001"))
          .toList();

  private static final String QUOTING = " reply-zq7 <" + RECIPIENT + "> or <" + LOGIN + ">";

  private final ScriptedServer server = ScriptedServer.start();

  @AfterEach
  void close() {
    server.close();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static SmtpRelay password(SmtpRelay relay) {
    return relay.login(LOGIN, () -> SECRET);
  }

  private static SmtpRelay token(SmtpRelay relay) {
    return relay.oauth2(LOGIN, () -> SECRET);
  }

  /** Sends an email; returns what was logged meanwhile. */
  private String logged(UnaryOperator<SmtpRelay> settings) {
    return logged(settings.apply(server.relay()));
  }

  private static String logged(SmtpRelay relay) {
    try (LogCapture capture = LogCapture.start()) {
      try (TestOutbox mail =
          TestOutbox.with(builder -> builder.transport(SmtpTransport.over(relay)))) {
        mail.outbox()
            .send(Email.to(RECIPIENT).from(SENDER).subject("subject-zq5").text("text-zq6").build());
        mail.process();
      }
      return capture.text();
    }
  }

  private static void assertPrivate(String log) {
    assertThat(PRIVATE).allSatisfy(each -> assertThat(log).doesNotContain(each));
  }

  @Test
  void theCaptureSeesEveryKindOfOutput() {
    try (LogCapture capture = LogCapture.start()) {
      Logger.getLogger("created.later." + System.nanoTime()).finest("by java.util.logging");
      LoggerFactory.getLogger(getClass()).trace("by {}", "SLF4J");
      System.out.println("by standard output");
      System.err.println("by standard error");
      assertThat(capture.text())
          .contains("by java.util.logging", "by SLF4J", "by standard output", "by standard error");
    }
  }

  @Test
  void theLinesOfAngusAreCaptured() {
    server.offer("AUTH PLAIN");
    assertThat(logged(PrivateLogTest::password)).contains("protocolConnect login");
  }

  @ParameterizedTest
  @ValueSource(strings = {"535 5.7.8", "454 4.7.0", "530 5.7.0", "334", "235", "nonsense"})
  void aLoginByPlainIsNotLogged(String code) {
    server.offer("AUTH PLAIN").on("AUTH", code + QUOTING).on("STARTTLS", "502 5.5.1" + QUOTING);
    assertPrivate(logged(PrivateLogTest::password));
    assertThat(server.count("AUTH PLAIN " + base64(LOGIN + "\0" + LOGIN + "\0" + SECRET)))
        .isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aLoginByLoginIsNotLogged(int step) {
    AtomicInteger lines = new AtomicInteger();
    server
        .offer("AUTH LOGIN")
        .on("AUTH", step == 0 ? "535 5.7.8" + QUOTING : "334 VXNlcm5hbWU6")
        .on("OTHER", line -> lines.incrementAndGet() < step ? "334 UGFz" : "535 5.7.8" + QUOTING);
    assertPrivate(logged(PrivateLogTest::password));
    assertThat(server.commands()).contains("AUTH LOGIN");
    assertThat(server.commands().contains(base64(LOGIN))).isEqualTo(step > 0);
    assertThat(server.commands().contains(base64(SECRET))).isEqualTo(step > 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"535 5.7.8", "334 eyJzdGF0dXMiOiI0MDAifQ==", "235"})
  void aLoginByTokenIsNotLogged(String code) {
    server.offer("AUTH XOAUTH2").on("AUTH", code + QUOTING);
    assertPrivate(logged(PrivateLogTest::token));
    assertThat(server.count("AUTH XOAUTH2 ")).isPositive();
  }

  @ParameterizedTest
  @CsvSource({
    "CONNECT, 554 5.7.1",
    "CONNECT, 220",
    "CONNECT, nonsense",
    "EHLO, 550 5.7.1",
    "EHLO, 421 4.3.2",
    "EHLO, 250",
    "MAIL, 550 5.7.1",
    "MAIL, 552 5.3.4",
    "MAIL, nonsense",
    "RCPT, 550 5.1.1",
    "RCPT, 452 4.2.2",
    "RCPT, 250 2.1.5",
    "RCPT, 421 4.3.2",
    "DATA, 554 5.7.1",
    "DOT, 554 5.7.1",
    "DOT, 250 2.0.0",
    "DOT, nonsense",
  })
  void aReplyThatQuotesAnAddressIsLoggedAtNoStep(String step, String code) {
    server.on(step, code + QUOTING);
    assertPrivate(logged(relay -> relay));
    assertThat(server.connections()).isPositive();
  }

  @Test
  void aRefusalOfTlsIsNotLogged() {
    server.offer("STARTTLS").on("STARTTLS", "454 4.7.0" + QUOTING);
    assertPrivate(
        logged(password(SmtpRelay.startTls("localhost", server.port()).helloName("c.example"))));
    assertThat(server.count("STARTTLS")).isPositive();
  }
}
