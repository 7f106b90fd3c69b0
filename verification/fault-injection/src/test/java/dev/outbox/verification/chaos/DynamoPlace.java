package dev.outbox.verification.chaos;

import dev.outbox.Outbox;
import dev.outbox.content.ContentDirectory;
import dev.outbox.dynamodb.DynamoDbStore;
import dev.outbox.dynamodb.DynamoDbTransaction;
import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import dev.outbox.store.OutboxStore;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** A store on DynamoDB Local. */
public final class DynamoPlace implements Place {

  private final DynamoDbClient client;
  private final DynamoDbStore store;

  DynamoPlace(NodeSettings settings, Line line) {
    this.client = client(settings.url());
    this.store =
        DynamoDbStore.builder(client)
            .table(line.table())
            .largeContent(ContentDirectory.at(settings.content()))
            .build();
  }

  /** Returns a client that makes each call once, with a timeout of 5 s. */
  public static DynamoDbClient client(String url) {
    return DynamoDbClient.builder()
        .endpointOverride(URI.create(url))
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
        .httpClient(UrlConnectionHttpClient.builder().socketTimeout(Duration.ofSeconds(5)).build())
        .overrideConfiguration(
            options ->
                options
                    .retryStrategy(DefaultRetryStrategy.doNotRetry())
                    .apiCallTimeout(Duration.ofSeconds(5)))
        .build();
  }

  @Override
  public OutboxStore store() {
    return store;
  }

  @Override
  public void join(Outbox outbox, Email email, boolean commits, Consumer<Receipt> sent) {
    List<TransactWriteItem> writes = new ArrayList<>();
    DynamoDbTransaction transaction = store.transaction(writes);
    Receipt receipt = outbox.in(transaction).send(email);
    if (commits) {
      client.transactWriteItems(request -> request.transactItems(writes));
      transaction.committed();
    }
    sent.accept(receipt);
  }

  @Override
  public void close() {
    store.close();
    client.close();
  }
}
