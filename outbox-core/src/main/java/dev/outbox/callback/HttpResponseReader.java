package dev.outbox.callback;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads an answer in HTTP/1.1 from a stranger: no more of it than the limits allow, and of the body
 * as much as comes, since the status has said all that counts.
 */
final class HttpResponseReader {

  /** How much of a body is read. */
  static final int BODY_BYTES = 2_048;

  private static final int HEAD_BYTES = 16_384;
  private static final int INTERIM_ANSWERS = 5;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-9]\\d\\d)( .*)?");

  private final InputStream in;
  private int headBytes;

  HttpResponseReader(InputStream in) {
    this.in = in;
  }

  HttpResponse read() throws IOException {
    for (int i = 0; i <= INTERIM_ANSWERS; i++) {
      int status = status();
      Map<String, String> headers = headers();
      if (status >= 200) {
        return new HttpResponse(status, headers, status == 204 ? null : body(headers));
      }
    }
    throw new IOException("too many interim answers");
  }

  private int status() throws IOException {
    Matcher line = STATUS.matcher(line());
    if (!line.matches()) {
      throw new IOException("not an answer in HTTP/1.1");
    }
    return Integer.parseInt(line.group(1));
  }

  private Map<String, String> headers() throws IOException {
    Map<String, String> headers = new HashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.putIfAbsent(
            line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
            line.substring(colon + 1).strip());
      }
    }
    return headers;
  }

  /** Returns the next line of the head, without its end. */
  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(80);
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the answer ends in its head");
      }
      if (++headBytes > HEAD_BYTES) {
        throw new IOException("a head of more than " + HEAD_BYTES + " bytes");
      }
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  private @Nullable String body(Map<String, String> headers) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try {
      if (headers
          .getOrDefault("transfer-encoding", "")
          .toLowerCase(Locale.ROOT)
          .contains("chunked")) {
        readChunks(body);
      } else {
        read(body, length(headers.get("content-length")));
      }
    } catch (IOException e) {
      // What has come so far is for the history; what it means is in the status.
    }
    String text = body.toString(StandardCharsets.UTF_8).replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", " ");
    return text.isBlank() ? null : text;
  }

  private void readChunks(ByteArrayOutputStream body) throws IOException {
    headBytes = 0;
    while (body.size() < BODY_BYTES) {
      String size = line().replaceFirst(";.*", "").strip();
      if (!size.matches("[0-9a-fA-F]{1,8}") || size.matches("0+")) {
        return;
      }
      read(body, Long.parseLong(size, 16));
      line();
    }
  }

  private void read(ByteArrayOutputStream body, long length) throws IOException {
    long left = Math.min(length, BODY_BYTES - body.size());
    byte[] part = new byte[512];
    while (left > 0) {
      int count = in.read(part, 0, (int) Math.min(part.length, left));
      if (count < 0) {
        return;
      }
      body.write(part, 0, count);
      left -= count;
    }
  }

  private static long length(@Nullable String header) {
    return header != null && header.matches("\\d{1,18}") ? Long.parseLong(header) : Long.MAX_VALUE;
  }
}
