package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.Address;
import dev.outbox.email.Bytes;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.testkit.RecordingTransport;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder of files, and the list of who may get mail. */
class AidsTest {

  private final List<Envelope> wire = new CopyOnWriteArrayList<>();
  private final RecordingTransport inner = new RecordingTransport();

  private DeliveryResult.Answered send(RecipientAllowList transport, String... recipients) {
    inner.answer(
        envelope -> {
          wire.add(envelope);
          return RecordingTransport.accept(envelope);
        });
    return (DeliveryResult.Answered)
        transport.deliver(Mails.envelope(recipients), Bytes.utf8("x"), () -> true);
  }

  private List<String> receivers() {
    return wire.stream().flatMap(e -> e.recipients().stream()).map(Address::email).toList();
  }

  private static List<String> told(DeliveryResult.Answered result) {
    return result.recipients().stream().map(r -> r.recipient() + " " + r.status()).toList();
  }

  @Test
  void othersAreHeldAndCountAsRefused() {
    RecipientAllowList guard =
        RecipientAllowList.rejectOthers(inner, "ADA@example.com", "@our.example");
    DeliveryResult.Answered result =
        send(guard, "ada@example.com", "bob@example.com", "cyd@OUR.example", "x@sub.our.example");
    assertThat(receivers()).containsExactly("ada@example.com", "cyd@our.example");
    assertThat(told(result))
        .containsExactly(
            "ada@example.com ACCEPTED",
            "bob@example.com REFUSED",
            "cyd@our.example ACCEPTED",
            "x@sub.our.example REFUSED");
  }

  @Test
  void nobodyIsAskedForAnEmailThatIsForOthersOnly() {
    DeliveryResult.Answered result =
        send(RecipientAllowList.rejectOthers(inner), "bob@example.com");
    assertThat(wire).isEmpty();
    assertThat(told(result)).containsExactly("bob@example.com REFUSED");
    assertThat(result.response()).isEqualTo("not on the list of approved recipients");
  }

  @Test
  void othersAreDivertedToOneMailboxOnce() {
    RecipientAllowList guard =
        RecipientAllowList.redirectOthers(inner, "staging@our.example", "ada@example.com");
    DeliveryResult.Answered result =
        send(guard, "bob@example.com", "ada@example.com", "cyd@example.com");
    assertThat(receivers()).containsExactly("staging@our.example", "ada@example.com");
    assertThat(told(result))
        .containsExactly(
            "bob@example.com ACCEPTED", "ada@example.com ACCEPTED", "cyd@example.com ACCEPTED");
  }

  @Test
  void aListWithAnErrorIsRefused() {
    assertThatThrownBy(() -> RecipientAllowList.rejectOthers(inner, "example.com"))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageContaining("approved");
    assertThatThrownBy(() -> RecipientAllowList.redirectOthers(inner, "nobody"))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageContaining("catchAll");
  }

  @Test
  void theRestIsTheOtherTransports() {
    RecipientAllowList guard = RecipientAllowList.rejectOthers(inner, "@example.com");
    inner.limitCapacity(3);
    assertThat(guard.availableCapacity(10)).isEqualTo(3);
    inner.answer(envelope -> new DeliveryResult.Unknown("lost"));
    assertThat(guard.deliver(Mails.envelope("a@example.com"), Bytes.utf8("x"), () -> true))
        .isInstanceOf(DeliveryResult.Unknown.class);
    guard.close();
    assertThat(inner.isClosed()).isTrue();
  }

  @Test
  void anEmailBecomesAFileThatAMailProgramCanOpen(@TempDir Path folder) throws IOException {
    FolderTransport transport = new FolderTransport(folder.resolve("out/mail"));
    RenderedMessage message = Mails.simple();
    Bytes bytes = transport.compose(message);
    Envelope envelope = new Envelope(message.id(), message.from(), message.recipients().all());
    assertThat(transport.deliver(envelope, bytes, () -> true))
        .isInstanceOf(DeliveryResult.Answered.class);
    byte[] file = Files.readAllBytes(folder.resolve("out/mail/" + message.id() + ".eml"));
    assertThat(Parsed.of(file).message().getSubject()).isEqualTo("Order 42");
  }

  @Test
  void onlyTheOwnerCanReadTheFolderAndItsFiles(@TempDir Path folder) throws IOException {
    FolderTransport transport = new FolderTransport(folder.resolve("out/mail"));
    transport.deliver(Mails.envelope("a@example.com"), Bytes.utf8("x"), () -> true);

    try (Stream<Path> all = Files.walk(folder.resolve("out"))) {
      assertThat(all.map(AidsTest::permissions))
          .containsExactly("rwx------", "rwx------", "rw-------");
    }
  }

  @Test
  void aFolderOfTheHostStaysAsItIsAndMayBeALink(@TempDir Path folder) throws IOException {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), open);

    FolderTransport transport = new FolderTransport(link);

    assertThat(transport.deliver(Mails.envelope("a@example.com"), Bytes.utf8("x"), () -> true))
        .isInstanceOf(DeliveryResult.Answered.class);
    assertThat(permissions(open)).isEqualTo("rwxr-xr-x");
  }

  private static String permissions(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFileThatMayNotBeWrittenIsNotThere(@TempDir Path folder) throws IOException {
    FolderTransport transport = new FolderTransport(folder);
    assertThat(transport.deliver(Mails.envelope("a@example.com"), Bytes.utf8("x"), () -> false))
        .isInstanceOf(DeliveryResult.NotSent.class);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }
}
