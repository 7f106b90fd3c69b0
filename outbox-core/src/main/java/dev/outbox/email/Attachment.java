package dev.outbox.email;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file that goes with an email.
 *
 * @param fileName the name the receiver sees; no path
 * @param contentType the MIME type, such as {@code application/pdf}; not {@code multipart/…},
 *     {@code message/partial} or {@code message/external-body}, which tell mail programs to put
 *     parts together or to fetch the content from elsewhere
 * @param content the file's bytes
 * @param contentId under which the html refers to it ({@code cid:logo}), which makes it an inline
 *     image; null for an ordinary attachment
 */
public record Attachment(
    String fileName, String contentType, Bytes content, @Nullable String contentId) {

  private static final int MAX_NAME = 200;
  private static final Pattern TYPE = Pattern.compile("[\\w.+-]{1,100}/[\\w.+-]{1,100}");
  private static final Set<String> INDIRECT = Set.of("message/partial", "message/external-body");
  private static final Pattern CONTENT_ID = Pattern.compile("[\\w.+@-]{1,100}");

  /** Checks name, type and content id. */
  public Attachment {
    HeaderValidation.checked("attachment.fileName", fileName, MAX_NAME);
    if (fileName.contains("/") || fileName.contains("\\")) {
      throw new InvalidEmailException("attachment.fileName", "holds a path separator");
    }
    if (!TYPE.matcher(contentType).matches()) {
      throw new InvalidEmailException("attachment.contentType", "not of the form type/subtype");
    }
    String lower = contentType.toLowerCase(Locale.ROOT);
    if (lower.startsWith("multipart/")) {
      throw new InvalidEmailException("attachment.contentType", "multipart is not a file's type");
    }
    if (INDIRECT.contains(lower)) {
      throw new InvalidEmailException(
          "attachment.contentType",
          "message/partial and message/external-body are not accepted: their content is elsewhere");
    }
    if (contentId != null && !CONTENT_ID.matcher(contentId).matches()) {
      throw new InvalidEmailException(
          "attachment.contentId", "has characters other than letters, digits and . _ + @ -");
    }
  }

  /** Returns an ordinary attachment. */
  public static Attachment of(String fileName, String contentType, byte[] content) {
    return new Attachment(fileName, contentType, Bytes.copyOf(content), null);
  }

  /** Returns an image for use inside the html, as {@code <img src="cid:contentId">}. */
  public static Attachment inline(
      String contentId, String fileName, String contentType, byte[] content) {
    return new Attachment(fileName, contentType, Bytes.copyOf(content), contentId);
  }

  /** Shows type and size only. */
  @Override
  public String toString() {
    return "Attachment[%s, %s]".formatted(contentType, content);
  }
}
