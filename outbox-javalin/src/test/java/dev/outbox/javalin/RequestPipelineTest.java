package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import io.javalin.http.HandlerType;
import io.javalin.http.UnauthorizedResponse;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody comes in uninvited: not without a rule, not from another site, not with too much. */
class RequestPipelineTest {

  private static final String EMAIL =
      """
      {"to": "ada@example.com", "subject": "s", "text": "x"}""";

  @Test
  void withoutAnAccessRuleEveryRouteIsForbidden() {
    try (App app = App.with(p -> p.inbox(new DevelopmentInbox()))) {
      assertThat(routes(app)).hasSizeGreaterThan(25);
      for (Route route : routes(app)) {
        ask(app, route).problem(403, "forbidden");
      }
    }
  }

  /** Javalin answers HEAD by itself where there is a GET, and knows nothing of rules. */
  @ParameterizedTest
  @EnumSource(AccessRole.class)
  void askingWithHeadIsNoWayAroundTheRule(AccessRole access) {
    try (App app = App.with(p -> p.inbox(new DevelopmentInbox()).access(context -> access))) {
      for (Route route : routes(app)) {
        if (route.isSafe()) {
          Answer get = ask(app, route);
          Answer head = ask(app, route.head());
          assertThat(head.status()).as("%s %s", access, route).isEqualTo(get.status());
          assertThat(head.header("Content-Security-Policy"))
              .isEqualTo(get.header("Content-Security-Policy"));
          assertThat(head.text()).isEmpty();
        }
      }
    }
  }

  @Test
  void aRuleThatAnswersNothingLetsNobodyIn() {
    Consumer<OutboxPluginConfig> forgetful = p -> p.access(AccessRules::nothing);
    try (App app = App.with(forgetful)) {
      app.get("/api/stats").problem(403, "forbidden");
    }
  }

  @Test
  void aRuleThatFailsLetsNobodyIn() {
    Consumer<OutboxPluginConfig> broken =
        p ->
            p.access(
                context -> {
                  throw new IllegalStateException("ada@example.com");
                });
    try (App app = App.with(broken)) {
      Answer answer = app.get("/api/stats");
      answer.problem(500, "failure");
      assertThat(answer.text()).doesNotContain("ada@");
    }
  }

  @Test
  void aRuleMayAnswerByItself() {
    Consumer<OutboxPluginConfig> asking =
        p ->
            p.access(
                context -> {
                  throw new UnauthorizedResponse("log in first");
                });
    try (App app = App.with(asking)) {
      app.get("/api/stats").is(401);
    }
  }

  @ParameterizedTest
  @EnumSource(AccessRole.class)
  void everyRouteAsksForWhatItNeeds(AccessRole access) {
    try (App app = App.with(p -> p.inbox(new DevelopmentInbox()).access(context -> access))) {
      for (Route route : routes(app)) {
        boolean allowed = access.enters() && route.need().isMetBy(access);
        assertThat(ask(app, route).status() != 403).as("%s %s", access, route).isEqualTo(allowed);
      }
    }
  }

  @Test
  void whatChangesSomethingIsForThoseWhoActAndContentForThoseWhoSeePersonalData() {
    try (App app = App.forAdmins()) {
      for (Route route : routes(app)) {
        boolean content = route.path().matches(".*/(message|html|raw)|/api/inbox.*");
        Route.Need expected =
            !route.isSafe()
                ? Route.Need.ACTING
                : content ? Route.Need.PERSONAL_DATA : Route.Need.LOOKING;
        assertThat(route.need()).as(route.path()).isEqualTo(expected);
      }
    }
  }

