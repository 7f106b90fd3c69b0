package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A request for a host that the setting does not name is answered on no route. */
class AllowedHostsTest {

  @Test
  void aForeignHostIsAnsweredOnNoRoute() {
    try (App app = limited("127.0.0.1", "localhost")) {
      OutboxPluginConfig settings = new OutboxPluginConfig().inbox(new DevelopmentInbox());
      for (Route route : Routes.of(app.outbox(), settings, new EventStream())) {
        String path =
            "/outbox"
                + route
                    .path()
                    .replace("{id}", EmailId.next().toString())
                    .replaceAll("\\{.*?}", "1");
        String answer =
            RawRequest.send(
                app.uri("").getPort(),
                route.method() + " " + path + " HTTP/1.1",
                "Host: evil.example:" + app.uri("").getPort(),
                "Accept: text/event-stream",
                CsrfCheck.ACTION + ": 1");
        assertThat(answer)
            .as(route.toString())
            .startsWith("HTTP/1.1 421")
            .contains("application/problem+json", "urn:outbox:misdirected")
            .doesNotContain("evil.example");
        if (route.isSafe()) {
          assertThat(ask(app, "HEAD " + path + " HTTP/1.1", "Host: evil.example"))
              .as("HEAD " + path)
              .startsWith("HTTP/1.1 421");
        }
      }
      assertThat(app.outbox().query(EmailQuery.all(), 1).emails()).isEmpty();
    }
  }

  @Test
  void theAccessRuleIsNotAskedForAForeignHost() {
    try (App app =
        App.with(
            p ->
                p.allowedHosts("localhost")
                    .access(
                        context -> {
                          throw new IllegalStateException("asked");
                        }))) {
      assertThat(ask(app, "GET /outbox/ HTTP/1.1", "Host: evil.example"))
          .startsWith("HTTP/1.1 421");
    }
  }

  @Test
  void aRequestWithoutAHostIsRefused() {
    try (App app = limited("127.0.0.1")) {
      assertThat(ask(app, "GET /outbox/api/stats HTTP/1.0")).startsWith("HTTP/1.1 421");
      assertThat(ask(app, "GET /outbox/api/stats HTTP/1.0", "Host: 127.0.0.1"))
          .startsWith("HTTP/1.1 200");
    }
  }

  /** Whatever a client puts into the request line or repeats, a foreign name reaches nothing. */
  @Test
  void aSecondHostDoesNotHideTheFirst() {
    try (App app = limited("127.0.0.1")) {
      String path = "/outbox/api/stats";
      assertThat(ask(app, "GET " + path + " HTTP/1.1", "Host: evil.example", "Host: 127.0.0.1"))
          .doesNotStartWith("HTTP/1.1 200");
      assertThat(ask(app, "GET http://evil.example" + path + " HTTP/1.1", "Host: 127.0.0.1"))
          .doesNotStartWith("HTTP/1.1 200");
      assertThat(ask(app, "GET " + path + " HTTP/1.1", "Host: evil.example@127.0.0.1"))
          .doesNotStartWith("HTTP/1.1 200");
    }
  }

  @Test
  void withoutTheSettingEveryHostIsAnswered() {
    for (App app : new App[] {App.forAdmins(), limited()}) {
      try (app) {
        assertThat(ask(app, "GET /outbox/api/stats HTTP/1.1", "Host: evil.example"))
            .startsWith("HTTP/1.1 200");
        assertThat(ask(app, "GET /outbox/api/stats HTTP/1.0")).startsWith("HTTP/1.1 200");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, localhost, true",
    "localhost, LocalHost:8080, true",
    "LOCALHOST, localhost, true",
    "localhost, localhost., true",
    "localhost, localhost.evil.example, false",
    "localhost, evil-localhost, false",
    "localhost, 127.0.0.1, false",
    "mail.example.com:8443, mail.example.com:8443, true",
    "mail.example.com:8443, mail.example.com:8080, false",
    "mail.example.com:8443, mail.example.com, false",
    "mail.example.com:443, mail.example.com, true",
    "mail.example.com:80, mail.example.com, true",
    "[::1], [::1], true",
    "[::1], [::1]:7070, true",
    "::1, [::1]:7070, true",
    "[::1]:7070, [::1]:7070, true",
    "[::1]:7070, [::1]:7071, false",
    "0:0:0:0:0:0:0:1, [::1], true",
    "[2001:DB8::1], [2001:db8:0::1]:1, true",
    "[::1], [::2], false",
    "[::1], ::1, false",
    "localhost, '', false",
    "localhost, localhost:, false",
    "localhost, localhost:99999999, false",
    "localhost, 'localhost evil', false",
    "localhost, localhost/evil, false",
  })
  void hostsAreComparedByNameAndPort(String allowed, String header, boolean expected) {
    assertThat(AllowedHosts.of("other.example", allowed).allow(header)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "https://example.com",
        "example.com/",
        "*.example.com",
        "a b",
        "[::g]",
        "[::1",
        ":80",
        "example.com:port",
        "user@example.com",
        "1:2:3"
      })
  void whatIsNoHostIsRefused(String host) {
    assertThatThrownBy(() -> new OutboxPluginConfig().allowedHosts("localhost", host))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("allowedHosts: ")
        .hasMessageEndingWith(host);
  }

  private static App limited(String... hosts) {
    return App.with(
        p ->
            p.allowedHosts(hosts)
                .inbox(new DevelopmentInbox())
                .access(context -> AccessRole.ADMIN));
  }

  private static String ask(App app, String... lines) {
    return RawRequest.send(app.uri("").getPort(), lines);
  }
}
