package dev.outbox.mysql;

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
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Completion;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.PriorityLane;
import dev.outbox.testsupport.LogLines;
import dev.outbox.testsupport.MariaDbServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A file that cannot be read concerns one email. A content directory that cannot be read concerns
 * the emails with files in it, and makes none of them invalid.
 */
@ParameterizedClass
@ValueSource(strings = {"mariadb", "h2"})
class ContentDirectoryOutageTest {

  private static final Bytes LARGE = Bytes.utf8("x".repeat(2_000));
  private static final String PREFIX = "outage_";

  /** More passes than an email that only other nodes may read gets before it is invalid. */
  private static final int MANY = 25;

  private final String url;
  private final String user;
  private final Jdbi direct;
  private MySqlStore store;
  private Path files;

  @TempDir Path folder;

  ContentDirectoryOutageTest(String database) {
    boolean h2 = database.equals("h2");
    this.url =
        h2
            ? H2Settings.in("jdbc:h2:mem:outage") + ";DB_CLOSE_DELAY=-1"
            : MariaDbServer.shared().url();
    this.user = h2 ? "sa" : "root";
    this.direct = Jdbi.create(url, user, "");
  }

  @BeforeEach
  void open() {
    files = folder.resolve("content");
    store =
        MySqlStore.builder(url, user, "")
            .tablePrefix(PREFIX)
            .applySchema()
            .largeContent(ContentDirectory.at(files))
            .largeContentFrom(1_000)
            .build();
  }

  @AfterEach
  void close() {
    store.close();
    direct.useHandle(
        handle ->
            Stream.of("emails", "log", "contents", "statuses", "keys", "nodes", "schema")
                .forEach(table -> handle.execute("DROP TABLE IF EXISTS " + PREFIX + table)));
  }

  @Test
  void aFileThatCannotBeReadConcernsItsEmailOnly() throws IOException {
    EmailId bad = stored(LARGE);
    Path file;
    try (Stream<Path> all = Files.walk(files)) {
      file = all.filter(Files::isRegularFile).findFirst().orElseThrow();
    }
    // Also root cannot read a folder as a file.
    Files.delete(file);
    Files.createDirectory(file);

    assertIsolated(bad);
  }

  @Test
  void aDamagedFileNameConcernsItsEmailOnly() {
    EmailId bad = stored(LARGE);
    direct.useHandle(
        handle ->
            handle.execute("UPDATE outage_emails SET payload_file_path = '../../etc/passwd'"));

    assertIsolated(bad);
  }

  private void assertIsolated(EmailId bad) {
    EmailId large = stored(LARGE);
    EmailId small = stored(Bytes.utf8("small"));

    assertThat(store.find(bad).orElseThrow().content()).isNull();
    List<Claim> claims = Emails.claim(store, State.ACCEPTED);

    assertThat(claims).extracting(Claim::id).containsExactlyInAnyOrder(bad, large, small);
    assertThat(claims)
        .filteredOn(claim -> claim.content() == null)
        .extracting(Claim::id)
        .containsExactly(bad);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gone", "empty", "no directory"})
  void anOutageOfTheDirectoryNeverMakesAnEmailInvalid(String how) throws IOException {
    List<EmailId> delivered = new ArrayList<>();
    try (Outbox outbox =
        Outbox.builder(store)
            .transport(new AcceptingTransport(Duration.ZERO, delivered::add))
            .defaultFrom("shop@example.com")
            .processing(ProcessingSettings.DEFAULT.rollingUpgradePeriod(Duration.ofMillis(20)))
            .build()) {
      EmailId large = outbox.send(mail("x".repeat(2_000))).id();
      fail(how);
      for (int pass = 0; pass < MANY; pass++) {
        EmailId small = outbox.send(mail("small")).id();
        outbox.processDue();
        assertThat(delivered).as("an email without files").contains(small);
        EmailSummary waiting = store.find(large).orElseThrow().summary();
        assertThat(waiting.state()).isEqualTo(State.ACCEPTED);
        assertThat(waiting.progress().stageRetries()).isZero();
        makeDue();
      }
      assertThat(store.history(large)).isEmpty();
      repair();

      outbox.processDue();

      assertThat(delivered).contains(large);
    }
  }

  @Test
  void emailsWithFilesDoNotKeepLaterEmailsFromBeingClaimed() throws IOException {
    for (int i = 0; i < 3; i++) {
      stored(LARGE);
    }
    EmailId small = stored(Bytes.utf8("small"));
    fail("gone");

    assertThat(claim(2)).isEmpty();

    assertThat(claim(2)).extracting(Claim::id).containsExactly(small);
  }

  @Test
  void anEmailWhoseComposedMessageIsInAFileStaysReady() throws IOException {
    EmailId id = stored(Bytes.utf8("small"));
    Claim claim = store.beginDelivery(Emails.claim(store, State.ACCEPTED)).get(0);
    store.complete(List.of(Completion.retry(claim, Duration.ZERO, OutcomeDetails.NONE, LARGE)));
    fail("gone");

    assertThat(Emails.claim(store, State.READY)).isEmpty();

    assertThat(store.find(id).orElseThrow().summary().state()).isEqualTo(State.READY);
    repair();
    makeDue();
    assertThat(Emails.claim(store, State.READY))
        .singleElement()
        .satisfies(again -> assertThat(again.composed()).isTrue());
  }

  @Test
  void aCallbackNeedsNoFile() throws IOException {
    NewEmail email = withCallback();
    store.insert(List.of(email));
    Claim claim = Emails.claim(store, State.ACCEPTED).get(0);
    store.complete(List.of(Completion.invalid(claim, OutcomeDetails.of("invalid"))));
    fail("no directory");

    assertThat(Emails.claim(store, State.INVALID))
        .extracting(Claim::id)
        .containsExactly(email.id());
  }

  @Test
  void anEmailIsFoundWithoutItsContent() throws IOException {
    EmailId id = stored(LARGE);
    fail("no directory");

    assertThat(store.find(id).orElseThrow().content()).isNull();
  }

  @Test
  void anOutageOfTheDirectoryIsLoggedOnceAndSoIsItsEnd() throws IOException {
    stored(LARGE);
    stored(LARGE);
    try (LogLines lines = new LogLines(ContentStorage.class)) {
      fail("empty");
      for (int i = 0; i < 3; i++) {
        Emails.claim(store, State.ACCEPTED);
        makeDue();
      }
      assertThat(lines.messages(Level.SEVERE))
          .containsExactly("the content directory cannot be read, emails with files in it wait");
      assertThat(lines.messages(Level.WARNING)).isEmpty();
      repair();

      assertThat(Emails.claim(store, State.ACCEPTED)).hasSize(2);

      assertThat(lines.messages(Level.INFO))
          .containsExactly("the content directory can be read again");
    }
  }

  private EmailId stored(Bytes payload) {
    NewEmail email = Emails.withPayload(payload);
    store.insert(List.of(email));
    return email.id();
  }

  private static NewEmail withCallback() {
    NewEmail plain = Emails.withPayload(LARGE);
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

  private List<Claim> claim(int limit) {
    return store.claim(
        new ClaimRequest(
            Emails.NODE, State.ACCEPTED, Map.of(PriorityLane.NORMAL, limit), 1L << 30));
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

  /** Makes everything due that waits. */
  private void makeDue() {
    direct.useHandle(
        handle -> handle.execute("UPDATE outage_emails SET due = created WHERE due IS NOT NULL"));
    store.forgetLowWater();
  }
}
