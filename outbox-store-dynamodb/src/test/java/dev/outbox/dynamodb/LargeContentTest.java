package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.content.ContentDirectory;
import dev.outbox.content.LargeContent;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailDetails;
import dev.outbox.email.EmailId;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoredContent;
import dev.outbox.testsupport.LocalDynamo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

class LargeContentTest extends LocalStore {

  private static final Bytes LARGE = Bytes.owned(new byte[1_000_000]);

  @TempDir Path directory;

  @Test
  void whatDoesNotFitIntoAnItemIsRefusedWithoutADirectory() {
    assertThatThrownBy(() -> store.insert(List.of(Mail.email(null, LARGE))))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageContaining("content: 1000000 bytes")
        .hasMessageContaining("largeContent(ContentDirectory.at(path))");
  }

  @Test
  void theLargestItemFits() {
    Bytes full = Bytes.owned(new byte[ContentStorage.ITEM_BYTES]);
    EmailId id = stored.waiting(Mail.email("k".repeat(200), full));

    assertThat(store.find(id).orElseThrow().content()).isEqualTo(new StoredContent(full, null));
  }

  @Test
  void aLargeMessageThatNobodyCanRefuseIsSpreadOverItems() {
    EmailId id = stored.waiting(Mail.email());
    Claim claim = stored.claimed();

    assertThat(
            store.complete(
                List.of(Completion.postponed(claim, Duration.ZERO, OutcomeDetails.NONE, LARGE))))
        .containsExactly(CompletionResult.APPLIED);

    Claim ready = store.claim(Mail.claim(stored.node(), State.READY, 1)).get(0);
    assertThat(ready.content()).isEqualTo(new StoredContent(Mail.email().payload(), LARGE));
    store.complete(List.of(Completion.sent(ready, OutcomeDetails.NONE, false)));
    assertThat(store.find(id).orElseThrow().summary().archived()).isTrue();
    assertThat(tables.emails()).noneMatch(item -> item.containsKey("Body"));
  }

  @Test
  void contentInTheDirectoryGoesWithTheEmail() throws IOException {
    try (DynamoDbStore large =
        open(builder -> builder.largeContent(ContentDirectory.at(directory)))) {
      Stored own = new Stored(large);
      EmailId id = own.waiting(Mail.email(null, LARGE));
      assertThat(large.find(id).orElseThrow().content()).isEqualTo(new StoredContent(LARGE, null));
      large.complete(
          List.of(Completion.postponed(own.claimed(), Duration.ZERO, OutcomeDetails.NONE, LARGE)));
      assertThat(files()).isEqualTo(2);

      Claim ready = large.claim(Mail.claim(own.node(), State.READY, 1)).get(0);
      assertThat(ready.content()).isEqualTo(new StoredContent(LARGE, LARGE));
      large.complete(List.of(Completion.sent(ready, OutcomeDetails.NONE, false)));

      assertThat(files()).as("files after the email was sent").isZero();
    }
  }

  @Test
  void keptContentInTheDirectoryIsDroppedInItsTime() throws IOException {
    try (DynamoDbStore large =
        open(builder -> builder.largeContent(ContentDirectory.at(directory)))) {
      Stored own = new Stored(large);
      own.waiting(Mail.email(null, LARGE));
      large.complete(List.of(Completion.sent(own.onTheWire(), OutcomeDetails.NONE, true)));
      assertThat(files()).isEqualTo(1);

      assertThat(large.prune(RetentionSettings.DEFAULT, 10)).isEqualTo(1);

      assertThat(files()).isZero();
    }
  }

  @Test
  void filesThatNoRowNamesAreSweptAndOthersAreNot() throws IOException {
    ContentDirectory place = ContentDirectory.at(directory);
    try (DynamoDbStore large = open(builder -> builder.largeContent(place))) {
      large.insert(List.of(Mail.email(null, LARGE)));
      place.save(EmailId.next(), LargeContent.Kind.PAYLOAD, LARGE);
      assertThat(files()).isEqualTo(2);

      large.sweep(place, Duration.ofSeconds(-10)).run();

      assertThat(files()).isEqualTo(1);
      assertThat(new Stored(large).claimed().content()).isEqualTo(new StoredContent(LARGE, null));
    }
  }

