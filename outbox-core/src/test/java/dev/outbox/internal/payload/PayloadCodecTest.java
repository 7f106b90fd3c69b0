package dev.outbox.internal.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.Address;
import dev.outbox.email.Attachment;
import dev.outbox.email.Body;
import dev.outbox.email.Bytes;
import dev.outbox.email.Header;
import dev.outbox.email.TemplateData;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of other releases read what is written here, so its form stays as it is. */
class PayloadCodecTest {

  private static final Payload TEMPLATED =
      new Payload(
          List.of(new Address("A \"B\" \\", "a", "example.com"), Address.parse("c@example.com")),
          new Body.Templated("order", TemplateData.of(Map.of("price", "1 € 😀")), Locale.GERMANY),
          List.of(
              new Attachment("ä.txt", "text/plain", Bytes.utf8("Ada?"), null),
              new Attachment("b.png", "image/png", Bytes.utf8("Adas>"), "logo")),
          List.of(new Header("X-One", "1"), new Header("X-Two", "😀")));

  private static final Payload INLINE =
      new Payload(
          List.of(),
          new Body.Inline("<p class=\"x\">\u0001\t\n\r\f\b\u007f\u2028/\\</p>", "ü 😀"),
          List.of(),
          List.of());

  @Test
  void aTemplateAndItsDataAreWrittenInTheFormOfVersionOne() {
    assertThat(PayloadCodec.encode(TEMPLATED).toUtf8())
        .isEqualTo(
            """
            {"v":1,"replyTo":["\\"A \\\\\\"B\\\\\\" \\\\\\\\\\" <a@example.com>","c@example.com"],\
            "template":"order","locale":"de-DE","data":{"price":"1 € 😀"},\
            "attachments":[{"name":"ä.txt","type":"text/plain","content":"QWRhPw=="},\
            {"name":"b.png","type":"image/png","cid":"logo","content":"QWRhcz4="}],\
            "headers":[{"name":"X-One","value":"1"},{"name":"X-Two","value":"\\uD83D\\uDE00"}]}""");
  }

  @Test
  void textGivenInlineIsWrittenInTheFormOfVersionOne() {
    assertThat(PayloadCodec.encode(INLINE).toUtf8())
        .isEqualTo(
            "{\"v\":1,\"replyTo\":[],"
                + "\"html\":\"<p class=\\\"x\\\">\\u0001\\t\\n\\r\\f\\b\u007f\u2028/\\\\</p>\","
                + "\"text\":\"ü \\uD83D\\uDE00\",\"attachments\":[],\"headers\":[]}");
  }

  @Test
  void whatIsWrittenIsReadBack() {
    assertThat(PayloadCodec.decode(PayloadCodec.encode(TEMPLATED))).isEqualTo(TEMPLATED);
    assertThat(PayloadCodec.decode(PayloadCodec.encode(INLINE))).isEqualTo(INLINE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"}", "{", "\"", "\\", "\\\"}", "\"data\":{", "\",\"data\":{\"x\":\"}"})
  void textThatLooksLikeJsonStaysText(String text) {
    Payload payload =
        new Payload(
            List.of(),
            new Body.Templated(
                text.replace('\\', '/') + "x",
                TemplateData.of(Map.of("data", Map.of(text, List.of(text, Map.of("a", text))))),
                null),
            List.of(),
            List.of(new Header("X-Text", text)));

    assertThat(PayloadCodec.decode(PayloadCodec.encode(payload))).isEqualTo(payload);
    Payload inline =
        new Payload(List.of(), new Body.Inline(text, text), List.of(), payload.headers());
    assertThat(PayloadCodec.decode(PayloadCodec.encode(inline))).isEqualTo(inline);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"v\":1,\"template\":\"t\",\"data\":{",
        "{\"v\":1,\"template\":\"t\",\"data\":{\"a\":\"}",
        "{\"v\":1,\"template\":\"t\",\"data\":{]}}",
        "{\"v\":1,\"template\":\"t\",\"data\":{\"a\":[}]}",
        "{\"v\":1,\"template\":\"t\",\"data\":{}",
        "{\"v\":1,\"template\":\"t\",\"data\":{}]"
      })
  void dataThatIsBrokenIsUnreadable(String payload) {
    assertThatThrownBy(() -> PayloadCodec.decode(Bytes.utf8(payload)))
        .isInstanceOf(UnreadablePayloadException.class);
  }
}
