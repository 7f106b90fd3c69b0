package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.content.ContentDirectory;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** Content or a row that cannot be read or written back affects its own email only. */
class UnreadableContentTest extends LocalStore {

  private static final Bytes LARGE = Bytes.owned(new byte[500_000]);

  @TempDir Path directory;

  static Stream<AttributeValue> bodies() {
    return Stream.of(
        AttributeValues.text("words"), AttributeValues.number(7), AttributeValue.fromM(Map.of()));
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void anEmailWhoseContentIsNotBytesIsClaimedWithoutContentBesideTheOthers(AttributeValue body) {
    EmailId good = stored.waiting(Mail.email());
    EmailId bad = stored.waiting(Mail.email());
    change(bad, "CONTENT", "Body", body);

    List<Claim> claims = store.claim(Mail.claim(stored.node(), State.ACCEPTED, 10));

    assertThat(claims).extracting(Claim::id).containsExactlyInAnyOrder(good, bad);
    assertThat(content(claims, bad)).isFalse();
    assertThat(content(claims, good)).isTrue();
    assertThat(store.find(bad)).isPresent();
  }

  @Test
  void anEmailWithAnUnknownFileNameIsClaimedWithoutContentBesideTheOthers() {
    try (DynamoDbStore large =
        open(builder -> builder.largeContent(ContentDirectory.at(directory)))) {
      Stored own = new Stored(large);
      EmailId good = own.waiting(Mail.email(null, LARGE));
      EmailId bad = own.waiting(Mail.email(null, LARGE));
      change(bad, "_META", "PayloadFile", AttributeValues.text("../../etc/passwd"));

      List<Claim> claims = large.claim(Mail.claim(own.node(), State.ACCEPTED, 10));

      assertThat(content(claims, bad)).isFalse();
      assertThat(content(claims, good)).isTrue();
      assertThat(
              large.complete(
                  claims.stream()
                      .map(claim -> Completion.invalid(claim, OutcomeDetails.of("unreadable")))
                      .toList()))
          .containsOnly(CompletionResult.APPLIED);
      large.prune(
          new RetentionSettings(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO), 10);
      assertThat(tables.emails())
          .as("items of pruned emails")
          .noneMatch(item -> AttributeValues.needed(item, "Id").equals(good.toString()))
          .noneMatch(item -> AttributeValues.needed(item, "Id").equals(bad.toString()));
    }
  }

  @Test
  void anEmailWhoseFileCannotBeReadIsClaimedWithoutContentBesideTheOthers() throws IOException {
    try (DynamoDbStore large =
        open(builder -> builder.largeContent(ContentDirectory.at(directory)))) {
      Stored own = new Stored(large);
      EmailId good = own.waiting(Mail.email());
      EmailId bad = own.waiting(Mail.email(null, LARGE));
      Path file = directory.resolve(AttributeValues.needed(item(bad, "_META"), "PayloadFile"));
      Files.delete(file);
      Files.createDirectory(file);

      List<Claim> claims = large.claim(Mail.claim(own.node(), State.ACCEPTED, 10));

      assertThat(content(claims, bad)).isFalse();
      assertThat(content(claims, good)).isTrue();
    }
  }

  /** An unreadable row that fills its item leaves no room for the columns of a claim. */
  @Test
  void aRowThatCannotBeWrittenBackDoesNotStopTheClaimsOfOthers() {
    EmailId bad = stored.waiting(Mail.email());
    change(bad, "_META", "Token", null);
    fill(bad);
    EmailId good = stored.waiting(Mail.email());

    assertThat(store.claim(Mail.claim(stored.node(), State.ACCEPTED, 10)))
        .extracting(Claim::id)
        .containsExactly(good);
  }

  @Test
  void aRowThatCannotBeWrittenBackDoesNotStopTheReapingOfOthers() {
    EmailId bad = stored.waiting(Mail.email());
    EmailId good = stored.waiting(Mail.email());
    store.heartbeat(stored.node());
    store.claim(Mail.claim(stored.node(), State.ACCEPTED, 10));
    fill(bad);

    assertThat(store.reap(stored.node(), 1, ReapPolicy.DEFAULT, 10))
        .extracting(reaped -> reaped.id())
        .containsExactly(good);
  }

  @Test
  void anItemThatDynamoDbRejectsIsNamed() {
    EmailId bad = stored.waiting(Mail.email());
    Claim claim = stored.claimed();
    fill(bad);

    assertThatThrownBy(
            () ->
                store.complete(
                    List.of(
                        Completion.deferredToOtherNode(
                            claim, Duration.ZERO, OutcomeDetails.of("w".repeat(900))))))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.REJECTED_DATA))
        .hasMessageContaining(bad + "/_META");
  }

  private static boolean content(List<Claim> claims, EmailId id) {
    return claims.stream()
        .anyMatch(claim -> claim.id().equals(id) && Objects.nonNull(claim.content()));
  }

  /** Fills an item up to the limit of 400 KB with an attribute that this release does not know. */
  private void fill(EmailId id) {
    Map<String, AttributeValue> item = new HashMap<>(item(id, "_META"));
    int low = 390_000;
    int high = 409_600;
    while (high - low > 1) {
      int middle = (low + high) / 2;
      item.put("Later", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[middle])));
      if (isPut(item)) {
        low = middle;
      } else {
        high = middle;
      }
    }
  }

  private boolean isPut(Map<String, AttributeValue> item) {
    try {
      client.putItem(put -> put.tableName(tables.name()).item(item));
      return true;
    } catch (DynamoDbException e) {
      return false;
    }
  }

  private void change(EmailId id, String status, String name, @Nullable AttributeValue value) {
    Map<String, AttributeValue> item = new HashMap<>(item(id, status));
    if (value == null) {
      item.remove(name);
    } else {
      item.put(name, value);
    }
    client.putItem(put -> put.tableName(tables.name()).item(item));
  }

  private Map<String, AttributeValue> item(EmailId id, String status) {
    return client
        .getItem(
            get -> get.tableName(tables.name()).key(AttributeValues.key(id.toString(), status)))
        .item();
  }
}
