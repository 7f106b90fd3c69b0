package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.smtp.FolderTransport;
import dev.outbox.smtp.RecipientAllowList;
import dev.outbox.smtp.SmtpRelay;
import dev.outbox.smtp.SmtpTransport;
import dev.outbox.store.OutboxStore;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.transport.Transport;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/smtp.md and docs/recipes/relays.md, without a relay to talk to. */
class RelaysTest {

  private final OutboxStore store = new InMemoryStore();

  @Test
  void anOutboxStartsOverTwoRelays() {
    SmtpTransport smtp =
        SmtpTransport.over(
            SmtpRelay.startTls("smtp.example.com", 587).login("shop", this::secret),
            SmtpRelay.startTls("backup.example.net", 587)); // used while the first is out of order
    Outbox outbox = Outbox.builder(store).transport(smtp).build().start();

    outbox.close();
    assertThatThrownBy(() -> smtp.availableCapacity(1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void eachKindOfRelayCanBeNamed() {
    SmtpRelay submission =
        SmtpRelay.startTls("smtp.example.com", 587).login("shop", this::secret).emailsPerSecond(14);
    SmtpRelay implicit = SmtpRelay.implicitTls("smtp.example.com", 465).login("shop", this::secret);
    SmtpRelay modern = SmtpRelay.startTls("smtp.example.com", 587).oauth2("shop", this::secret);
    SmtpRelay local = SmtpRelay.unprotectedPlaintext("127.0.0.1", 25);

    assertThat(new SmtpRelay[] {submission, implicit, modern, local}).doesNotContainNull();
  }

  @Test
  void whatIsForDevelopmentKeepsMailFromStrangers(@TempDir Path folder) {
    Transport files = new FolderTransport(folder.resolve("mail")); // each email becomes <id>.eml
    Transport smtp = SmtpTransport.over(SmtpRelay.startTls("smtp.example.com", 587));
    Transport diverted =
        RecipientAllowList.redirectOthers(smtp, "staging@example.com", "@example.com");
    Transport held = RecipientAllowList.rejectOthers(smtp, "@example.com", "ada@customer.example");

    assertThat(folder.resolve("mail")).isDirectory();
    diverted.close();
    held.close();
    files.close();
  }

  /** Asked on each connect; in life it would ask a vault. */
  private String secret() {
    return "secret";
  }
}
