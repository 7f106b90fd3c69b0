package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.callback.HttpCallback;
import dev.outbox.callback.HttpCallbackBuilder;
import dev.outbox.email.EmailId;
import dev.outbox.testsupport.LogLines;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Receivers that break HTTP, TLS or the connection. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BadReceiverTest {

  private static final Duration SOON = Duration.ofSeconds(2);

  private static final Duration PATIENTLY = Duration.ofSeconds(30);

  private final LogLines log = new LogLines();

  @AfterEach
  void stopListening() {
    log.close();
  }

  @Test
  void aBodyThatNeverEndsDoesNotChangeWhatTheStatusSaid() throws IOException {
    try (RawReceiver receiver =
        new RawReceiver(
            connection -> {
              RawReceiver.write(
                  connection, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nslowly");
              RawReceiver.awaitEnd(connection);
            })) {
      tell(receiver.url(), builder -> builder.timeout(SOON)).wasAcknowledged("slowly");
    }
  }

  @Test
  void aHugeBodyIsNotRead() throws IOException {
    AtomicLong written = new AtomicLong();
    try (RawReceiver receiver =
        new RawReceiver(
            connection -> {
              RawReceiver.write(connection, "HTTP/1.1 503 Busy\r\n\r\n");
              byte[] much = "x".repeat(65_536).getBytes(StandardCharsets.US_ASCII);
              while (written.addAndGet(much.length) < 1L << 30) {
                connection.getOutputStream().write(much);
              }
            })) {
      Duration wait = tell(receiver.url()).isCalledAgain("HTTP 503", "x".repeat(1_999) + "\u2026");

      assertThat(wait).isEqualTo(Duration.ofSeconds(5));
      assertThat(written.get()).isLessThan(1L << 26);
    }
  }

  @Test
  void interimAnswersSayNothingYet() throws IOException {
    try (RawReceiver receiver =
        new RawReceiver(
            connection ->
                RawReceiver.write(
                    connection,
                    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\n\r\nat last"))) {
      tell(receiver.url()).wasAcknowledged("at last");
    }
  }

  @Test
  void aReceiverThatSaysNothingIsCalledAgain() throws IOException {
    try (RawReceiver receiver = new RawReceiver(RawReceiver::awaitEnd)) {
      assertCalledAgain(
          tell(receiver.url(), builder -> builder.timeout(SOON)),
          "no answer: SocketTimeoutException");
    }
  }

  @Test
  void aHeadThatDripsWithoutEndIsGivenUpInTime() throws IOException {
    try (RawReceiver receiver =
        new RawReceiver(
            connection -> {
              RawReceiver.write(connection, "HTTP/1.1 200 OK\r\n");
              connection.setSoTimeout(20);
              while (true) {
                RawReceiver.write(connection, "X: y\r\n");
                awaitAMoment(connection);
              }
            })) {
      assertCalledAgain(
          tell(receiver.url(), builder -> builder.timeout(SOON)),
          "no answer: SocketTimeoutException");
    }
  }

  @Test
  void aConnectionThatIsResetIsCalledAgain() throws IOException {
    try (RawReceiver receiver = new RawReceiver(connection -> connection.setSoLinger(true, 0))) {
      assertCalledAgain(
          tell(receiver.url()), "no answer: (SocketException|IOException|EOFException)");
    }
  }

  @Test
  void anAnswerThatIsNotHttpIsCalledAgainAndNotShown() throws IOException {
    try (RawReceiver receiver =
        new RawReceiver(
            connection -> RawReceiver.write(connection, "220 secret.example.com ESMTP\r\n"))) {
      assertCalledAgain(tell(receiver.url()), "no answer: IOException");
      assertThat(log.all()).noneMatch(line -> line.contains("secret"));
    }
  }

  @Test
  void aReceiverThatIsNotThereIsCalledAgain() throws IOException {
    RawReceiver gone = new RawReceiver(connection -> {});
    gone.close();

    assertCalledAgain(tell(gone.url()), "no answer: ConnectException");
  }

  @Test
  void aCertificateForThatNameIsAccepted(@TempDir Path folder) throws Exception {
    Certificate certificate = Certificate.of(folder, "dns:localhost");
    try (RawReceiver receiver =
        new RawReceiver(
            certificate.server(),
            connection -> RawReceiver.write(connection, "HTTP/1.1 200 OK\r\n\r\nsecurely"))) {
      tell(secure(receiver), builder -> builder.tls(certificate.trust()))
          .wasAcknowledged("securely");
    }
  }

  @Test
  void aCertificateForAnotherNameIsRefused(@TempDir Path folder) throws Exception {
    Certificate certificate = Certificate.of(folder, "dns:other.example.com");
    try (RawReceiver receiver =
        new RawReceiver(
            certificate.server(),
            connection -> RawReceiver.write(connection, "HTTP/1.1 200 OK\r\n\r\n"))) {
      assertCalledAgain(
          tell(secure(receiver), builder -> builder.tls(certificate.trust())),
          "no answer: SSLHandshakeException");
    }
  }

  @Test
  void aCertificateOfNobodyWeTrustIsRefused(@TempDir Path folder) throws Exception {
    Certificate certificate = Certificate.of(folder, "dns:localhost");
    try (RawReceiver receiver =
        new RawReceiver(
            certificate.server(),
            connection -> RawReceiver.write(connection, "HTTP/1.1 200 OK\r\n\r\n"))) {
      SSLContext usual = SSLContext.getDefault();
      assertCalledAgain(
          tell(secure(receiver), builder -> builder.tls(usual)),
          "no answer: SSLHandshakeException");
    }
  }

  /** Waits for as long as the connection's timeout. */
  private static void awaitAMoment(Socket connection) throws IOException {
    try {
      RawReceiver.awaitEnd(connection);
    } catch (SocketTimeoutException e) {
      // that was the moment
    }
  }

  private static URI secure(RawReceiver receiver) {
    return URI.create("https://localhost:" + receiver.port() + "/told");
  }

  private Told tell(URI url) {
    return tell(url, builder -> builder);
  }

  private Told tell(URI url, UnaryOperator<HttpCallbackBuilder> settings) {
    HttpCallback callback =
        settings
            .apply(HttpCallback.builder().allow("127.0.0.0/8", "::1").timeout(PATIENTLY))
            .build();
    try (TestOutbox mail = TestOutbox.with(builder -> builder.callback(callback))) {
      EmailId id = mail.outbox().send(Mails.to("ada@example.com").callbackUrl(url).build()).id();
      mail.process();
      Paths.checkAll(mail.outbox());
      return Told.of(mail, id, log);
    }
  }

  private static void assertCalledAgain(Told told, String reason) {
    assertThat(told.isCalledAgain(reason, null)).isEqualTo(Duration.ofSeconds(5));
  }
}
