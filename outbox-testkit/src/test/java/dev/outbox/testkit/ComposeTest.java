package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.Address;
import dev.outbox.email.Attachment;
import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.Header;
import dev.outbox.email.State;
import dev.outbox.transport.RenderedMessage;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a transport is given to compose, and what happens when it cannot. */
class ComposeTest {

  private final WireTap wire = new WireTap();
  private final TestOutbox mail =
      TestOutbox.with(builder -> Mails.templates(builder).transport(wire));
  private final Outbox outbox = mail.outbox();

  static Stream<Throwable> throwables() {
    return Stream.of(
        new IllegalStateException("a secret of ada@example.com"),
        new StackOverflowError(),
        new AssertionError("a secret of ada@example.com"),
        new NoClassDefFoundError("a/secret"),
        new IOException("a secret of ada@example.com"));
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void whateverComposingThrowsMakesThatEmailInvalidAndNoOther(Throwable thrown) {
    composeFailing(thrown);
    outbox.sendAll(Mails.many(3));
    EmailId bad = outbox.send(Mails.to("bad@example.com").build()).id();
    outbox.sendAll(Mails.many(3));

    mail.process();

    assertInvalid(outbox, bad, thrown);
    assertThat(wire.offers()).hasSize(6);
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void theThreadsOfAStartedOutboxSurviveItToo(Throwable thrown) {
    composeFailing(thrown);
    InMemoryStore store = new InMemoryStore();
    try (Outbox started =
        Outbox.builder(store).transport(wire).defaultFrom("a@example.com").build().start()) {
      EmailId bad = started.send(Mails.to("bad@example.com").build()).id();
      started.sendAll(Mails.many(50));
      await().until(() -> started.stats().failed() == 1 && started.stats().sent() == 50);
      started.sendAll(Mails.many(50));
      await().until(() -> wire.offers().size() == 100);

      assertInvalid(started, bad, thrown);
    }
  }

  @Test
  @SuppressWarnings("NullAway") // the defect of a transport written without a null checker
  void aTransportThatComposesNothingMakesTheEmailInvalid() {
    wire.compose(message -> null);
    EmailId id = outbox.send(Mails.plain()).id();

    mail.process();

    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.INVALID);
    Paths.path(outbox, id);
  }

  @Test
  void theMessageHasAllThatTheHostGave() {
    AtomicReference<RenderedMessage> seen = new AtomicReference<>();
    wire.compose(
        message -> {
          seen.set(message);
          return Bytes.utf8("x");
        });
    EmailId id =
        outbox
            .send(
                Email.to("Ada <ada@example.com>")
                    .cc("cc@example.com")
                    .bcc("bcc@example.com")
                    .from("Shop <shop@example.com>")
                    .replyTo("help@example.com")
                    .template("welcome", Mails.WELCOME)
                    .locale(Locale.ITALY)
                    .attach(Attachment.of("a.txt", "text/plain", new byte[] {1, 2}))
                    .attach(Attachment.inline("logo", "l.png", "image/png", new byte[] {3}))
                    .header("X-Shop", "1")
                    .build())
            .id();

    mail.process();

    RenderedMessage message = Objects.requireNonNull(seen.get());
    assertThat(message.id()).isEqualTo(id);
    assertThat(message.date()).isEqualTo(Mails.summary(mail, id).timeline().created());
    assertThat(message.from().format()).isEqualTo("\"Shop\" <shop@example.com>");
    assertThat(message.recipients().to()).containsExactly(Address.parse("Ada <ada@example.com>"));
    assertThat(message.recipients().cc()).containsExactly(Address.parse("cc@example.com"));
    assertThat(message.recipients().bcc()).containsExactly(Address.parse("bcc@example.com"));
    assertThat(message.replyTo()).containsExactly(Address.parse("help@example.com"));
    assertThat(message.subject()).isEqualTo("Welcome, Ada");
    assertThat(message.text()).startsWith("Ciao Ada");
    assertThat(message.html()).isNull();
    assertThat(message.headers()).containsExactly(new Header("X-Shop", "1"));
    assertThat(message.attachments())
        .containsExactly(
            Attachment.of("a.txt", "text/plain", new byte[] {1, 2}),
            Attachment.inline("logo", "l.png", "image/png", new byte[] {3}));
    assertThat(wire.offers().get(0).recipients())
        .isEqualTo(List.of("ada@example.com", "cc@example.com", "bcc@example.com"));
  }

  private void composeFailing(Throwable thrown) {
    wire.compose(
        message -> {
          if (message.recipients().to().get(0).local().equals("bad")) {
            throw Mails.<RuntimeException>sneaky(thrown);
          }
          return Bytes.utf8("good");
        });
  }

  private static void assertInvalid(Outbox outbox, EmailId id, Throwable thrown) {
    var email = outbox.find(id).orElseThrow().summary();
    assertThat(email.state()).isEqualTo(State.INVALID);
    assertThat(email.reason())
        .contains(thrown.getClass().getSimpleName())
        .doesNotContain(Mails.PERSONAL);
    Paths.path(outbox, id);
  }
}
