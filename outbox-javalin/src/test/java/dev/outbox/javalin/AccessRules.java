package dev.outbox.javalin;

import io.javalin.http.Context;
import org.jspecify.annotations.NullUnmarked;

/** Rules that a host written without nullness might have. */
@NullUnmarked
final class AccessRules {

  private AccessRules() {}

  static AccessRole nothing(Context context) {
    return null;
  }
}
