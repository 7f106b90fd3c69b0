package dev.outbox.smtp;

import dev.outbox.email.Attachment;
import dev.outbox.email.InvalidEmailException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An attachment in the content transfer encoding that its type allows. RFC 2045 (6.4) and RFC 2046
 * (5.2.1) forbid quoted-printable and base 64 for every type {@code message/…}: such content goes
 * out as it is, labelled 7bit, or 8bit if it has bytes outside ASCII. RFC 6532 allows more for
 * {@code message/global} and recommends 8bit there, too. All other types are sent in base 64.
 */
final class AttachmentEncoding {

  private static final String BASE64 = "base64";

  /** RFC 5322 (2.1.1), without the CRLF. */
  private static final int LONGEST_LINE = 998;

  private final Attachment file;
  private final String name;

  private AttachmentEncoding(Attachment file, String name) {
    this.file = file;
    this.name = name;
  }

  /**
   * Chooses the encoding of an attachment.
   *
   * @param number its place among the email's attachments, from 1; failures name it, because the
   *     file's name may be personal
   * @throws InvalidEmailException if its type allows no encoding, and its content cannot be sent
   *     without one
   */
  static AttachmentEncoding of(Attachment file, int number) {
    if (!isUnencoded(file.contentType())) {
      return new AttachmentEncoding(file, BASE64);
    }
    byte[] content = file.content().toArray();
    String problem = problem(content);
    if (problem != null) {
      throw new InvalidEmailException(
          "attachment " + number,
          "a type that starts with message/ is sent without an encoding, and the content has "
              + problem);
    }
    return new AttachmentEncoding(file, isAscii(content) ? "7bit" : "8bit");
  }

  Attachment file() {
    return file;
  }

  /** Returns the value of Content-Transfer-Encoding. */
  String name() {
    return name;
  }

  boolean isEightBit() {
    return name.equals("8bit");
  }

  /** Returns whether a text occurs in the content as the receiver's parser sees it. */
  boolean shows(String ascii) {
    return !name.equals(BASE64)
        && new String(file.content().toArray(), StandardCharsets.ISO_8859_1).contains(ascii);
  }

  void write(ByteArrayBuilder out) {
    byte[] content = file.content().toArray();
    out.add(name.equals(BASE64) ? Base64.getMimeEncoder().encode(content) : content);
  }

  private static boolean isUnencoded(String contentType) {
    return contentType.toLowerCase(Locale.ROOT).startsWith("message/");
  }

  private static @Nullable String problem(byte[] content) {
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < content.length; i++) {
      byte b = content[i];
      if (b == 0) {
        return "a NUL in line " + line;
      }
      boolean lineEnd = b == '\r' && i + 1 < content.length && content[i + 1] == '\n';
      if (!lineEnd && (b == '\r' || b == '\n')) {
        return "a CR or LF that is not part of a CRLF in line " + line;
      }
      if (i - lineStart >= LONGEST_LINE && !lineEnd) {
        return "more than %d bytes in line %d".formatted(LONGEST_LINE, line);
      }
      if (lineEnd) {
        i++;
        line++;
        lineStart = i + 1;
      }
    }
    return null;
  }

  private static boolean isAscii(byte[] content) {
    for (byte b : content) {
      if (b < 0) {
        return false;
      }
    }
    return true;
  }
}
