package dev.outbox.smtp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Address;
import dev.outbox.email.Attachment;
import dev.outbox.email.Email;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 2047 and RFC 5322 on the length of header lines, over many texts. */
class HeaderFoldingTest {

  private static final Pattern ENCODED_WORD = Pattern.compile("=\\?UTF-8\\?B\\?([^?]*)\\?=");

  /** One character in several code points, which some readers show in pieces if it is cut. */
  private static final String FAMILY = "👩‍👩‍👧‍👦";

  private static String header(String name, String value) {
    ByteArrayBuilder out = new ByteArrayBuilder(64);
    new HeaderWriter(out).text(name, value);
    return new String(out.toArray(), UTF_8);
  }

  private static String header(String name, List<Address> addresses) {
    ByteArrayBuilder out = new ByteArrayBuilder(64);
    new HeaderWriter(out).addresses(name, addresses);
    return new String(out.toArray(), UTF_8);
  }

  /** Checks lines and words, and returns what the encoded words say. */
  private static String checked(String header) {
    assertThat(header).endsWith("\r\n");
    String[] lines = header.substring(0, header.length() - 2).split("\r\n", -1);
    for (int i = 0; i < lines.length; i++) {
      if (lines[i].isBlank() || lines[i].startsWith(" ") == (i == 0)) {
        throw new AssertionError("not a folded header: " + header);
      }
    }
    MessageLines.assertFolded(header);
    StringBuilder text = new StringBuilder();
    Matcher words = ENCODED_WORD.matcher(header);
    while (words.find()) {
      text.append(decoded(words.group(1)));
    }
    return text.toString();
  }

  /** Fails if a word has only a part of a character. */
  private static String decoded(String base64) {
    byte[] bytes = Base64.getDecoder().decode(base64);
    if (bytes.length == 0) {
      throw new AssertionError("an empty encoded word");
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new AssertionError("a character was cut: " + base64, e);
    }
  }

  private static String unfolded(String header) {
    String value = header.substring(header.indexOf(':') + 1).replace("\r\n", "");
    return DecoderUtil.decodeEncodedWords(value.substring(1), DecodeMonitor.STRICT);
  }

