package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.outbox.content.ContentDirectory;
import dev.outbox.content.LargeContent;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.NewEmail;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoreException.Reason;
import dev.outbox.testsupport.LocalDynamo;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** The reason of a failure says what the caller can do about it. */
class FailureReasonsTest {

  private final DynamoDbClient client = LocalDynamo.client();
  private final LocalTables tables = new LocalTables(client);
  private final NodeId node = NodeId.incarnate("one");

  @TempDir Path directory;

  @AfterEach
  void close() {
    tables.close();
  }

  @ParameterizedTest
  @CsvSource({
    "ThrottlingException, UNAVAILABLE",
    "InternalServerError, UNAVAILABLE",
    "ServiceUnavailable, UNAVAILABLE",
    "UnrecognizedClientException, UNAVAILABLE",
    "InvalidSignatureException, UNAVAILABLE",
    "ExpiredTokenException, UNAVAILABLE",
    "MissingAuthenticationTokenException, UNAVAILABLE",
    "AccessDeniedException, UNAVAILABLE",
    "LimitExceededException, UNAVAILABLE",
    "ResourceNotFoundException, MISCONFIGURED",
    "ValidationException, REJECTED_DATA",
    "ItemCollectionSizeLimitExceededException, REJECTED_DATA",
    "SerializationException, REJECTED_DATA"
  })
  void anAnswerOfDynamoDbHasItsReason(String code, Reason reason) {
    ExecutionInterceptor refusing =
        new ExecutionInterceptor() {
          @Override
          public void beforeExecution(
              Context.BeforeExecution context, ExecutionAttributes executionAttributes) {
            throw DynamoDbException.builder()
                .statusCode(400)
                .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
                .message(code)
                .build();
          }
        };
    try (DynamoDbClient refused = LocalDynamo.client(refusing);
        DynamoDbStore store = DynamoDbStore.builder(refused).table(tables.name()).build()) {
      assertThat(reasonOf(() -> store.insert(List.of(Mail.email())))).isEqualTo(reason);
    }
  }

  @Test
  void aMissingTableAndAMissingIndexAreMisconfigured() {
    new OtherTables(client).make("without-indexes", List.of("Id", "Status"));
    new OtherTables(client).make("other-keys", List.of("Key", "Kind"));
    try (DynamoDbStore none = DynamoDbStore.builder(client).table("missing").build();
        DynamoDbStore bare = DynamoDbStore.builder(client).table("without-indexes").build();
        DynamoDbStore other = DynamoDbStore.builder(client).table("other-keys").build()) {
      assertThat(reasonOf(() -> none.insert(List.of(Mail.email()))))
          .isEqualTo(Reason.MISCONFIGURED);
      assertThat(reasonOf(() -> none.find(EmailId.next()))).isEqualTo(Reason.MISCONFIGURED);
      assertThat(reasonOf(() -> bare.claim(Mail.claim(node, State.ACCEPTED, 1))))
          .isEqualTo(Reason.MISCONFIGURED);
      assertThat(reasonOf(() -> other.find(EmailId.next()))).isEqualTo(Reason.MISCONFIGURED);
      assertThat(reasonOf(() -> other.insert(List.of(Mail.email()))))
          .isEqualTo(Reason.MISCONFIGURED);
      assertThat(reasonOf(() -> other.heartbeat(node))).isEqualTo(Reason.MISCONFIGURED);
    }
  }

  @Test
  void aRefusedConnectionIsAnOutage() {
    URI nowhere = URI.create("http://127.0.0.1:" + LocalDynamo.freePort());
    try (DynamoDbClient lost = LocalDynamo.client(nowhere);
        DynamoDbStore store = DynamoDbStore.builder(lost).table("emails").build()) {
      assertThat(reasonOf(() -> store.find(EmailId.next()))).isEqualTo(Reason.UNAVAILABLE);
    }
  }

  @Test
  void anInterruptedCallSaysSo() {
    try (DynamoDbStore store = DynamoDbStore.builder(client).table(tables.name()).build()) {
      Thread.currentThread().interrupt();

      StoreException failure =
          catchThrowableOfType(StoreException.class, () -> store.insert(List.of(Mail.email())));

      assertThat(Thread.interrupted()).as("still interrupted").isTrue();
      assertThat(failure.reason()).isEqualTo(Reason.INTERRUPTED);
      assertThat(failure).hasMessageContaining("interrupted");
    }
  }