  @Test
  void eraseRemovesFilesThatNoRowNamesAlsoOfAnErasedEmail() throws IOException {
    ContentDirectory place = ContentDirectory.at(directory);
    try (DynamoDbStore large = open(builder -> builder.largeContent(place))) {
      EmailId id = new Stored(large).waiting(Mail.email(null, LARGE));
      place.save(id, LargeContent.Kind.COMPOSED, LARGE);

      large.apply(OperatorAction.ERASE, List.of(id));
      assertThat(files()).isZero();

      place.save(id, LargeContent.Kind.COMPOSED, LARGE);
      large.apply(OperatorAction.ERASE, List.of(id));
      assertThat(files()).isZero();
    }
  }

  @Test
  void callsThatDynamoDbRejectsLeaveNoFile() throws IOException {
    AtomicBoolean rejects = new AtomicBoolean();
    ExecutionInterceptor rejecting =
        new ExecutionInterceptor() {
          @Override
          public void beforeExecution(
              Context.BeforeExecution context, ExecutionAttributes executionAttributes) {
            if (rejects.get() && context.request() instanceof TransactWriteItemsRequest) {
              throw DynamoDbException.builder()
                  .statusCode(400)
                  .awsErrorDetails(
                      AwsErrorDetails.builder().errorCode("ValidationException").build())
                  .build();
            }
          }
        };
    try (DynamoDbClient client = LocalDynamo.client(rejecting);
        DynamoDbStore large =
            DynamoDbStore.builder(client)
                .table(tables.name())
                .largeContent(ContentDirectory.at(directory))
                .build()) {
      Stored own = new Stored(large);
      own.waiting(Mail.email());
      Completion retry =
          Completion.postponed(own.claimed(), Duration.ZERO, OutcomeDetails.NONE, LARGE);
      rejects.set(true);

      assertThatThrownBy(() -> large.insert(List.of(Mail.email(null, LARGE))))
          .isInstanceOf(StoreException.class);
      assertThatThrownBy(() -> large.complete(List.of(retry))).isInstanceOf(StoreException.class);

      assertThat(files()).isZero();
    }
  }

  @Test
  void whoCannotReachTheFileDoesNotCallItErased() throws IOException {
    try (DynamoDbStore large =
        open(builder -> builder.largeContent(ContentDirectory.at(directory)))) {
      EmailId id = new Stored(large).waiting(Mail.email(null, LARGE));

      assertThatThrownBy(() -> store.apply(OperatorAction.ERASE, List.of(id)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(id.toString())
          .hasMessageContaining("largeContent(ContentDirectory.at(path))");
      assertThat(store.find(id).orElseThrow().summary().erased()).isFalse();
      assertThat(files()).isEqualTo(1);

      assertThat(large.apply(OperatorAction.ERASE, List.of(id)).get(0).status())
          .isEqualTo(ActionResult.Status.DONE);
      assertThat(files()).isZero();
    }
  }

  @Test
  void contentThatCannotBeSeenFromHereIsAProblem() {
    try (DynamoDbStore large =
            open(builder -> builder.largeContent(ContentDirectory.at(directory)));
        Outbox outbox = Outbox.builder(store).build()) {
      EmailId id = new Stored(large).waiting(Mail.email(null, LARGE));

      EmailDetails details = outbox.find(id).orElseThrow();

      assertThat(details.content()).isNull();
      assertThat(details.problem()).isEqualTo("its content cannot be seen from here");
    }
  }

  @Test
  void contentThatCannotBeSeenFromHereIsMissingIsMissingFromTheClaim() {
    try (DynamoDbStore large =
        open(builder -> builder.largeContent(ContentDirectory.at(directory)))) {
      large.insert(List.of(Mail.email(null, LARGE)));

      assertThat(stored.claimed().content()).isNull();
    }
  }

  @Test
  void aTransactionHasRoomForAHundredItems() {
    List<TransactWriteItem> writes = new ArrayList<>();
    DynamoDbTransaction transaction = store.transaction(writes);
    transaction.insert(Stream.generate(Mail::email).limit(50).toList());

    assertThatThrownBy(() -> transaction.insert(List.of(Mail.email())))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("at most 100 items");
    assertThat(writes).hasSize(100);
  }

  private long files() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).count();
    }
  }
}
