package dev.outbox.javalin;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;

/**
 * One way into the outbox.
 *
 * @param method GET and HEAD, or POST and DELETE for what changes something
 * @param path below the plugin's own
 * @param need what the caller has to be allowed
 * @param action what happens then
 */
record Route(HandlerType method, String path, Need need, Action action) {

  /** What a caller has to be allowed. */
  enum Need {
    /** To look. */
    LOOKING,
    /** To see personal data. */
    PERSONAL_DATA,
    /** To change something. */
    ACTING;

    boolean isMetBy(Access access) {
      return switch (this) {
        case LOOKING -> access.enters();
        case PERSONAL_DATA -> access.seesPersonalData();
        case ACTING -> access.acts();
      };
    }
  }

  /** What is done for a caller who may. */
  interface Action {
    void run(Context context, Access access);
  }

  static Route look(String path, Action action) {
    return new Route(HandlerType.GET, path, Need.LOOKING, action);
  }

  static Route read(String path, Action action) {
    return new Route(HandlerType.GET, path, Need.PERSONAL_DATA, action);
  }

  static Route act(String path, Action action) {
    return new Route(HandlerType.POST, path, Need.ACTING, action);
  }

  static Route remove(String path, Action action) {
    return new Route(HandlerType.DELETE, path, Need.ACTING, action);
  }

  /** Returns whether it only reads. */
  boolean isSafe() {
    return method.equals(HandlerType.GET) || method.equals(HandlerType.HEAD);
  }

  /**
   * Returns the way in for those who ask what GET would answer. Without it, Javalin itself says
   * that all is well, and asks nobody.
   */
  Route head() {
    return new Route(HandlerType.HEAD, path, need, action);
  }
}
