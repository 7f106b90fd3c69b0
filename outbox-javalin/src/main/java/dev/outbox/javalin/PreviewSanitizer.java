package dev.outbox.javalin;

import dev.outbox.email.Attachment;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The html of an email as a preview shows it: with the images that came with the email, and without
 * elements that open a connection although the content security policy forbids all loading. It is
 * written piece by piece, so that one image at a time is in memory in its encoded form.
 */
final class PreviewSanitizer {

  /**
   * How many characters images may add beyond their first uses, in addition to twice the size of
   * all images. An image of any size is shown three times, a small one thousands of times.
   */
  static final long REPEATED_IMAGES = 4 << 20;

  /** Images that no browser treats as a document. */
  private static final Pattern IMAGE = Pattern.compile("image/(png|jpeg|gif|webp|bmp)");

  /** A tag that is replaced, or the use of an attachment. */
  private static final Pattern PLACE =
      Pattern.compile(
          "<(/?)(link|iframe)(?=[\\s/>])|cid:([\\w.+@-]{1,100})", Pattern.CASE_INSENSITIVE);

  /**
   * Elements that a browser parses in the same manner and that do nothing. {@code link} preconnects
   * and resolves names; the document in an {@code iframe}'s {@code srcdoc} may contain one.
   */
  private static final Map<String, String> HARMLESS =
      Map.of("link", "basefont", "iframe", "noembed");

  private static final String NOTICE =
      """
      <div role="note" style="all: initial; position: fixed; left: 0; right: 0; bottom: 0; \
      padding: 8px 12px; background: #fff3c4; color: #222; font: 14px/1.4 sans-serif">\
      %d repeated images are not shown: they would make this preview too large.</div>""";

  private final List<Supplier<byte[]>> pieces = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private final Map<String, Attachment> images = new HashMap<>();
  private final Set<String> used = new HashSet<>();
  private long repeatable = REPEATED_IMAGES;
  private int leftOut;

  private PreviewSanitizer(List<Attachment> attachments) {
    for (Attachment each : attachments) {
      if (each.contentId() != null
          && IMAGE.matcher(each.contentType()).matches()
          && images.putIfAbsent(each.contentId(), each) == null) {
        repeatable += 2 * encodedSize(each);
      }
    }
  }

  /** Returns the html in UTF-8. */
  static InputStream open(String html, List<Attachment> attachments) {
    PreviewSanitizer preview = new PreviewSanitizer(attachments);
    preview.read(html);
    return new PieceStream(preview.pieces.iterator());
  }

  private void read(String html) {
    Matcher place = PLACE.matcher(html);
    int done = 0;
    while (place.find()) {
      text.append(html, done, place.start());
      done = place.end();
      String element = place.group(2);
      if (element != null) {
        text.append('<').append(place.group(1));
        text.append(HARMLESS.get(element.toLowerCase(Locale.ROOT)));
      } else {
        add(place.group(), images.get(place.group(3)));
      }
    }
    text.append(html, done, html.length());
    if (leftOut > 0) {
      text.append(NOTICE.formatted(leftOut));
    }
    endText();
  }

  /** Adds the use of an image, unless it is unknown or repeated too often: then its name stays. */
  private void add(String name, @Nullable Attachment image) {
    if (image == null) {
      text.append(name);
      return;
    }
    if (!used.add(String.valueOf(image.contentId()))) {
      long size = encodedSize(image);
      if (size > repeatable) {
        leftOut++;
        text.append(name);
        return;
      }
      repeatable -= size;
    }
    text.append(prefix(image));
    endText();
    pieces.add(() -> Base64.getEncoder().encode(image.content().toArray()));
  }

  private void endText() {
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    pieces.add(() -> bytes);
    text.setLength(0);
  }

  private static String prefix(Attachment image) {
    return "data:" + image.contentType() + ";base64,";
  }

  private static long encodedSize(Attachment image) {
    return prefix(image).length() + 4L * ((image.content().length() + 2) / 3);
  }

  /** Reads pieces one after the other, each of which is made when its turn comes. */
  private static final class PieceStream extends InputStream {

    private final Iterator<Supplier<byte[]>> rest;
    private InputStream current = InputStream.nullInputStream();

    PieceStream(Iterator<Supplier<byte[]>> rest) {
      this.rest = rest;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = current.read(bytes, offset, length);
      while (read < 0 && rest.hasNext()) {
        current = new ByteArrayInputStream(rest.next().get());
        read = current.read(bytes, offset, length);
      }
      return read;
    }
  }
}
