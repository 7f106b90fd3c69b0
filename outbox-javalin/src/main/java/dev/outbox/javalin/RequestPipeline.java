package dev.outbox.javalin;

import dev.outbox.email.IdempotencyConflictException;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.store.StoreException;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.Header;
import io.javalin.http.HttpResponseException;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every request passes: headers that keep browsers in check, the check of the requested host
 * and of the method, the host's access rule, the check against other sites, the check of the query
 * parameters' names, and the one place where trouble becomes an answer.
 */
final class RequestPipeline {

  private static final Logger log = LoggerFactory.getLogger(RequestPipeline.class);

  /** Nothing may be loaded or run unless a route says otherwise. */
  private static final Map<String, String> HEADERS =
      Map.of(
          Header.CONTENT_SECURITY_POLICY,
          "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          Header.X_CONTENT_TYPE_OPTIONS,
          "nosniff",
          Header.X_FRAME_OPTIONS,
          "DENY",
          Header.REFERRER_POLICY,
          "no-referrer",
          Header.CROSS_ORIGIN_RESOURCE_POLICY,
          "same-origin",
          Header.CACHE_CONTROL,
          "no-store",
          "X-DNS-Prefetch-Control",
          "off");

  private final AllowedHosts hosts;
  private final Function<Context, AccessRole> rule;

  RequestPipeline(AllowedHosts hosts, Function<Context, AccessRole> rule) {
    this.hosts = hosts;
    this.rule = rule;
  }

  Handler before(Route route) {
    return context -> {
      HEADERS.forEach(context::header);
      ProblemDetails problem = pass(route, context);
      if (problem != null) {
        problem.write(context);
      }
    };
  }

  private @Nullable ProblemDetails pass(Route route, Context context) {
    try {
      if (!hosts.allow(context.header(Header.HOST))) {
        return ProblemDetails.misdirected();
      }
      rejectOverride(route, context);
      AccessRole access = Objects.requireNonNullElse(rule.apply(context), AccessRole.DENIED);
      if (!access.enters() || !route.need().isMetBy(access)) {
        return ProblemDetails.forbidden("the access rule does not allow this");
      }
      if (!route.isSafe()) {
        CsrfCheck.refuse(context);
      }
      if (route.isApi()) {
        QueryParameters.rejectUnknown(context, route.parameters());
      }
      route.action().run(context, access);
      return null;
    } catch (ProblemException e) {
      return e.problem();
    } catch (InvalidEmailException e) {
      return ProblemDetails.invalid(e.field(), e.problem());
    } catch (IdempotencyConflictException e) {
      return ProblemDetails.conflictingKey(e.conflicts().values().iterator().next());
    } catch (StoreException e) {
      log.warn("{} {}: the store is unavailable", route.method(), route.path());
      return ProblemDetails.unavailable(
          "the store is unavailable; try again, and send with an Idempotency-Key");
    } catch (HttpResponseException e) {
      throw e;
    } catch (RuntimeException e) {
      // Its text may quote content.
      log.error("{} {} failed: {}", route.method(), route.path(), e.getClass().getName());
      return ProblemDetails.broken();
    }
  }

  /**
   * Rejects a request that reached the route by {@code X-HTTP-Method-Override}. Javalin obeys that
   * header for every method, so that a GET would send an email.
   */
  private static void rejectOverride(Route route, Context context) {
    if (!context.req().getMethod().equals(route.method().name())) {
      throw ProblemDetails.malformed("the header X-HTTP-Method-Override is not supported")
          .asException();
    }
  }
}