  @Test
  void everyAnswerKeepsBrowsersInCheck() {
    try (App app =
        App.with(p -> p.inbox(new DevelopmentInbox()).access(context -> AccessRole.ADMIN))) {
      for (Route route : routes(app)) {
        Answer answer = ask(app, route);
        assertThat(answer.header("X-Content-Type-Options")).as(route.path()).isEqualTo("nosniff");
        assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(answer.header("X-DNS-Prefetch-Control")).isEqualTo("off");
        assertThat(answer.header("Cache-Control")).contains("no-");
        assertThat(answer.header("Content-Security-Policy"))
            .startsWith("default-src 'none'")
            .doesNotContain("unsafe-eval", "http:", "https:", "*");
      }
      assertThat(app.get("/").header("Content-Security-Policy"))
          .contains("script-src 'self'")
          .contains("frame-ancestors 'none'")
          .doesNotContain("unsafe-inline");
    }
  }

  @Test
  void anUnknownParameterIsRejectedOnEveryRouteOfTheApi() {
    try (App app =
        App.with(p -> p.inbox(new DevelopmentInbox()).access(context -> AccessRole.ADMIN))) {
      for (Route route : routes(app)) {
        if (route.isApi()) {
          Answer answer = ask(app, route, "?dryRun=true");
          assertThat(answer.problem(400, "bad-parameter").get("field").textValue())
              .as("%s %s", route.method(), route.path())
              .isEqualTo("dryRun");
        }
      }
    }
  }

  @Test
  void aRequestWithAnUnknownParameterChangesNothing() {
    try (App app = App.forAdmins()) {
      EmailId id = app.send(EMAIL);

      app.post("/api/emails?dryRun=true", EMAIL).problem(400, "bad-parameter");
      app.act("/api/emails/" + id + "/cancel?dryRun=true").problem(400, "bad-parameter");

      assertThat(stored(app)).isEqualTo(1);
      assertThat(app.outbox().find(id).orElseThrow().summary().state().isCancellable()).isTrue();
    }
  }

  /** Java's URI does not accept such a query, so that a socket sends it. */
  @Test
  void aQueryThatCannotBeDecodedDoesNotListEverything() {
    try (App app = App.forAdmins()) {
      String answer =
          RawRequest.send(
              app.uri("").getPort(),
              "GET /outbox/api/emails?state=%zz HTTP/1.1",
              "Host: localhost");

      assertThat(answer).startsWith("HTTP/1.1 400").contains("urn:outbox:malformed-request");
    }
  }

  @Test
  void anUnknownParameterIsNotQuoted() {
    try (App app = App.forAdmins()) {
      Answer answer = app.get("/api/stats?ada%40example.com=grace%40example.com");
      answer.problem(400, "bad-parameter");
      assertThat(answer.text()).doesNotContain("ada", "grace");
    }
  }

  @Test
  void theNamesOfParametersAreForThoseWhoMayCallTheRoute() {
    try (App app = App.with(p -> p.access(context -> AccessRole.DENIED))) {
      app.get("/api/emails?stat=FAILED").problem(403, "forbidden");
    }
  }

