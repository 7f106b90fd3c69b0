package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.testkit.RecordingTransport;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A search cannot confirm what the caller may not see. */
class AddressSearchCheckTest {

  private static final Set<String> PERSONAL = Set.of("recipient", "to", "from", "subject", "q");

  private static final Map<String, String> OTHERS =
      Map.of(
          "state", "FAILED",
          "code", "REFUSED",
          "template", "order",
          "tag", "orders",
          "since", "2030-01-31T08:00:00Z",
          "before", "2030-01-31T08:00:00Z",
          "after", EmailId.next().toString(),
          "limit", "1",
          "olderThan", "PT1M");

  private final AtomicReference<AccessRole> access = new AtomicReference<>(AccessRole.ADMIN);
  private final App app =
      App.with(p -> p.inbox(new DevelopmentInbox()).access(context -> access.get()));

  @AfterEach
  void stop() {
    app.close();
  }

  @ParameterizedTest
  @EnumSource(AccessRole.class)
  void aPersonalParameterIsForThoseWhoSeePersonalData(AccessRole caller) {
    access.set(caller);
    OutboxPluginConfig settings = new OutboxPluginConfig().inbox(new DevelopmentInbox());
    int searches = 0;
    for (Route route : Routes.of(app.outbox(), settings, new EventStream())) {
      for (String name : route.parameters()) {
        boolean isPersonal = PERSONAL.contains(name);
        assertThat(isPersonal || OTHERS.containsKey(name))
            .as("%s of %s is personal data or not: this test has to say", name, route)
            .isTrue();
        String value = isPersonal ? "ada@example.com" : OTHERS.get(name);
        boolean isAllowed =
            caller.enters()
                && route.need().isMetBy(caller)
                && (!isPersonal || caller.seesPersonalData());

        Answer answer = app.get(route.path() + "?" + name + "=" + value);

        assertThat(answer.status())
            .as("%s %s?%s", caller, route.path(), name)
            .isEqualTo(isAllowed ? 200 : 403);
        searches += isPersonal ? 1 : 0;
      }
    }
    assertThat(searches).isEqualTo(8);
  }

  @ParameterizedTest
  @EnumSource(names = {"VIEWER", "OPERATOR"})
  void theProblemNamesTheParameterAndDoesNotDependOnItsValue(AccessRole caller) {
    app.outbox().send(email("orders"));
    access.set(caller);
    for (String value : new String[] {"ada@example.com", "bob@example.com", "nonsense"}) {
      for (String list : new String[] {"emails", "failed", "invalid", "stale"}) {
        assertThat(
                app.get("/api/" + list + "?recipient=" + value)
                    .problem(403, "forbidden")
                    .get("field")
                    .textValue())
            .isEqualTo("recipient");
      }
    }
  }

  @Test
  void requeuingByRecipientNeedsTheRightToSeeAddresses() {
    app.mail().transport().answer(RecordingTransport::refuse);
    EmailId id = app.outbox().send(email("orders")).id();
    app.mail().process();
    for (String body :
        new String[] {
          "{\"recipient\": \"ada@example.com\"}", "{\"tag\": \"for ada@example.com\"}"
        }) {
      access.set(AccessRole.OPERATOR);
      Answer refused = app.post("/api/requeue", body);
      assertThat(refused.problem(403, "forbidden").get("field").textValue())
          .isEqualTo(body.contains("tag") ? "tag" : "recipient");
    }
    assertThat(app.outbox().find(id).orElseThrow().summary().progress().generation()).isZero();

    assertThat(
            app.post("/api/requeue", "{\"tag\": \"orders\"}")
                .is(200)
                .json()
                .get("requeued")
                .intValue())
        .isEqualTo(1);
    app.mail().process();
    access.set(AccessRole.ADMIN);
    assertThat(
            app.post("/api/requeue", "{\"recipient\": \"ada@example.com\"}")
                .is(200)
                .json()
                .get("requeued")
                .intValue())
        .isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ada@example.com", "for-ada@example.com", "ada@"})
  void aTagThatContainsAnAddressIsPersonal(String tag) {
    app.outbox().send(email(tag));
    assertThat(found(tag)).isEqualTo(1);

    access.set(AccessRole.VIEWER);
    assertThat(app.get("/api/emails?tag=" + tag).problem(403, "forbidden").get("field").textValue())
        .isEqualTo("tag");
  }

  @Test
  void aTagThatIsMaskedInAnEmailDoesNotFindIt() {
    app.outbox().send(email("ada"));
    app.outbox().send(email("orders"));
    assertThat(found("ada")).isEqualTo(1);

    access.set(AccessRole.VIEWER);
    assertThat(found("ada")).isZero();
    assertThat(found("orders")).isEqualTo(1);
  }

  private int found(String tag) {
    return app.get("/api/emails?tag=" + tag).is(200).json().get("emails").size();
  }

  private static Email email(String tag) {
    return Email.to("ada@example.com").subject("s").text("x").tag(tag).build();
  }
}
