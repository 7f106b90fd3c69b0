package dev.outbox.examples;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import dev.outbox.dynamodb.DynamoDbSchema;
import dev.outbox.dynamodb.DynamoDbStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** DynamoDB Local in this process, with the tables of a store. */
final class LocalDynamoDb implements AutoCloseable {

  private final DynamoDBProxyServer server;
  private final DynamoDbClient client;
  private final DynamoDbStore store;

  private LocalDynamoDb(DynamoDBProxyServer server, DynamoDbClient client) {
    this.server = server;
    this.client = client;
    DynamoDbSchema.of("emails").create(client);
    this.store = DynamoDbStore.builder(client).table("emails").build();
  }

  static LocalDynamoDb start() {
    try {
      int port = freePort();
      String[] arguments = {"-inMemory", "-disableTelemetry", "-port", Integer.toString(port)};
      DynamoDBProxyServer server = ServerRunner.createServerFromCommandLineArgs(arguments);
      server.start();
      return new LocalDynamoDb(server, client(URI.create("http://127.0.0.1:" + port)));
    } catch (Exception e) {
      throw new IllegalStateException("DynamoDB Local does not start", e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** In life: {@code DynamoDbClient.create()}, and retries left to the store as here. */
  private static DynamoDbClient client(URI endpoint) {
    return DynamoDbClient.builder()
        .endpointOverride(endpoint)
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
        .httpClient(UrlConnectionHttpClient.create())
        .overrideConfiguration(
            configuration -> configuration.retryStrategy(DefaultRetryStrategy.doNotRetry()))
        .build();
  }

  DynamoDbStore store() {
    return store;
  }

  @Override
  public void close() {
    store.close();
    client.close();
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("DynamoDB Local does not stop", e);
    }
  }
}