  /** A login may append a parameter to the address to which it returns. */
  @Test
  void thePageAcceptsAnyParameter() {
    try (App app = App.forAdmins()) {
      app.get("/?continue").is(200);
      app.get("/assets/page.css?v=2").is(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cross-site", "same-site", "nonsense"})
  void whatABrowserCallsForeignIsRefused(String site) {
    try (App app = App.forAdmins()) {
      send(app, EMAIL, "Content-Type", "application/json", "Sec-Fetch-Site", site)
          .problem(403, "forbidden");
      assertThat(stored(app)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://evil.example", "null", "http://127.0.0.1:1", "::"})
  void aForeignOriginIsRefused(String origin) {
    try (App app = App.forAdmins()) {
      send(app, EMAIL, "Content-Type", "application/json", "Origin", origin)
          .problem(403, "forbidden");
      assertThat(stored(app)).isZero();
    }
  }

  @Test
  void theOwnOriginIsWelcome() {
    try (App app = App.forAdmins()) {
      String own = app.uri("").toString();
      send(app, EMAIL, "Content-Type", "application/json", "Origin", own).is(201);
      send(app, EMAIL, "Content-Type", "application/json", "Sec-Fetch-Site", "same-origin").is(201);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
        "text/plain; application/json"
      })
  void whatAFormCanSendChangesNothing(String type) {
    try (App app = App.forAdmins()) {
      EmailId id = app.send(EMAIL);
      HttpRequest.Builder cancel =
          app.request("/api/emails/" + id + "/cancel")
              .header("Content-Type", type)
              .POST(BodyPublishers.ofString("a=b"));

      App.ask(cancel).problem(403, "forbidden");
      send(app, EMAIL, "Content-Type", type).problem(403, "forbidden");

      assertThat(app.outbox().find(id).orElseThrow().summary().state().isCancellable()).isTrue();
      assertThat(stored(app)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/xml", "application/jsonp", ""})
  void aBodyOfAnotherTypeIsRefused(String type) {
    try (App app = App.forAdmins()) {
      send(app, EMAIL, "Content-Type", type, CsrfCheck.ACTION, "1").problem(415, "not-json");
    }
  }

  @Test
  void aBodyThatIsTooLargeIsRefusedWhetherItsSizeIsToldOrNot() {
    try (App app = App.with(p -> p.bodyLimit(1_000).access(context -> AccessRole.ADMIN))) {
      String fits = EMAIL + " ".repeat(1_000 - EMAIL.length());
      app.post("/api/emails", fits).is(201);
      app.post("/api/emails", fits + " ").problem(413, "too-large");
      HttpRequest.Builder chunked =
          app.request("/api/emails")
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofInputStream(() -> Bytes.utf8(fits + " ").open()));
      App.ask(chunked).problem(413, "too-large");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "nonsense",
        "{\"to\": \"a@example.com\", \"to\": \"b@example.com\"}",
        "{} {}",
        "{\"n\": 1e999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999}"
      })
  void whatIsNotJsonIsRefusedWithoutQuotingIt(String body) {
    try (App app = App.forAdmins()) {
      Answer answer = app.post("/api/emails", body);
      answer.problem(400, "malformed-request");
      assertThat(answer.text()).doesNotContain("nonsense", "example.com");
    }
  }

  @Test
  void deepJsonIsRefused() {
    try (App app = App.forAdmins()) {
      for (int depth : new int[] {200, 5_000, 1_000_000}) {
        String deep = "[".repeat(depth) + "]".repeat(depth);
        app.post("/api/emails", "{\"to\": \"a@example.com\", \"data\": {\"x\": " + deep + "}}")
            .problem(400, "malformed-request");
      }
    }
  }

  private static List<Route> routes(App app) {
    OutboxPluginConfig settings = new OutboxPluginConfig().inbox(new DevelopmentInbox());
    return Routes.of(app.outbox(), settings, new EventStream());
  }

  /** Asks for a route as the page would, but hangs up on events at once. */
  private static Answer ask(App app, Route route) {
    return ask(app, route, "");
  }

  private static Answer ask(App app, Route route, String query) {
    String path =
        route
                .path()
                .replace("{id}", EmailId.next().toString())
                .replace("{number}", "1")
                .replace("{index}", "0")
            + query;
    HttpRequest.Builder request = app.request(path).header(CsrfCheck.ACTION, "1");
    if (route.method().equals(HandlerType.POST)) {
      request.POST(BodyPublishers.noBody());
    } else if (route.method().equals(HandlerType.DELETE)) {
      request.DELETE();
    } else if (route.method().equals(HandlerType.HEAD)) {
      request.method("HEAD", BodyPublishers.noBody());
    }
    return App.ask(request);
  }

  private static Answer send(App app, String body, String... headers) {
    return App.ask(app.request("/api/emails").headers(headers).POST(BodyPublishers.ofString(body)));
  }

  private static int stored(App app) {
    return app.outbox().query(EmailQuery.all(), 100).emails().size();
  }
}
