package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Attachment;
import dev.outbox.email.Body;
import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.email.EmailContent;
import dev.outbox.email.EmailDetails;
import dev.outbox.email.EmailId;
import dev.outbox.email.Header;
import dev.outbox.store.NewEmail;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a person can read of a stored email. */
class EmailDetailsTest {

  private final TestOutbox mail = TestOutbox.with(Mails::templates);
  private final Outbox outbox = mail.outbox();

  @Test
  void allThatTheHostGaveCanBeReadBack() {
    Attachment invoice = Attachment.of("invoice.pdf", "application/pdf", new byte[] {1, 2, 3});
    EmailId id =
        outbox
            .send(
                Email.to("ada@example.com")
                    .template("welcome", Mails.WELCOME)
                    .locale(Locale.ITALIAN)
                    .replyTo("help@example.com")
                    .attach(invoice)
                    .header("X-Campaign", "spring")
                    .build())
            .id();

    EmailContent content = content(id);

    Body.Templated body = (Body.Templated) content.body();
    assertThat(body.template()).isEqualTo("welcome");
    assertThat(body.data().json()).isEqualTo("{\"code\":42,\"name\":\"Ada\"}");
    assertThat(body.locale()).isEqualTo(Locale.ITALIAN);
    assertThat(content.replyTo()).containsExactly(Address.parse("help@example.com"));
    assertThat(content.attachments()).containsExactly(invoice);
    assertThat(content.headers()).containsExactly(new Header("X-Campaign", "spring"));
    assertThat(content.composed()).isNull();
    assertThat(content.toString()).doesNotContain("Ada", "invoice", "spring", "help");
  }

  @Test
  void theComposedBytesAreThereOnceTheyAreStored() {
    mail.transport().answer(RecordingTransport::defer);
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();

    assertThat(Objects.requireNonNull(content(id).composed()).toUtf8())
        .startsWith("Subject: Subject of Ada");
    AddressesAndSubject addressesAndSubject =
        Objects.requireNonNull(Mails.summary(mail, id).addressesAndSubject());
    assertThat(addressesAndSubject.subject()).isEqualTo("Subject of Ada");
  }

  @Test
  void contentThatWasDroppedIsNoProblem() {
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();

    EmailDetails details = outbox.find(id).orElseThrow();
    assertThat(details.content()).isNull();
    assertThat(details.problem()).isNull();
  }

  @Test
  void contentThatCannotBeReadIsAProblemInWords() {
    EmailDetails newer = stored("{\"v\":99,\"secret\":1}");
    EmailDetails broken = stored("a secret");

    assertThat(newer.content()).isNull();
    assertThat(newer.problem()).contains("99").doesNotContain("secret");
    assertThat(broken.content()).isNull();
    assertThat(broken.problem()).contains("not JSON").doesNotContain("secret");
    assertThat(List.of(newer, broken).toString()).doesNotContain(Mails.PERSONAL);
  }

  private EmailDetails stored(String payload) {
    NewEmail like = SampleEmail.email().build();
    NewEmail email =
        new NewEmail(
            like.id(),
            like.addressesAndSubject(),
            like.priority(),
            null,
            like.tags(),
            null,
            null,
            null,
            null,
            like.lifetime(),
            Bytes.utf8(payload));
    mail.store().insert(List.of(email));
    return outbox.find(email.id()).orElseThrow();
  }

  private EmailContent content(EmailId id) {
    return Objects.requireNonNull(outbox.find(id).orElseThrow().content());
  }
}