  /** Returns a text of so many characters that repeats some. */
  private static String text(String characters, int count) {
    int[] points = characters.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.appendCodePoint(points[i % points.length]);
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ü",
        "Grüße an alle ",
        "ab東京",
        "東京都千代田区",
        "🚀",
        "a🚀",
        "x\t",
        FAMILY + " ",
        "\u0301e"
      })
  void linesWithEncodedWordsHaveAtMost76CharactersForEveryLengthOfTextAndName(String characters) {
    for (int length = 1; length <= 500; length += length < 120 ? 1 : 19) {
      String text = "ä" + text(characters, length - 1);
      for (int nameLength : new int[] {1, 2, 7, 8, 20, 40, 52, 53, 54, 55, 56, 57, 74, 75, 76}) {
        String name = "X".repeat(nameLength);
        String header = header(name, text);
        assertThat(checked(header)).isEqualTo(text);
        assertThat(unfolded(header)).isEqualTo(text);
      }
    }
  }

  @Test
  void randomTextsAreReadAsTheyWereWritten() {
    Random random = new Random(2047);
    for (int i = 0; i < 20_000; i++) {
      String text = random(random, 1 + random.nextInt(120));
      String name = "X".repeat(1 + random.nextInt(76));
      String header = header(name, text);
      String said = checked(header);
      assertThat(said).isIn("", text);
      assertThat(unfolded(header)).isEqualTo(text);
    }
  }

  @Test
  void namesOfAddressesKeepToTheSameLines() {
    Random random = new Random(5322);
    for (int i = 0; i < 5_000; i++) {
      List<Address> addresses = new ArrayList<>();
      for (int k = random.nextInt(4); k >= 0; k--) {
        String domain = "d".repeat(1 + random.nextInt(60)) + ".example";
        String name = random(random, 1 + random.nextInt(80));
        boolean named = !name.isBlank() && random.nextInt(5) > 0;
        addresses.add(new Address(named ? name : null, "l".repeat(1 + random.nextInt(60)), domain));
      }
      String field = List.of("From", "To", "Cc", "Reply-To").get(random.nextInt(4));
      String header = header(field, addresses);
      checked(header);
      Parsed parsed = Parsed.of((header + "\r\n\r\n").replace(field + ":", "To:").getBytes(UTF_8));
      assertThat(parsed.to())
          .isEqualTo(
              addresses.stream().map(each -> each.name() + " <" + each.email() + ">").toList());
    }
  }

  /** Words of letters of one script each, with one space between them. */
  private static String random(Random random, int length) {
    List<String> scripts =
        List.of("abcdefgh", "(\"\\,;:<@>)=?_", "äöüßéñ", "άβγδε", "東京都", "🚀💶", FAMILY);
    StringBuilder text = new StringBuilder();
    while (text.codePointCount(0, text.length()) < length) {
      // Mostly ASCII, so that there are plain texts too.
      String script = scripts.get(Math.max(0, random.nextInt(14) - 7));
      text.append(text.isEmpty() ? "" : " ").append(text(script, 1 + random.nextInt(12)));
    }
    return text.toString();
  }

  @Test
  void aPlainWordIsWrittenWholeOnALineOfItsOwn() {
    String word = "w".repeat(75);
    assertThat(header("X-Word", word)).isEqualTo("X-Word:\r\n " + word + "\r\n");
    String longer = "w".repeat(76);
    assertThat(header("X-Word", longer)).isEqualTo("X-Word: " + longer + "\r\n");
    assertThat(header("X-Word", "a " + longer + " b"))
        .isEqualTo("X-Word: a\r\n " + longer + "\r\n b\r\n");
  }

  @Test
  void noLineHasMoreThan998BytesWhateverTheSpaces() {
    for (int spaces = 1; spaces <= 1_998; spaces += 7) {
      String text = "a" + " ".repeat(spaces) + "b";
      String header = header("X".repeat(76), text);
      MessageLines.assertSendable(header.getBytes(UTF_8));
      assertThat(unfolded(header)).isEqualTo(text);
    }
  }

  @Test
  void aLongSubjectStartsOnTheLineOfItsName() {
    assertThat(header("Subject", "ä".repeat(100))).startsWith("Subject: =?UTF-8?B?");
  }

  @Test
  void noLineEndsInOneOfSeveralSpaces() {
    String text = "some words  and two spaces ".repeat(40).strip();
    String header = header("X-Spaces", text);
    assertThat(header.lines()).hasSizeGreaterThan(5).noneMatch(line -> line.endsWith(" "));
    assertThat(unfolded(header)).isEqualTo(text);
  }

  @Test
  void anEmptySubjectHasNoEncodedWord() {
    assertThat(header("Subject", "")).isEqualTo("Subject:\r\n");
  }

  @Test
  void aNameWithManyQuotesIsEncodedRatherThanWrittenOnALongLine() {
    String name = "\"".repeat(60);
    assertThat(checked(header("To", List.of(new Address(name, "a", "example.com")))))
        .isEqualTo(name);
  }

  @Test
  void headersThatWeWriteOurselvesAreFolded() {
    String type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    byte[] message =
        MimeComposer.compose(
                Mails.of(
                    Email.to("ada@example.com")
                        .from("shop@a-domain-with-a-longish-name.example")
                        .subject("x")
                        .html("<p>")
                        .attach(Attachment.of("a.xlsx", type, new byte[1]))
                        .attach(
                            Attachment.inline("i".repeat(70), "i.png", "image/png", new byte[1]))
                        .build()))
            .toArray();
    MessageLines.assertFolded(MessageLines.headers(message));
    assertThat(MessageLines.headers(message))
        .contains("Content-Type:\r\n " + type + "\r\n")
        .contains("Message-ID:\r\n <" + Mails.ID + "@a-domain-with-a-longish-name.example>");
    assertThat(Parsed.of(message).parts()).extracting(Parsed.Part::type).contains(type);
  }
}
