package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.outbox.email.Attachment;
import dev.outbox.email.Email;
import dev.outbox.email.State;
import dev.outbox.testkit.TestOutbox;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** From {@code send} to a mail server that others have written. */
class GreenMailTest {

  @Test
  void anEmailArrivesWhole() throws MessagingException, IOException {
    GreenMail server = new GreenMail(ServerSetup.SMTP.dynamicPort());
    server.setUser("shop", "sesame");
    server.start();
    SmtpTransport smtp =
        SmtpTransport.over(
            SmtpRelay.unprotectedPlaintext("localhost", server.getSmtp().getPort())
                .login("shop", () -> "sesame"));
    try (TestOutbox mail = TestOutbox.with(builder -> builder.transport(smtp))) {
      var id =
          mail.outbox()
              .send(
                  Email.to("Žofie <zofie@example.com>")
                      .subject("Grüße")
                      .html("<p>Grüße</p><img src=\"cid:logo\">")
                      .attach(Attachment.of("Übersicht.pdf", "application/pdf", new byte[] {1, 2}))
                      .attach(Attachment.of("b.txt", "text/plain", new byte[] {'b'}))
                      .attach(Attachment.inline("logo", "l.png", "image/png", new byte[] {3}))
                      .build())
              .id();
      mail.process();
      assertThat(mail.outbox().find(id).orElseThrow().summary().state()).isEqualTo(State.SENT);

      MimeMessage[] received = server.getReceivedMessages();
      assertThat(received).hasSize(1);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      received[0].writeTo(bytes);
      Parsed parsed = Parsed.of(bytes.toByteArray());
      assertThat(parsed.to()).containsExactly("Žofie <zofie@example.com>");
      assertThat(parsed.message().getSubject()).isEqualTo("Grüße");
      assertThat(parsed.parts()).hasSize(5);
      assertThat(parsed.parts().get(0).text().strip()).isEqualTo("Grüße");
      assertThat(parsed.parts().get(2).content()).isEqualTo(new byte[] {3});
      assertThat(parsed.parts().get(3).fileName()).isEqualTo("Übersicht.pdf");
      assertThat(parsed.parts().get(3).content()).isEqualTo(new byte[] {1, 2});
    } finally {
      server.stop();
    }
  }
}
