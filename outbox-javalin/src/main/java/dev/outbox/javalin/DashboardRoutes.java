package dev.outbox.javalin;

import io.javalin.http.Context;
import io.javalin.http.Header;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** The page and its parts, which come from the class path and from nowhere else. */
final class DashboardRoutes {

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private final boolean inbox;

  DashboardRoutes(boolean inbox) {
    this.inbox = inbox;
  }

  List<Route> routes() {
    return List.of(
        Route.look("/", (context, access) -> page(context)),
        asset("page.css", "text/css; charset=utf-8"),
        asset("page.js", "text/javascript; charset=utf-8"),
        asset("icon.svg", "image/svg+xml"),
        Route.look("/api/viewer", this::viewer),
        Route.look("/api/openapi.json", (context, access) -> openApi(context)));
  }

  /** Everything in the page has its address relative to it, so that address ends with a slash. */
  private void page(Context context) {
    String path = context.path();
    if (!path.endsWith("/")) {
      context.status(308).header(Header.LOCATION, path.substring(path.lastIndexOf('/') + 1) + "/");
      return;
    }
    context.header(Header.CONTENT_SECURITY_POLICY, POLICY);
    context.contentType("text/html; charset=utf-8").result(resource("page.html"));
  }

  private static Route asset(String name, String type) {
    byte[] content = resource(name);
    return Route.look(
        "/assets/" + name,
        (context, access) -> {
          context.header(Header.CACHE_CONTROL, "no-cache");
          context.contentType(type).result(content);
        });
  }

  /** Tells the page what to offer. */
  private void viewer(Context context, AccessRole access) {
    Json.write(
        context,
        Json.object()
            .put("access", access.name())
            .put("personalData", access.seesPersonalData())
            .put("acts", access.acts())
            .put("inbox", inbox));
  }

  private void openApi(Context context) {
    context.contentType("application/json").result(resource("openapi.json"));
  }

  static byte[] resource(String name) {
    try (InputStream in =
        Objects.requireNonNull(DashboardRoutes.class.getResourceAsStream(name), name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
