package dev.outbox.testsupport;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** DynamoDB Local as a server on a free port of this machine, started once for all tests. */
public final class LocalDynamo {

  private static final class Server {
    static final URI ENDPOINT = start();
  }

  private LocalDynamo() {}

  /** Returns the address of the server. */
  public static URI endpoint() {
    return Server.ENDPOINT;
  }

  /** Returns a client that leaves retries to the store. */
  public static DynamoDbClient client(ExecutionInterceptor... interceptors) {
    return client(Server.ENDPOINT, interceptors);
  }

  /** Returns such a client of another server. */
  public static DynamoDbClient client(URI endpoint, ExecutionInterceptor... interceptors) {
    return DynamoDbClient.builder()
        .endpointOverride(endpoint)
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
        .httpClient(UrlConnectionHttpClient.builder().socketTimeout(Duration.ofSeconds(30)).build())
        .overrideConfiguration(
            configuration -> {
              configuration.retryStrategy(DefaultRetryStrategy.doNotRetry());
              for (ExecutionInterceptor interceptor : interceptors) {
                configuration.addExecutionInterceptor(interceptor);
              }
            })
        .build();
  }

  private static URI start() {
    try {
      int port = freePort();
      DynamoDBProxyServer server =
          ServerRunner.createServerFromCommandLineArgs(
              new String[] {
                "-inMemory", "-sharedDb", "-disableTelemetry", "-port", Integer.toString(port)
              });
      server.start();
      return URI.create("http://127.0.0.1:" + port);
    } catch (Exception e) {
      throw new IllegalStateException("DynamoDB Local does not start", e);
    }
  }

  /** Returns a port that no process listens on. */
  public static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
