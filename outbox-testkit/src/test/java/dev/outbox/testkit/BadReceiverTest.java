package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.callback.HttpCallback;
import dev.outbox.callback.HttpCallbackBuilder;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.State;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
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
      Told told = tell(receiver.url(), builder -> builder.timeout(SOON));

      assertThat(told.email().state()).isEqualTo(State.SENT_ACKNOWLEDGED);
      assertThat(told.last().detail()).isEqualTo("slowly");
      assertThat(log.of(Level.SEVERE)).isEmpty();
    }
  }

  @Test
  void aHugeBodyIsNotRead() throws IOException {
    AtomicLong written = new AtomicLong();
    try (RawReceiver receiver =
        new RawReceiver(
            connection -> {
              RawReceiver.write(connection, "HTTP/1.1 503 Busy\r\n\r\n");
              byte[] much = new byte[65_536];
              while (written.addAndGet(much.length) < 1L << 30) {
                connection.getOutputStream().write(much);
              }
            })) {
      Told told = tell(receiver.url());

      assertThat(told.email().state()).isEqualTo(State.CALLING_SENT_CALLBACK);
      assertThat(told.last().reason()).isEqualTo("HTTP 503");
      assertThat(told.last().detail())
          .satisfiesAnyOf(
              detail -> assertThat(detail).isNull(),
              detail -> assertThat(detail).hasSizeLessThan(2_049));
      assertThat(written.get()).isLessThan(1L << 26);
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
      assertCalledAgain(tell(receiver.url()), "no answer: ");
    }
  }

  @Test
  void anAnswerThatIsNotHttpIsCalledAgainAndNotShown() throws IOException {
    try (RawReceiver receiver =
        new RawReceiver(
            connection -> RawReceiver.write(connection, "220 secret.example.com ESMTP\r\n"))) {
      assertCalledAgain(tell(receiver.url()), "no answer: IOException");
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
      Told told = tell(secure(receiver), builder -> builder.tls(certificate.trust()));

      assertThat(told.email().state()).isEqualTo(State.SENT_ACKNOWLEDGED);
      assertThat(told.last().detail()).isEqualTo("securely");
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

  /** What became of an email, and the last thing in its history. */
  private record Told(EmailSummary email, HistoryEntry last, Duration dueIn) {}

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
      EmailSummary email = Mails.summary(mail, id);
      assertThat(Paths.path(mail.outbox(), id)).contains(State.CALLING_SENT_CALLBACK);
      var history = mail.outbox().history(id);
      return new Told(
          email,
          history.get(history.size() - 1),
          email.due() == null
              ? Duration.ZERO
              : Duration.between(mail.store().now(), Objects.requireNonNull(email.due())));
    }
  }

  private void assertCalledAgain(Told told, String reason) {
    assertThat(told.email().state()).isEqualTo(State.CALLING_SENT_CALLBACK);
    assertThat(told.email().owner()).isNull();
    assertThat(told.dueIn()).isEqualTo(Duration.ofSeconds(5));
    assertThat(told.last().reason()).startsWith(reason);
    assertThat(told.last().detail()).isNull();
    assertThat(log.of(Level.SEVERE)).isEmpty();
    assertThat(log.all()).noneMatch(line -> line.contains("secret"));
  }
}
