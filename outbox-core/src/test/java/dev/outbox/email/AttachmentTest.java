package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttachmentTest {

  private static final byte[] CONTENT = {1, 2, 3};

  @Test
  void anOrdinaryAttachmentHasNoContentId() {
    Attachment attachment = Attachment.of("r\u00e9sum\u00e9 1.pdf", "application/pdf", CONTENT);

    assertThat(attachment)
        .isEqualTo(
            new Attachment(
                "r\u00e9sum\u00e9 1.pdf", "application/pdf", Bytes.copyOf(CONTENT), null));
  }

  @Test
  void anInlineImageHasOne() {
    assertThat(Attachment.inline("logo@shop", "logo.png", "image/svg+xml", CONTENT))
        .isEqualTo(new Attachment("logo.png", "image/svg+xml", Bytes.copyOf(CONTENT), "logo@shop"));
  }

  @Test
  void laterChangesOfTheHostsArrayDoNotReachIt() {
    byte[] content = CONTENT.clone();
    Attachment attachment = Attachment.of("a", "a/b", content);

    content[0] = 9;

    assertThat(attachment.content().toArray()).isEqualTo(CONTENT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "../a", "a/b", "a\\b", "C:\\a", "a\nb", "a\0.txt"})
  void aFileNameIsOneLineAndNoPath(String fileName) {
    assertThatThrownBy(() -> Attachment.of(fileName, "text/plain", CONTENT))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("attachment.fileName: ");
  }

  @Test
  void aFileNameHasALongestLength() {
    assertThat(Attachment.of("a".repeat(200), "text/plain", CONTENT).fileName()).hasSize(200);
    assertThatThrownBy(() -> Attachment.of("a".repeat(201), "text/plain", CONTENT))
        .isInstanceOf(InvalidEmailException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "pdf",
        "/",
        "text/",
        "/plain",
        "text/plain\n",
        "text/pl ain",
        "text/plain; charset=x",
        "text/pl\u00e4in",
        "a/b/c",
        "multipart/mixed",
        "Multipart/Alternative",
        "message/partial",
        "Message/Partial",
        "message/external-body",
        "MESSAGE/EXTERNAL-BODY"
      })
  void aContentTypeIsATypeAndASubtypeThatAFileCanHave(String contentType) {
    assertThatThrownBy(() -> Attachment.of("a.txt", contentType, CONTENT))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("attachment.contentType: ");
  }

  @Test
  void anEmailMayBeAttached() {
    assertThat(Attachment.of("a.eml", "message/rfc822", CONTENT).contentType())
        .isEqualTo("message/rfc822");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "<a>", "a\n", "a\r\nb", "\u00e4", "a>b"})
  void aContentIdFitsBetweenAngleBracketsAndIntoAUrl(String contentId) {
    assertThatThrownBy(() -> Attachment.inline(contentId, "a.png", "image/png", CONTENT))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("attachment.contentId: ");
  }

  @Test
  void toStringShowsTypeAndSize() {
    assertThat(Attachment.of("ada.pdf", "application/pdf", CONTENT))
        .hasToString("Attachment[application/pdf, 3 bytes]");
  }
}
