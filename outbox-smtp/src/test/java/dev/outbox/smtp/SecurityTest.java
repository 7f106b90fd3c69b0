package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Bytes;
import dev.outbox.transport.DeliveryResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecurityTest {

  @TempDir static Path folder;
  private static Certificates localhost;
  private static Certificates elsewhere;

  private final ScriptedServer server = ScriptedServer.start();

  @BeforeAll
  static void makeCertificates() {
    localhost = Certificates.forHost(folder, "localhost");
    elsewhere = Certificates.forHost(folder, "elsewhere.example");
  }

  @AfterAll
  static void nothingOfOursIsSetForTheWholeJvm() {
    assertThat(System.getProperties().stringPropertyNames())
        .noneMatch(name -> name.startsWith("jakarta.mail") || name.startsWith("mail."));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static DeliveryResult send(SmtpRelay relay) {
    try (SmtpTransport transport = SmtpTransport.over(relay.helloName("client.example"))) {
      Bytes message = transport.compose(Mails.simple());
      return transport.deliver(Mails.envelope("ada@example.com"), message, () -> true);
    }
  }

  private SmtpRelay startTls() {
    return SmtpRelay.startTls("localhost", server.port()).trust(localhost.client());
  }

  private void assertRefusedBeforeMail(DeliveryResult result) {
    assertThat(result).isInstanceOf(DeliveryResult.Postponed.class);
    assertThat(server.count("MAIL")).isZero();
    assertThat(server.count("AUTH")).isZero();
  }

  @Test
  void aRelayWithTheRightCertificateGetsTheEmailOverStartTls() {
    server.startTls(localhost.server());
    assertThat(send(startTls())).isInstanceOf(DeliveryResult.Answered.class);
    assertThat(server.messages()).hasSize(1);
    assertThat(server.commands().indexOf("STARTTLS")).isPositive();
  }

  @Test
  void aRelayWithTheRightCertificateGetsTheEmailOverImplicitTls() {
    server.implicitTls(localhost.server());
    SmtpRelay relay = SmtpRelay.implicitTls("localhost", server.port()).trust(localhost.client());
    assertThat(send(relay)).isInstanceOf(DeliveryResult.Answered.class);
    assertThat(server.messages()).hasSize(1);
  }

  @Test
  void aRelayThatOffersNoTlsGetsNothing() {
    DeliveryResult result = send(startTls().login("shop", () -> "sesame"));
    assertRefusedBeforeMail(result);
    assertThat(((DeliveryResult.Postponed) result).reason())
        .endsWith(": the relay offers no STARTTLS");
  }

  @Test
  void aRelayThatRefusesToStartTlsGetsNothing() {
    server.startTls(localhost.server()).on("STARTTLS", "454 4.7.0 not now");
    assertRefusedBeforeMail(send(startTls()));
  }

  @Test
  void aRelayWithACertificateThatNobodyTrustsGetsNothing() {
    server.startTls(elsewhere.server());
    assertRefusedBeforeMail(send(startTls().login("shop", () -> "sesame")));
  }

  @Test
  void aTrustedCertificateForAnotherHostIsNotEnough() {
    server.startTls(elsewhere.server());
    DeliveryResult result = send(startTls().trust(elsewhere.client()));
    assertRefusedBeforeMail(result);
    assertThat(((DeliveryResult.Postponed) result).reason())
        .endsWith(": no trusted TLS with the relay");
  }

  @Test
  void aTrustedCertificateForAnotherHostIsNotEnoughForImplicitTls() {
    server.implicitTls(elsewhere.server());
    assertRefusedBeforeMail(
        send(SmtpRelay.implicitTls("localhost", server.port()).trust(elsewhere.client())));
  }

  @Test
  void whatARelayOfferedBeforeTlsIsNotUsedAfterIt() {
    AtomicInteger greetings = new AtomicInteger();
    server.startTls(localhost.server()).offer("STARTTLS", "AUTH PLAIN");
    server.on("EHLO", line -> greetings.incrementAndGet() == 1 ? null : "550 5.5.1 no");
    DeliveryResult result = send(startTls().login("shop", () -> "sesame"));
    assertThat(server.count("STARTTLS")).isEqualTo(1);
    assertRefusedBeforeMail(result);
  }

  @Test
  void aPasswordGoesByPlain() {
    server.startTls(localhost.server()).offer("STARTTLS", "AUTH LOGIN PLAIN");
    assertThat(send(startTls().login("shop", () -> "sesame")))
        .isInstanceOf(DeliveryResult.Answered.class);
    assertThat(decoded(auth("PLAIN"))).isEqualTo("shop\0shop\0sesame");
  }

  @Test
  void aPasswordGoesByLoginWhereThereIsNoPlain() {
    server.startTls(localhost.server()).offer("STARTTLS", "AUTH LOGIN");
    server.on("AUTH", "334 VXNlcm5hbWU6");
    AtomicInteger lines = new AtomicInteger();
    server.on("OTHER", line -> lines.incrementAndGet() == 1 ? "334 UGFzc3dvcmQ6" : "235 2.7.0 ok");
    assertThat(send(startTls().login("shop", () -> "sesame")))
        .isInstanceOf(DeliveryResult.Answered.class);
    List<String> commands = server.commands();
    int auth = commands.indexOf("AUTH LOGIN");
    assertThat(decoded(commands.get(auth + 1))).isEqualTo("shop");
    assertThat(decoded(commands.get(auth + 2))).isEqualTo("sesame");
  }

  @Test
  void aTokenGoesByXoauth2() {
    server.startTls(localhost.server()).offer("STARTTLS", "AUTH PLAIN XOAUTH2");
    assertThat(send(startTls().oauth2("shop@example.com", () -> "token-1")))
        .isInstanceOf(DeliveryResult.Answered.class);
    assertThat(decoded(auth("XOAUTH2")))
        .isEqualTo("user=shop@example.com\001auth=Bearer token-1\001\001");
  }

  @Test
  void theSecretIsAskedForOnEachConnect() {
    server.startTls(localhost.server()).offer("STARTTLS", "AUTH XOAUTH2");
    AtomicInteger tokens = new AtomicInteger();
    SmtpRelay relay =
        startTls()
            .oauth2("shop", () -> "token-" + tokens.incrementAndGet())
            .limits(new SmtpRelay.Limits(1, 1, Integer.MAX_VALUE, SmtpRelay.Limits.DEFAULT.idle()));
    try (SmtpTransport transport = SmtpTransport.over(relay)) {
      Bytes message = transport.compose(Mails.simple());
      transport.deliver(Mails.envelope("ada@example.com"), message, () -> true);
      transport.deliver(Mails.envelope("ada@example.com"), message, () -> true);
    }
    assertThat(server.messages()).hasSize(2);
    assertThat(server.commands().stream().filter(each -> each.startsWith("AUTH")))
        .extracting(each -> decoded(each.substring("AUTH XOAUTH2 ".length())))
        .containsExactly(
            "user=shop\001auth=Bearer token-1\001\001", "user=shop\001auth=Bearer token-2\001\001");
  }

  @Test
  void aRelayThatRefusesTheLoginIsPausedAndTheSecretStaysSecret() {
    server.startTls(localhost.server()).offer("STARTTLS", "AUTH PLAIN");
    server.on("AUTH", "535 5.7.8 wrong password");
    SmtpRelay relay = startTls().login("shop", () -> "sesame");
    DeliveryResult.Postponed result = (DeliveryResult.Postponed) send(relay);
    assertThat(result.response()).isEqualTo("535 5.7.8 wrong password");
    assertThat(result.reason()).endsWith(": the relay answered 535 5.7.8 at AUTH");
    assertThat(server.count("MAIL")).isZero();
    assertThat(relay.toString() + new SmtpRelay.Login("shop", "sesame", false) + result)
        .doesNotContain("sesame")
        .doesNotContain("wrong password");
  }

  @Test
  void aRelayThatOffersNoLoginGetsNothingUnknownToUs() {
    server.startTls(localhost.server());
    DeliveryResult result = send(startTls().login("shop", () -> "sesame"));
    assertRefusedBeforeMail(result);
    assertThat(((DeliveryResult.Postponed) result).reason())
        .endsWith(": the relay offers no login");
  }

  @Test
  void aRelayThatOffersOnlyLoginsThatWeDoNotKnowGetsNothing() {
    server.startTls(localhost.server()).offer("STARTTLS", "AUTH GSSAPI");
    DeliveryResult result = send(startTls().login("shop", () -> "sesame"));
    assertRefusedBeforeMail(result);
    assertThat(((DeliveryResult.Postponed) result).reason())
        .endsWith(": the relay offers no login that we know");
  }

  @Test
  void aRelayThatGoesAwayInTheHandshakeIsOnlyAway() {
    server.startTls(localhost.server()).on("STARTTLS", ScriptedServer.GO_AHEAD_AND_DROP);
    DeliveryResult result = send(startTls());
    assertRefusedBeforeMail(result);
    assertThat(((DeliveryResult.Postponed) result).delay()).hasSeconds(1);
  }

  @Test
  void aSupplierThatFailsSaysNothingOfItsSecret() {
    server.startTls(localhost.server());
    DeliveryResult.Postponed result =
        (DeliveryResult.Postponed)
            send(
                startTls()
                    .login(
                        "shop",
                        () -> {
                          throw new IllegalStateException("sesame");
                        }));
    assertThat(result.reason())
        .endsWith(": the supplier of the login failed: java.lang.IllegalStateException");
  }

  private String auth(String mechanism) {
    String command = "AUTH " + mechanism + " ";
    return server.commands().stream()
        .filter(each -> each.startsWith(command))
        .findFirst()
        .orElseThrow()
        .substring(command.length());
  }

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }
}
