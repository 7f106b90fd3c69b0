package dev.outbox.javalin;

import dev.outbox.email.Attachment;
import dev.outbox.email.Bytes;
import io.javalin.http.Context;
import io.javalin.http.Header;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Foreign html in a browser: it may show itself and the images that came with it, and nothing else.
 * No script runs, nothing is loaded from anywhere, no form is sent, whether it is in the page's
 * frame or opened by itself.
 */
final class Preview {

  private static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none';"
          + " form-action 'none'; frame-ancestors 'self'; sandbox";

  private static final Pattern IMAGE = Pattern.compile("image/(png|jpeg|gif|webp|bmp)");

  private Preview() {}

  static void html(Context context, String html, List<Attachment> attachments) {
    context.header(Header.CONTENT_SECURITY_POLICY, POLICY);
    context.header(Header.X_FRAME_OPTIONS, "SAMEORIGIN");
    context.contentType("text/html; charset=utf-8").result(withImages(html, attachments));
  }

  static void raw(Context context, Bytes raw) {
    context.contentType("text/plain; charset=utf-8").result(raw.open());
  }

  private static String withImages(String html, List<Attachment> attachments) {
    String shown = html;
    for (Attachment each : attachments) {
      if (each.contentId() != null && IMAGE.matcher(each.contentType()).matches()) {
        String data =
            "data:%s;base64,%s"
                .formatted(
                    each.contentType(),
                    Base64.getEncoder().encodeToString(each.content().toArray()));
        shown = shown.replace("cid:" + each.contentId(), data);
      }
    }
    return shown;
  }
}
