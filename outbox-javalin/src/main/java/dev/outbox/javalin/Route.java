package dev.outbox.javalin;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.Set;

/**
 * One way into the outbox.
 *
 * @param method GET and HEAD, or POST and DELETE for what changes something
 * @param path below the plugin's own
 * @param need what the caller has to be allowed
 * @param parameters the names of its query parameters; any other name is rejected in the API
 * @param action what happens then
 */
record Route(HandlerType method, String path, Need need, Set<String> parameters, Action action) {

  Route {
    parameters = Set.copyOf(parameters);
  }

  /** What a caller has to be allowed. */
  enum Need {
    /** To look. */
    LOOKING,
    /** To see personal data. */
    PERSONAL_DATA,
    /** To change something. */
    ACTING;

    boolean isMetBy(AccessRole access) {
      return switch (this) {
        case LOOKING -> access.enters();
        case PERSONAL_DATA -> access.seesPersonalData();
        case ACTING -> access.acts();
      };
    }
  }

  /** What is done for a caller who may. */
  interface Action {
    void run(Context context, AccessRole access);
  }

  static Route look(String path, Action action) {
    return new Route(HandlerType.GET, path, Need.LOOKING, Set.of(), action);
  }

  static Route read(String path, Action action) {
    return new Route(HandlerType.GET, path, Need.PERSONAL_DATA, Set.of(), action);
  }

  static Route act(String path, Action action) {
    return new Route(HandlerType.POST, path, Need.ACTING, Set.of(), action);
  }

  static Route remove(String path, Action action) {
    return new Route(HandlerType.DELETE, path, Need.ACTING, Set.of(), action);
  }

  /** Returns this route with query parameters. */
  Route accepting(Set<String> names) {
    return new Route(method, path, need, names, action);
  }

  /**
   * Returns whether this is a route of the HTTP API. The page and its files are none: a login may
   * append a query parameter to their address.
   */
  boolean isApi() {
    return path.startsWith("/api/");
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
    return new Route(HandlerType.HEAD, path, need, parameters, action);
  }
}
