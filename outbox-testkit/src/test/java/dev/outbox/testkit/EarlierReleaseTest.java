package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailContent;
import dev.outbox.email.EmailDetails;
import dev.outbox.email.EmailId;
import dev.outbox.email.Priority;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.store.NewEmail;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that an earlier release has stored with values that this one accepts no more. */
class EarlierReleaseTest {

  private final WireTap wire = new WireTap();
  private final TestOutbox mail = TestOutbox.with(builder -> builder.transport(wire));
  private final Outbox outbox = mail.outbox();

  @AfterEach
  void everyHistoryIsAPath() {
    Paths.checkAll(outbox);
  }

  @ParameterizedTest
  @ValueSource(strings = {"=?utf-8?q?a=40evil.com=3e?=", "|/bin/sh", "/dev/null", "a%b", "a!b"})
  void anAddressThatIsNoLongerAcceptedIsShownAndSent(String local) {
    Address address = new Address(null, local, "example.com");
    EmailId id =
        insert(address, "{\"v\":1,\"replyTo\":[\"%s\"],\"text\":\"t\"}".formatted(address.email()));
    EmailId other = outbox.send(Mails.plain()).id();

    EmailDetails stored = outbox.find(id).orElseThrow();
    mail.process();

    assertThat(stored.problem()).isNull();
    assertThat(stored.content()).extracting(EmailContent::replyTo).isEqualTo(List.of(address));
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT);
    assertThat(Mails.summary(mail, id).addressesAndSubject())
        .isEqualTo(new AddressesAndSubject(address, Recipients.of(address), "s"));
    assertThat(wire.offers()).extracting(WireTap.Offer::id).containsExactlyInAnyOrder(id, other);
  }

  @Test
  void anAttachmentThatIsNoLongerAcceptedMakesItsEmailInvalidAndStopsNoOther() {
    EmailId id =
        insert(
            Address.parse("ada@example.com"),
            "{\"v\":1,\"text\":\"t\",\"attachments\":"
                + "[{\"name\":\"secret.eml\",\"type\":\"message/partial\",\"content\":\"QQ==\"}]}");
    EmailId other = outbox.send(Mails.plain()).id();

    mail.process();

    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.INVALID);
    assertThat(Mails.summary(mail, id).reason())
        .contains("attachment.contentType: message/partial")
        .doesNotContain("secret");
    assertThat(outbox.find(id).orElseThrow().problem()).contains("attachment.contentType");
    assertThat(wire.offers()).extracting(WireTap.Offer::id).containsExactly(other);
  }

  private EmailId insert(Address address, String payload) {
    EmailId id = EmailId.next();
    mail.store()
        .insert(
            List.of(
                new NewEmail(
                    id,
                    new AddressesAndSubject(address, Recipients.of(address), "s"),
                    Priority.NORMAL,
                    null,
                    Set.of(),
                    null,
                    null,
                    null,
                    null,
                    Duration.ofDays(3),
                    Bytes.utf8(payload))));
    return id;
  }
}
