package dev.outbox.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class SmtpReplyReaderTest {

  /** A relay that sends these bytes, some at a time, and ends the connection. */
  private static SmtpReplyReader relay(String text, int atOnce) throws IOException {
    InputStream in =
        new ByteArrayInputStream(text.getBytes(ISO_8859_1)) {
          @Override
          public synchronized int read(byte[] to, int start, int count) {
            return super.read(to, start, Math.min(count, atOnce));
          }
        };
    return new SmtpReplyReader(
        new Socket() {
          @Override
          public InputStream getInputStream() {
            return in;
          }
        });
  }

  @Test
  void repliesAreReadWhateverThePiecesInWhichTheyCome() throws IOException {
    String text =
        "220 hi\r\n250-a\r\n250-\r\n250 b\n354\r\r\n\r\n550-x\r\n550 caf\u00e9 \r odd\r\n";
    for (int atOnce = 1; atOnce <= text.length(); atOnce++) {
      SmtpReplyReader relay = relay(text, atOnce);
      assertThat(relay.read()).isEqualTo("220 hi\n");
      assertThat(relay.read()).isEqualTo("250-a\n250-\n250 b\n");
      assertThat(relay.read()).isEqualTo("354\n");
      assertThat(relay.read()).isEqualTo("\n");
      assertThat(relay.read()).isEqualTo("550-x\n550 caf\u00e9 \r odd\n");
      assertThat(relay.read()).isNull();
    }
  }

  @Test
  void aReplyThatTheConnectionCutsOffHasNoEnd() throws IOException {
    assertThat(relay("250-a\r\n", 100).read()).isNull();
    assertThat(relay("250-a", 100).read()).isNull();
    assertThat(relay("250 a", 100).read()).as("a last line without its end").isEqualTo("250 a\n");
  }

  @Test
  void aReplyWithoutAnEndIsGivenUp() throws IOException {
    String line = "250-" + "x".repeat(996) + "\r\n";
    assertThat(relay(line.repeat(60) + "250 ok\r\n", 1_000).read()).hasSizeGreaterThan(60_000);
    assertThatThrownBy(() -> relay(line.repeat(80) + "250 ok\r\n", 1_000).read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("65536 bytes");
    assertThatThrownBy(() -> relay("250 " + "x".repeat(80_000) + "\r\n", 1_000).read())
        .isInstanceOf(IOException.class);
  }

  @Test
  void aCodeIsThreeDigits() {
    assertThat(SmtpReply.code("250 ok\n")).isEqualTo(250);
    assertThat(SmtpReply.code("354\n")).isEqualTo(354);
    for (String none : new String[] {"", "\n", "25", "25 ok", "-25 x", "+25 x", "[EOF]", "x250"}) {
      assertThat(SmtpReply.code(none)).as(none).isEqualTo(-1);
    }
  }
}
