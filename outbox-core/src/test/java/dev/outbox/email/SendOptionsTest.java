package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendOptionsTest {

  @Test
  void keyAndReferenceHaveALongestLength() {
    assertThat(handling("k".repeat(255), "r".repeat(255)).idempotencyKey()).hasSize(255);
    refuses("idempotencyKey", () -> handling("k".repeat(256), null));
    refuses("requestId", () -> handling(null, "r".repeat(256)));
  }

  @Test
  void keyAndReferenceAreNotBlank() {
    refuses("idempotencyKey", () -> handling("", null));
    refuses("requestId", () -> handling(null, "  "));
  }

  @Test
  void thereAreSixteenTagsAtMostOfSixtyFourCharacters() {
    assertThat(tagged(tags(16)).tags()).hasSize(16);
    refuses("tags", () -> tagged(tags(17)));
    assertThat(tagged(Set.of("t".repeat(64))).tags()).hasSize(1);
    refuses("tags", () -> tagged(Set.of("t".repeat(65))));
    refuses("tags", () -> tagged(Set.of(" ")));
    refuses("tags", () -> tagged(Set.of("a\nb")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://example.com",
        "HTTP://example.com:8080/a?b=c",
        "https://[::1]/",
        "http://b/"
      })
  void aCallbackGoesToAnyHttpUrlWithAHost(String url) {
    URI uri = URI.create(url);
    assertThat(new SendOptions(null, null, Set.of(), uri, null, null, Priority.BULK).callbackUrl())
        .isEqualTo(uri);
  }

  @Test
  void aCallbackUrlHasALongestLength() {
    String prefix = "https://example.com/";
    URI longest = URI.create(prefix + "a".repeat(1_000 - prefix.length()));
    assertThat(SendOptions.checkedUrl(longest)).isEqualTo(longest);
    refuses("callbackUrl", () -> SendOptions.checkedUrl(URI.create(longest + "a")));
  }

  @Test
  void anEmailLivesForAPositiveTime() {
    refuses("expireAfter", () -> timed(null, Duration.ZERO));
    refuses("expireAfter", () -> timed(null, Duration.ofNanos(-1)));
    assertThat(timed(null, Duration.ofNanos(1)).expireAfter()).isEqualTo(Duration.ofNanos(1));
  }

  @Test
  void aTimeThatNoDatabaseCanStoreIsRefused() {
    refuses("sendAt", () -> timed(Instant.MAX, null));
    refuses("sendAt", () -> timed(Instant.MIN, null));
    refuses("sendAt", () -> timed(Instant.parse("9000-01-01T00:00:00Z"), null));
    refuses("sendAt", () -> timed(Instant.EPOCH.minusNanos(1), null));
    assertThat(timed(Instant.EPOCH, null).sendAt()).isEqualTo(Instant.EPOCH);
    assertThat(timed(Instant.parse("8999-12-31T23:59:59Z"), null).sendAt()).isNotNull();
  }

  private static SendOptions handling(@Nullable String key, @Nullable String requestId) {
    return new SendOptions(key, requestId, Set.of(), null, null, null, Priority.NORMAL);
  }

  private static SendOptions tagged(Set<String> tags) {
    return new SendOptions(null, null, tags, null, null, null, Priority.NORMAL);
  }

  private static SendOptions timed(@Nullable Instant sendAt, @Nullable Duration expireAfter) {
    return new SendOptions(null, null, Set.of(), null, sendAt, expireAfter, Priority.NORMAL);
  }

  private static Set<String> tags(int count) {
    return IntStream.range(0, count).mapToObj(i -> "tag" + i).collect(Collectors.toSet());
  }

  private static void refuses(String field, Runnable made) {
    assertThatThrownBy(made::run)
        .isInstanceOfSatisfying(
            InvalidEmailException.class, e -> assertThat(e.field()).isEqualTo(field));
  }
}
