package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import dev.outbox.Outbox;
import dev.outbox.dynamodb.DynamoDbSchema;
import dev.outbox.dynamodb.DynamoDbStore;
import dev.outbox.dynamodb.DynamoDbTransaction;
import dev.outbox.email.Email;
import dev.outbox.testkit.RecordingTransport;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The code of docs/dynamodb.md, on DynamoDB Local. */
class DynamoDbTest {

  private final RecordingTransport smtp = new RecordingTransport();

  @Test
  void anEmailIsPartOfTheHostsOwnTransaction() throws Exception {
    String port = freePort();
    String[] arguments = {"-inMemory", "-disableTelemetry", "-port", port};
    DynamoDBProxyServer server = ServerRunner.createServerFromCommandLineArgs(arguments);
    server.start();

    URI endpoint = URI.create("http://127.0.0.1:" + port);
    var credentials =
        StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));
    DynamoDbClient client =
        DynamoDbClient.builder()
            .endpointOverride(endpoint) // for DynamoDB Local, as are the next two lines
            .region(Region.EU_CENTRAL_1)
            .credentialsProvider(credentials)
            .overrideConfiguration(
                o ->
                    o.retryStrategy(DefaultRetryStrategy.doNotRetry())
                        .apiCallTimeout(Duration.ofSeconds(5)))
            .build();
    DynamoDbSchema.of("emails").create(client); // or print it: .cloudFormation()
    DynamoDbStore store = DynamoDbStore.builder(client).table("emails").build();
    Outbox outbox = Outbox.builder(store).transport(smtp).build();

    Email email =
        Email.to("ada@example.com").from("shop@example.com").subject("Hi").text("Ho").build();
    List<TransactWriteItem> ownWrites = List.of(order());
    List<TransactWriteItem> writes = new ArrayList<>(ownWrites);
    DynamoDbTransaction transaction = store.transaction(writes);
    outbox.in(transaction).send(email); // adds 2 items, 3 with an idempotency key, of the 100
    client.transactWriteItems(request -> request.transactItems(writes));
    transaction.committed(); // wakes the processor

    outbox.processDue();
    assertThat(smtp.sent()).hasSize(1);
    outbox.close();
    store.close();
    client.close();
    server.stop();
  }

  /** A row of the host's own; for shortness in the same table. */
  private static TransactWriteItem order() {
    return TransactWriteItem.builder()
        .put(
            put ->
                put.tableName("emails")
                    .item(
                        Map.of(
                            "Id", AttributeValue.fromS("order-42"),
                            "Status", AttributeValue.fromS("PAID"))))
        .build();
  }

  private static String freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(socket.getLocalPort());
    }
  }
}
