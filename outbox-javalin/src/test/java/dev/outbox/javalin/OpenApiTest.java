package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.email.Email;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The document and the routes tell the same story. */
class OpenApiTest {

  private static final JsonNode DOCUMENT = Answer.parse(DashboardRoutes.resource("openapi.json"));

  @Test
  void everyRouteIsInTheDocumentAndTheOtherWayRound() {
    List<String> documented = new ArrayList<>();
    DOCUMENT
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method ->
                            documented.add(
                                method.toUpperCase(Locale.ROOT) + " /api" + path.getKey())));
    try (App app = App.forAdmins()) {
      OutboxPluginConfig settings = new OutboxPluginConfig().inbox(new DevelopmentInbox());
      List<String> registered =
          Routes.of(app.outbox(), settings, new EventStream()).stream()
              .filter(route -> route.path().startsWith("/api/"))
              .map(route -> route.method() + " " + route.path())
              .toList();
      assertThat(documented).containsExactlyInAnyOrderElementsOf(registered);
    }
  }

  @Test
  void theDocumentNamesTheParametersThatARouteAccepts() {
    try (App app = App.forAdmins()) {
      OutboxPluginConfig settings = new OutboxPluginConfig().inbox(new DevelopmentInbox());
      for (Route route : Routes.of(app.outbox(), settings, new EventStream())) {
        if (route.isApi()) {
          JsonNode operation =
              DOCUMENT
                  .get("paths")
                  .get(route.path().substring("/api".length()))
                  .get(route.method().toString().toLowerCase(Locale.ROOT));
          Set<String> documented = new TreeSet<>();
          for (JsonNode parameter : operation.path("parameters")) {
            if (parameter.get("in").textValue().equals("query")) {
              documented.add(parameter.get("name").textValue());
            }
          }
          assertThat(documented).as(route.path()).isEqualTo(new TreeSet<>(route.parameters()));
          assertThat(operation.get("responses").has("400")).as(route.path()).isTrue();
        }
      }
    }
  }

  @Test
  void everyReferenceInTheDocumentLeadsSomewhere() {
    List<String> references = DOCUMENT.findValuesAsText("$ref");
    assertThat(references).isNotEmpty();
    for (String reference : references) {
      assertThat(DOCUMENT.at(reference.substring(1)).isMissingNode()).as(reference).isFalse();
    }
  }

  @Test
  void whatIsAnsweredHasTheDocumentedFields() {
    try (App app = App.forAdmins()) {
      var id = app.outbox().send(Email.to("ada@example.com").subject("s").text("x").build()).id();

      assertThat(names(app.get("/api/emails").json().get("emails").get(0)))
          .isEqualTo(properties("Summary"));
      Set<String> details = properties("Summary");
      details.addAll(names(DOCUMENT.at("/components/schemas/Details/allOf/1/properties")));
      assertThat(names(app.get("/api/emails/" + id).json())).isEqualTo(details);
      assertThat(names(app.get("/api/emails/" + id).json().at("/history/0")))
          .isEqualTo(properties("Step"));
      assertThat(names(app.get("/api/emails/" + id + "/message").json()))
          .isEqualTo(properties("Message"));
      assertThat(names(app.get("/api/stats").json())).isEqualTo(properties("Stats"));
      assertThat(names(app.get("/api/health").json())).isEqualTo(properties("Health"));
      assertThat(names(app.get("/api/failures").json())).isEqualTo(properties("Failures"));
    }
  }

  @Test
  void theDocumentIsServed() {
    try (App app = App.forAdmins()) {
      assertThat(app.get("/api/openapi.json").is(200).json()).isEqualTo(DOCUMENT);
    }
  }

  private static Set<String> properties(String schema) {
    return names(DOCUMENT.at("/components/schemas/" + schema + "/properties"));
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
