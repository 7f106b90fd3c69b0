package dev.outbox.javalin;

import dev.outbox.email.Attachment;
import dev.outbox.email.Bytes;
import io.javalin.http.Context;
import io.javalin.http.Header;
import java.util.List;

/**
 * Foreign html in a browser: it may show itself and the images that came with it, and nothing else.
 * No script runs, nothing is loaded from anywhere, no form is sent and no connection is opened,
 * whether it is in the page's frame or opened by itself.
 */
final class HtmlPreview {

  private static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none';"
          + " form-action 'none'; frame-ancestors 'self'; sandbox";

  private HtmlPreview() {}

  static void html(Context context, String html, List<Attachment> attachments) {
    context.header(Header.CONTENT_SECURITY_POLICY, POLICY);
    context.header(Header.X_FRAME_OPTIONS, "SAMEORIGIN");
    context
        .contentType("text/html; charset=utf-8")
        .result(PreviewSanitizer.open(html, attachments));
  }

  static void raw(Context context, Bytes raw) {
    context.contentType("text/plain; charset=utf-8").result(raw.open());
  }
}
