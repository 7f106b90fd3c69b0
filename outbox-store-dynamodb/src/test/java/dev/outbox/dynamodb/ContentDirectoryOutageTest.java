package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.content.ContentDirectory;
import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.testkit.RecordingTransport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A content directory that cannot be read concerns the emails with files in it, and makes none of
 * them invalid.
 */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class ContentDirectoryOutageTest extends LocalStore {

  private static final Bytes LARGE = Bytes.owned(new byte[500_000]);

  /** More passes than an email that only other nodes may read gets before it is invalid. */
  private static final int MANY = 25;

  private static final Duration LATER = Duration.ofMinutes(2);

  private final boolean plainHistory;
  private DynamoDbStore large;
  private Stored own;
  private Path files;

  @TempDir Path folder;

  ContentDirectoryOutageTest(boolean plainHistory) {
    this.plainHistory = plainHistory;
  }

  @BeforeEach
  void openWithDirectory() {
    files = folder.resolve("content");
    large =
        open(
            builder -> builder.plainHistory(plainHistory).largeContent(ContentDirectory.at(files)));
    own = new Stored(large);
  }

  @AfterEach
  void closeWithDirectory() {
    large.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gone", "empty", "no directory"})
  void anOutageOfTheDirectoryNeverMakesAnEmailInvalid(String how) throws IOException {
    RecordingTransport transport = new RecordingTransport();
    try (Outbox outbox =
        Outbox.builder(large)
            .transport(transport)
            .defaultFrom("shop@example.com")
            .processing(ProcessingSettings.DEFAULT.rollingUpgradePeriod(Duration.ofMillis(20)))
            .build()) {
      EmailId id = outbox.send(mail("x".repeat(500_000))).id();
      fail(how);
      for (int pass = 1; pass <= MANY; pass++) {
        outbox.send(mail("small"));
        outbox.processDue();
        assertThat(transport.sent()).as("emails without files").hasSize(pass);
        EmailSummary waiting = large.find(id).orElseThrow().summary();
        assertThat(waiting.state()).isEqualTo(State.ACCEPTED);
        assertThat(waiting.progress().stageRetries()).isZero();
        tables.advance(LATER);
      }
      assertThat(large.history(id)).isEmpty();
      repair();

      outbox.processDue();

      assertThat(transport.sent()).hasSize(MANY + 1);
    }
  }

  @Test
  void emailsWithFilesDoNotKeepLaterEmailsFromBeingClaimed() throws IOException {
    for (int i = 0; i < 3; i++) {
      own.waiting(Mail.email(null, LARGE));
    }
    EmailId small = own.waiting(Mail.email());
    fail("gone");

    assertThat(large.claim(Mail.claim(own.node(), State.ACCEPTED, 2))).isEmpty();

    assertThat(large.claim(Mail.claim(own.node(), State.ACCEPTED, 2)))
        .extracting(Claim::id)
        .containsExactly(small);
    assertThat(large.claimsOf(own.node(), 10)).hasSize(1);
  }

  @Test
  void anEmailWhoseComposedMessageIsInAFileStaysReady() throws IOException {
    EmailId id = own.waiting(Mail.email());
    large.complete(
        List.of(Completion.retry(own.onTheWire(), Duration.ZERO, OutcomeDetails.NONE, LARGE)));
    fail("gone");

    assertThat(large.claim(Mail.claim(own.node(), State.READY, 1))).isEmpty();

    assertThat(large.find(id).orElseThrow().summary().state()).isEqualTo(State.READY);
    repair();
    tables.advance(LATER);
    assertThat(large.claim(Mail.claim(own.node(), State.READY, 1)))
        .singleElement()
        .satisfies(again -> assertThat(again.composed()).isTrue());
  }

  @Test
  void aCallbackNeedsNoFile() throws IOException {
    EmailId id = own.waiting(withCallback());
    large.complete(List.of(Completion.invalid(own.claimed(), OutcomeDetails.of("invalid"))));
    fail("no directory");

    assertThat(large.claim(Mail.claim(own.node(), State.INVALID, 1)))
        .extracting(Claim::id)
        .containsExactly(id);
  }

  @Test
  void anEmailIsFoundWithoutItsContent() throws IOException {
    EmailId id = own.waiting(Mail.email(null, LARGE));
    fail("no directory");

    assertThat(large.find(id).orElseThrow().content()).isNull();
  }

  private static NewEmail withCallback() {
    NewEmail plain = Mail.email(null, LARGE);
    return new NewEmail(
        plain.id(),
        plain.addressesAndSubject(),
        plain.priority(),
        plain.template(),
        plain.tags(),
        plain.requestId(),
        URI.create("https://shop.example.com/emails"),
        plain.key(),
        plain.sendAt(),
        plain.lifetime(),
        plain.payload());
  }

  private static Email mail(String text) {
    return Email.to("ada@example.com").subject("Order").text(text).build();
  }

  private void fail(String how) throws IOException {
    Files.move(files, folder.resolve("away"));
    if (how.equals("empty")) {
      Files.createDirectory(files);
    } else if (how.equals("no directory")) {
      Files.createFile(files);
    }
  }

  private void repair() throws IOException {
    Files.deleteIfExists(files);
    Files.move(folder.resolve("away"), files);
  }
}