  /** An interrupt closes the file that a thread is at. */
  @Test
  void anInterruptAtAFileOfContentIsNoOutage() {
    LargeContent interrupted =
        (LargeContent)
            Proxy.newProxyInstance(
                LargeContent.class.getClassLoader(),
                new Class<?>[] {LargeContent.class},
                (proxy, method, arguments) -> {
                  throw new StoreException(
                      Reason.UNAVAILABLE, "closed", new ClosedByInterruptException());
                });
    NewEmail large = Mail.email(null, Bytes.owned(new byte[500_000]));
    try (DynamoDbStore sound =
            DynamoDbStore.builder(client)
                .table(tables.name())
                .largeContent(ContentDirectory.at(directory))
                .build();
        DynamoDbStore store =
            DynamoDbStore.builder(client).table(tables.name()).largeContent(interrupted).build()) {
      assertThat(reasonOf(() -> store.insert(List.of(large)))).isEqualTo(Reason.INTERRUPTED);
      assertThat(Thread.interrupted()).as("interrupted while saving").isTrue();

      sound.insert(List.of(large));
      assertThat(reasonOf(() -> store.find(large.id()))).isEqualTo(Reason.INTERRUPTED);
      assertThat(Thread.interrupted()).as("interrupted while loading").isTrue();
    }
  }

  @Test
  void anInterruptedSenderFailsNoOther() throws Exception {
    try (DynamoDbStore store =
        DynamoDbStore.builder(client).table(tables.name()).parallelism(2).build()) {
      ExecutorService senders = Executors.newFixedThreadPool(6);
      CountDownLatch begun = new CountDownLatch(6);
      Set<Thread> victims = ConcurrentHashMap.newKeySet();
      List<Future<Integer>> sent =
          IntStream.range(0, 6)
              .mapToObj(i -> senders.submit(() -> sends(store, i < 2, begun, victims)))
              .toList();
      begun.await();
      while (sent.stream().anyMatch(each -> !each.isDone())) {
        victims.forEach(Thread::interrupt);
        Thread.onSpinWait();
      }
      senders.shutdown();
      assertThat(senders.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
      for (Future<Integer> each : sent.subList(2, 6)) {
        assertThat(each.get()).as("lists that a sender stored without interrupts").isEqualTo(5);
      }
      for (Future<Integer> each : sent.subList(0, 2)) {
        assertThat(each.get()).isBetween(0, 5);
      }
    }
  }

  /** Stores lists that take several transactions each; only an interrupt may fail one. */
  private static int sends(
      DynamoDbStore store, boolean victim, CountDownLatch begun, Set<Thread> victims) {
    if (victim) {
      victims.add(Thread.currentThread());
    }
    begun.countDown();
    int stored = 0;
    for (int i = 0; i < 5; i++) {
      List<NewEmail> emails = Stream.generate(Mail::email).limit(60).toList();
      try {
        store.insert(emails);
        stored++;
      } catch (StoreException e) {
        if (!victim || e.reason() != Reason.INTERRUPTED) {
          throw e;
        }
        Thread.interrupted();
      }
    }
    victims.remove(Thread.currentThread());
    Thread.interrupted();
    return stored;
  }

  @Test
  void aCallThatWaitsWhenTheStoreIsClosedEndsAndSaysSo() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    ExecutionInterceptor slow =
        new ExecutionInterceptor() {
          @Override
          public void beforeExecution(
              Context.BeforeExecution context, ExecutionAttributes executionAttributes) {
            if (Thread.currentThread().getName().equals("outbox-dynamodb")) {
              asked.countDown();
              try {
                go.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }
          }
        };
    DynamoDbStore store =
        DynamoDbStore.builder(LocalDynamo.client(slow)).table(tables.name()).parallelism(1).build();
    AtomicReference<@Nullable StoreException> failure = new AtomicReference<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                store.insert(Stream.generate(Mail::email).limit(200).toList());
              } catch (StoreException e) {
                failure.set(e);
              }
            });
    caller.setDaemon(true);
    caller.start();
    asked.await();

    store.close();

    await().until(() -> !caller.isAlive());
    assertThat(failure.get())
        .hasMessageContaining("closed")
        .extracting(StoreException::reason)
        .isEqualTo(Reason.UNAVAILABLE);
    assertThat(reasonOf(() -> store.insert(Stream.generate(Mail::email).limit(200).toList())))
        .isEqualTo(Reason.UNAVAILABLE);
  }

  private static Reason reasonOf(ThrowingCallable call) {
    return catchThrowableOfType(StoreException.class, call).reason();
  }
}
