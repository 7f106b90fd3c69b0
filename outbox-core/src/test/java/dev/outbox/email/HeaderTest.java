package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderTest {

  @ParameterizedTest
  @ValueSource(strings = {"X-Campaign", "List-Unsubscribe", "References", "X_1", "9", "Contents"})
  void aHostMayAddItsOwnHeaders(String name) {
    Header header = new Header(name, "caf\u00e9\tau lait");

    assertThat(header.name()).isEqualTo(name);
    assertThat(header.value()).isEqualTo("caf\u00e9\tau lait");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bcc",
        "bcc",
        "BCC",
        "Cc",
        "To",
        "From",
        "Sender",
        "Reply-To",
        "Subject",
        "Date",
        "Message-ID",
        "MIME-Version",
        "Received",
        "Return-Path",
        "DKIM-Signature",
        "Content-Type",
        "content-transfer-encoding",
        "Resent-To"
      })
  void whatTheLibraryWritesItselfIsNotTheHostsToSet(String name) {
    assertThatThrownBy(() -> new Header(name, "x"))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessage("header " + name + ": may not be set by the host");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "X Y",
        "X:",
        ":X",
        "X-\u00e9",
        "X\n",
        "\nX",
        "X\r\nBcc",
        "-X",
        "_X",
        "X\0",
        "X.Y",
        "\u0130d"
      })
  void aNameIsLettersDigitsHyphensAndUnderscores(String name) {
    assertThatThrownBy(() -> new Header(name, "x"))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("header: ");
  }

  @Test
  void nameAndValueHaveALongestLength() {
    assertThat(new Header("X".repeat(76), "v".repeat(2_000)).value()).hasSize(2_000);
    assertThatThrownBy(() -> new Header("X".repeat(77), "v"))
        .isInstanceOf(InvalidEmailException.class);
    assertThatThrownBy(() -> new Header("X", "v".repeat(2_001)))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessage("header X: has 2001 characters, more than 2000");
  }

  @Test
  void aBlankValueIsRefused() {
    assertThatThrownBy(() -> new Header("X-A", " \t"))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessage("header X-A: is blank");
  }
}
