package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.testsupport.LocalDynamo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** What an email costs, held to what docs/performance.md says. */
class CostTest {

  private static final Bytes PAYLOAD = Bytes.utf8("x".repeat(1_536));
  private static final OutcomeDetails TAKEN =
      OutcomeDetails.NONE
          .response("250 2.0.0 Ok: queued as 4WzXyZ1234")
          .recipients(
              List.of(
                  new RecipientResult(
                      "ada.lovelace@example.com",
                      RecipientResult.Status.ACCEPTED,
                      "250 2.1.5 Ok")));

  private final DynamoDbClient plain = LocalDynamo.client();
  private final LocalTables tables = new LocalTables(plain);
  private final UnitMeter meter = new UnitMeter(tables.name());
  private final DynamoDbStore store =
      DynamoDbStore.builder(LocalDynamo.client(meter)).table(tables.name()).build();
  private final NodeId node = NodeId.incarnate("one");

  @AfterEach
  void close() {
    store.close();
    tables.close();
  }

  @Test
  void anEmailCostsTwentyFourWriteUnitsInFourRequests() {
    warmUp();

    store.insert(List.of(Mail.email("order-42", PAYLOAD)));
    UnitMeter.Units enqueue = meter.take();
    List<Claim> claims = store.claim(Mail.claim(node, State.ACCEPTED, 1));
    UnitMeter.Units claim = meter.take();
    List<Claim> wired = store.beginDelivery(claims);
    UnitMeter.Units send = meter.take();
    List<CompletionResult> done =
        store.complete(List.of(Completion.sent(wired.get(0), TAKEN, false)));
    UnitMeter.Units archive = meter.take();

    assertThat(done).containsExactly(CompletionResult.APPLIED);
    assertThat(enqueue.writes()).as("enqueue: row 2, content 4, key 2, indexes 2").isEqualTo(10);
    assertThat(claim.writes()).as("claim: row 1, index 2").isEqualTo(3);
    assertThat(send.writes()).as("send: row 1").isEqualTo(1);
    assertThat(archive.writes()).as("archive: row 2, log 2, content 4, indexes 2").isEqualTo(10);
    assertThat(
            IntStream.of(
                enqueue.writeRequests(),
                claim.writeRequests(),
                send.writeRequests(),
                archive.writeRequests()))
        .as("requests that write")
        .containsExactly(1, 1, 1, 1);
    assertThat(enqueue.reads()).as("enqueue: a look into the log").isEqualTo(1);
    assertThat(claim.reads()).as("claim: 4 shards and the content").isEqualTo(4 * 0.5 + 1);
    assertThat(send.reads()).isZero();
    assertThat(archive.reads()).as("archive: the row").isEqualTo(1);
  }

  @Test
  void aBatchTakesFewRequests() {
    warmUp();
    List<NewEmail> emails =
        IntStream.range(0, 100).mapToObj(i -> Mail.email("order-" + i, PAYLOAD)).toList();

    store.insert(emails);
    UnitMeter.Units enqueue = meter.take();
    List<Claim> claims = store.claim(Mail.claim(node, State.ACCEPTED, 100));
    UnitMeter.Units claim = meter.take();
    List<Claim> wired = store.beginDelivery(claims);
    UnitMeter.Units send = meter.take();
    store.complete(wired.stream().map(each -> Completion.sent(each, TAKEN, false)).toList());
    UnitMeter.Units archive = meter.take();

    assertThat(wired).hasSize(100);
    assertThat(enqueue.writeRequests()).as("33 emails to a transaction").isEqualTo(4);
    assertThat(claim.writeRequests()).as("25 emails to a request").isEqualTo(4);
    assertThat(send.writeRequests()).as("25 emails to a request").isEqualTo(4);
    assertThat(archive.writeRequests()).as("a transaction for each").isEqualTo(100);
    assertThat(enqueue.writes() + claim.writes() + send.writes() + archive.writes())
        .as("write units for 100 emails")
        .isEqualTo(2_400);
  }

  @Test
  void whatIsArchivedOrFailedDoesNotMakeAClaimDearer() {
    warmUp();
    settle(100);
    double few = claimReads();
    settle(4_900);
    double many = claimReads();

    assertThat(many).as("read units of a claim beside 5,000 settled emails").isEqualTo(few);
  }

  @Test
  void aHeartbeatBesideHundredsOfRetiredNodesCostsWhatItDoesBesideAFew() {
    warmUp();
    retire(RetiredNodeScan.AT_ONCE);
    store.heartbeat(node);
    int few = meter.take().readRequests();
    retire(200);
    store.heartbeat(node);
    int many = meter.take().readRequests();

    assertThat(many).as("requests of a heartbeat beside 204 retired nodes").isEqualTo(few);
  }

  private void retire(int count) {
    for (int i = 0; i < count; i++) {
      store.deregister(NodeId.incarnate("retired"));
    }
    meter.take();
  }

  private double claimReads() {
    store.insert(List.of(Mail.email(null, PAYLOAD)));
    meter.take();
    List<Claim> claims = store.claim(Mail.claim(node, State.ACCEPTED, 10));
    double reads = meter.take().reads();
    assertThat(claims).hasSize(1);
    store.complete(List.of(Completion.sent(store.beginDelivery(claims).get(0), TAKEN, false)));
    return reads;
  }

  /** What a store does once: it announces its shards, the day and the node. */
  private void warmUp() {
    store.heartbeat(node);
    store.insert(List.of(Mail.email()));
    store.complete(
        List.of(
            Completion.failed(
                store.beginDelivery(store.claim(Mail.claim(node, State.ACCEPTED, 1))).get(0),
                FailureCode.REFUSED,
                TAKEN,
                null)));
    store.insert(List.of(Mail.email()));
    store.complete(
        List.of(
            Completion.sent(
                store.beginDelivery(store.claim(Mail.claim(node, State.ACCEPTED, 1))).get(0),
                TAKEN,
                false)));
    meter.take();
  }

  /** Adds copies of the archived email and of the failed one, half of each. */
  private void settle(int count) {
    Map<String, AttributeValue> logged = tables.log().get(0);
    Map<String, AttributeValue> failed =
        tables.emails().stream().filter(item -> item.containsKey("Code")).findFirst().orElseThrow();
    copy(tables.logName(), logged, "ID", count / 2);
    copy(tables.name(), failed, "Id", count / 2);
  }

  private void copy(String table, Map<String, AttributeValue> item, String key, int count) {
    List<WriteRequest> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Map<String, AttributeValue> copy = new HashMap<>(item);
      copy.put(key, AttributeValue.fromS(EmailId.next().toString()));
      writes.add(WriteRequest.builder().putRequest(put -> put.item(copy)).build());
    }
    for (List<WriteRequest> part : DynamoDbRequests.parts(writes, 25)) {
      plain.batchWriteItem(batch -> batch.requestItems(Map.of(table, part)));
    }
  }
}
