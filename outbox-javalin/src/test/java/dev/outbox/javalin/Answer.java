package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What the server said. */
record Answer(HttpResponse<byte[]> response) {

  private static final JsonMapper MAPPER = new JsonMapper();

  /** Reads JSON that the plugin has written. */
  static JsonNode parse(byte[] json) {
    try {
      return MAPPER.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Answer to(HttpClient client, HttpRequest request) {
    return to(client, request, Duration.ofSeconds(20));
  }

  static Answer to(HttpClient client, HttpRequest request, Duration patience) {
    return new Answer(
        client
            .sendAsync(request, BodyHandlers.ofByteArray())
            .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
            .join());
  }

  int status() {
    return response.statusCode();
  }

  String header(String name) {
    return response.headers().firstValue(name).orElse("");
  }

  String text() {
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  JsonNode json() {
    return parse(response.body());
  }

  Answer is(int status) {
    assertThat(status()).as(text()).isEqualTo(status);
    return this;
  }

  /** Checks that this is a problem as RFC 9457 has it, of a kind. */
  JsonNode problem(int status, String type) {
    is(status);
    assertThat(header("Content-Type")).startsWith("application/problem+json");
    JsonNode problem = json();
    assertThat(problem.get("status").intValue()).isEqualTo(status);
    assertThat(problem.get("type").textValue()).isEqualTo("urn:outbox:" + type);
    assertThat(problem.get("title").textValue()).isNotBlank();
    assertThat(problem.get("detail").textValue()).isNotBlank();
    return problem;
  }
}
