package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.store.StoreException;
import dev.outbox.testsupport.LocalDynamo;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Mistakes of those who set a store up are told with the table's name and what to do. */
class SetUpMistakesTest {

  private final DynamoDbClient client = LocalDynamo.client();

  @Test
  void aMissingTableIsNamed() {
    try (DynamoDbStore store = DynamoDbStore.builder(client).table("emials").build()) {
      assertThatThrownBy(() -> store.insert(List.of(Mail.email())))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("table emials")
          .hasMessageContaining("ResourceNotFoundException; no such table")
          .hasMessageContaining("DynamoDbSchema");
      assertThatThrownBy(() -> store.find(EmailId.next()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("table emials");
    }
  }

  @Test
  void aMissingIndexIsNamed() {
    new OtherTables(client).make("no-indexes", List.of("Id", "Status"));
    try (DynamoDbStore store = DynamoDbStore.builder(client).table("no-indexes").build()) {
      assertThatThrownBy(() -> store.claim(Mail.claim(new Stored(store).node(), State.ACCEPTED, 1)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("table no-indexes, index QueueIndex: ValidationException")
          .hasMessageContaining("as DynamoDbSchema makes them");
    }
  }

  @Test
  void aClientWithoutCredentialsIsTold() {
    AwsCredentialsProvider none =
        AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create());
    try (DynamoDbClient bare = client(LocalDynamo.endpoint(), none);
        DynamoDbStore store = DynamoDbStore.builder(bare).table("emails").build()) {
      assertThatThrownBy(() -> store.find(EmailId.next()))
          .isInstanceOf(StoreException.class)
          .hasMessageEndingWith("SdkClientException; the client has no credentials");
    }
  }

  @Test
  void aRefusedConnectionIsCalledSo() {
    URI nowhere = URI.create("http://127.0.0.1:" + LocalDynamo.freePort());
    try (DynamoDbClient lost = client(nowhere, AnonymousCredentialsProvider.create());
        DynamoDbStore store = DynamoDbStore.builder(lost).table("emails").build()) {
      assertThatThrownBy(() -> store.find(EmailId.next()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("SdkClientException caused by ConnectException")
          .hasMessageContaining("endpoint");
    }
  }

  @Test
  void aClientThatWasClosedFirstIsAnErrorOfTheStore() {
    DynamoDbClient closed = client(LocalDynamo.endpoint(), AnonymousCredentialsProvider.create());
    try (DynamoDbStore store = DynamoDbStore.builder(closed).table("emails").build()) {
      closed.close();

      assertThatThrownBy(() -> store.insert(List.of(Mail.email())))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is the client closed?");
    }
  }

  @Test
  void whatTheSdkSaysIsNotRepeated() {
    assertThat(ErrorHints.on(new IllegalStateException("about ada@example.com")))
        .doesNotContain("ada@example.com");
    assertThat(ErrorHints.on("AccessDeniedException")).contains("docs/dynamodb.md");
  }

  private static DynamoDbClient client(URI endpoint, AwsCredentialsProvider credentials) {
    return DynamoDbClient.builder()
        .endpointOverride(endpoint)
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(credentials)
        .httpClient(UrlConnectionHttpClient.create())
        .overrideConfiguration(
            o ->
                o.retryStrategy(DefaultRetryStrategy.doNotRetry())
                    .apiCallTimeout(Duration.ofSeconds(20)))
        .build();
  }
}
