package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class BytesTest {

  @Test
  void theArrayItWasCopiedFromCannotChangeIt() {
    byte[] source = {1, 2, 3};
    Bytes bytes = Bytes.copyOf(source);

    source[0] = 9;

    assertThat(bytes.toArray()).containsExactly(1, 2, 3);
  }

  @Test
  void theArrayItGivesOutCannotChangeIt() {
    Bytes bytes = Bytes.owned(new byte[] {1, 2, 3});

    bytes.toArray()[0] = 9;

    assertThat(bytes.toArray()).containsExactly(1, 2, 3);
  }

  @Test
  void everyWayOutGivesTheSameBytes() throws IOException {
    Bytes bytes = Bytes.utf8("zo\u00eb");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    bytes.writeTo(out);

    assertThat(bytes.length()).isEqualTo(4);
    assertThat(out.toByteArray()).isEqualTo(bytes.toArray());
    assertThat(bytes.open().readAllBytes()).isEqualTo(bytes.toArray());
    assertThat(bytes.toUtf8()).isEqualTo("zo\u00eb");
  }

  @Test
  void equalityIsByContent() {
    assertThat(Bytes.utf8("a"))
        .isEqualTo(Bytes.owned(new byte[] {'a'}))
        .hasSameHashCodeAs(Bytes.copyOf(new byte[] {'a'}))
        .isNotEqualTo(Bytes.utf8("b"))
        .isNotEqualTo(Bytes.empty());
    assertThat(Bytes.empty()).isEqualTo(Bytes.utf8(""));
  }

  @Test
  void toStringShowsTheLength() {
    assertThat(Bytes.utf8("secret")).hasToString("6 bytes");
  }
}
