package dev.outbox.smtp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Attachment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 2231: long names in several segments, each of which can be decoded by itself. */
class FileNameParameterTest {

  private static final Pattern SEGMENT = Pattern.compile("filename\\*(?:\\d+\\*)?=([^;\\r]*)");
  private static final Pattern OCTET = Pattern.compile("%([0-9A-F]{2})");

  /** Checks lines and segments, and returns the name that the segments give. */
  private static String checked(String name) {
    String header = "Content-Disposition: attachment" + FileNameParameter.parameter(name) + "\r\n";
    assertThat(header.lines()).allMatch(line -> line.length() <= 78);
    return SEGMENT
        .matcher(header)
        .results()
        .map(each -> decoded(each.group(1).replace("UTF-8''", "")))
        .collect(Collectors.joining());
  }

  private static String decoded(String segment) {
    byte[] octets = new byte[segment.length()];
    int count = 0;
    for (int i = 0; i < segment.length(); i++) {
      boolean escaped = OCTET.matcher(segment).region(i, segment.length()).lookingAt();
      octets[count++] =
          (byte) (escaped ? HexFormat.fromHexDigits(segment, i + 1, i + 3) : segment.charAt(i));
      i += escaped ? 2 : 0;
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(octets, 0, count)).toString();
    } catch (CharacterCodingException e) {
      throw new AssertionError("a segment with a part of a character: " + segment, e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ü", "aü", "東", "a東", "🚀", "ab🚀", "👩‍👩‍👧‍👦", "x", " \"%*'"})
  void noSegmentHasAPartOfACharacter(String characters) {
    int[] points = characters.codePoints().toArray();
    StringBuilder name = new StringBuilder("é");
    for (int i = 0; name.length() < 198; i++) {
      name.appendCodePoint(points[i % points.length]);
      assertThat(checked(name.toString())).isEqualTo(name.toString());
    }
  }

  @Test
  void randomNamesAreReadAsTheyWereWritten() {
    Random random = new Random(2231);
    List<String> pieces = List.of("a", "Z", "0", " ", ".", "\"", "%", "'", "*", "ü", "東", "🚀");
    for (int i = 0; i < 2_000; i++) {
      StringBuilder name = new StringBuilder("n");
      for (int k = random.nextInt(90); k > 0; k--) {
        name.append(pieces.get(random.nextInt(pieces.size())));
      }
      name.append('n');
      assertThat(checked(name.toString())).isIn("", name.toString());
      Attachment file = Attachment.of(name.toString(), "text/plain", new byte[] {1});
      Parsed parsed = Parsed.of(MimeComposer.compose(Mails.withAttachments(file)).toArray());
      assertThat(parsed.parts().get(1).fileName()).isEqualTo(name.toString());
    }
  }

  @Test
  void aPlainNameWithManyQuotesIsNotWrittenOnALongLine() {
    String name = "\"".repeat(60);
    assertThat(checked(name)).isEqualTo(name);
  }
}
