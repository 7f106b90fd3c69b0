package dev.outbox.callback;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpResponseReaderTest {

  private static final String CHUNKED = "HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n";

  @Test
  void aBodyOfAKnownLengthIsReadAndNoMore() throws IOException {
    HttpResponse answer = read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello, and more");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("hello");
  }

  @Test
  void aBodyInChunksIsPutTogether() throws IOException {
    HttpResponse answer = read(CHUNKED + "3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n");

    assertThat(answer.body()).isEqualTo("hello");
  }

  @Test
  void aBodyWithoutLengthEndsWithTheConnection() throws IOException {
    assertThat(read("HTTP/1.0 409 Conflict\n\nhello").body()).isEqualTo("hello");
  }

  @Test
  void aHugeBodyIsReadUpToALimit() throws IOException {
    assertThat(read("HTTP/1.1 200 OK\r\n\r\n" + "x".repeat(100_000)).body()).hasSize(2_048);
    assertThat(
            read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\n"
                    + "x".repeat(100_000))
                .body())
        .hasSize(2_048);
    assertThat(
            read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "1\r\nx\r\n".repeat(100_000))
                .body())
        .hasSizeBetween(100, 2_048);
  }

  @Test
  void aBodyThatBreaksOffStillHasItsStatus() throws IOException {
    byte[] head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhel".getBytes(UTF_8);
    InputStream broken =
        new SequenceInputStream(
            new ByteArrayInputStream(head),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("reset");
              }

              @Override
              public int read(byte[] bytes, int offset, int length) throws IOException {
                throw new IOException("reset");
              }
            });

    HttpResponse answer = new HttpResponseReader(broken).read();
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("hel");
  }

  @Test
  void interimAnswersAreSkippedButNotForEver() throws IOException {
    String interim = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
    assertThat(read(interim.repeat(5) + "HTTP/1.1 204 No Content\r\n\r\n").status()).isEqualTo(204);

    assertThatThrownBy(() -> read(interim.repeat(6) + "HTTP/1.1 204 No Content\r\n\r\n"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aHeadWithoutEndIsGivenUp() {
    assertThatThrownBy(() -> read("HTTP/1.1 200 OK\r\n" + "X: y\r\n".repeat(100_000)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("16384");
    assertThatThrownBy(() -> read("HTTP/1.1 200 " + "x".repeat(100_000)))
        .isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\r\n\r\n",
        "220 mail.example.com ESMTP\r\n",
        "HTTP/2 200\r\n\r\n",
        "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: y"
      })
  void whatIsNoAnswerIsAnError(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(IOException.class);
  }

  @Test
  void controlCharactersAndBlankBodiesAreLeftOut() throws IOException {
    assertThat(read("HTTP/1.1 500 Oops\r\n\r\na\0b\033c\nd").body()).isEqualTo("a b c\nd");
    assertThat(read("HTTP/1.1 500 Oops\r\n\r\n \r\n").body()).isNull();
  }

  private static HttpResponse read(String text) throws IOException {
    return new HttpResponseReader(new ByteArrayInputStream(text.getBytes(UTF_8))).read();
  }
}
