package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRef;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoreException;
import dev.outbox.testsupport.CuttingProxy;
import dev.outbox.testsupport.MariaDbServer;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The connection is lost at the worst moments; the store's answers stay true. */
@ParameterizedClass
@ValueSource(strings = {"mariadb", "mysql"})
class LostConnectionTest {

  /** The whole statement, behind the byte that begins one: READ COMMITTED has the word too. */
  private static final String COMMIT = "\u0003COMMIT";

  private static final String INSERT = "INSERT INTO cut_emails";

  private final NodeId node = NodeId.incarnate("node");
  private final Jdbi direct = Jdbi.create(MariaDbServer.shared().url(), "root", "");
  private final String driver;
  private CuttingProxy proxy;
  private MySqlStore store;

  LostConnectionTest(String driver) {
    this.driver = driver;
  }

  @BeforeEach
  void open() {
    proxy = new CuttingProxy(MariaDbServer.shared().port());
    store =
        MySqlStore.builder(
                "jdbc:%s://127.0.0.1:%d/outbox".formatted(driver, proxy.port()), "root", "")
            .tablePrefix("cut_")
            .applySchema()
            .build();
    direct.useHandle(
        handle ->
            List.of("emails", "log", "keys", "nodes")
                .forEach(table -> handle.execute("DELETE FROM cut_" + table)));
  }

  @AfterEach
  void close() {
    store.close();
    proxy.close();
  }

  @Test
  void anInsertWhoseAnswerWasLostIsOneEmail() {
    NewEmail email = Samples.email();
    proxy.cutAnswerTo(INSERT);

    assertThat(store.insert(List.of(email))).containsExactly(created(email));

    assertThat(proxy.hasCut()).isTrue();
    assertThat(ids("emails")).containsExactly(email.id());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void anInsertWhoseEmailsWereSentBeforeItsAnswerWasMissedIsNotMadeAgain(int count) {
    List<NewEmail> emails = Stream.generate(Samples::email).limit(count).toList();
    proxy.cutAnswerTo(count == 1 ? INSERT : COMMIT, this::sendAll);

    assertThat(store.insert(emails))
        .containsExactlyElementsOf(emails.stream().map(LostConnectionTest::created).toList());

    assertThat(proxy.hasCut()).isTrue();
    assertThat(ids("log")).hasSize(count);
    assertThat(ids("emails")).isEmpty();
  }

  /** What another node does meanwhile. */
  private void sendAll() {
    try (MySqlStore another =
        MySqlStore.builder(MariaDbServer.shared().url(), "root", "").tablePrefix("cut_").build()) {
      List<Claim> sent =
          another.beginDelivery(Samples.claim(another, NodeId.incarnate("other"), 10));
      another.complete(
          sent.stream().map(claim -> Completion.sent(claim, OutcomeDetails.NONE, false)).toList());
    }
  }

  @Test
  void anInsertThatTheServerNeverHeardOfIsRepeated() {
    NewEmail email = Samples.email();
    proxy.cutBefore(INSERT);

    assertThat(store.insert(List.of(email))).containsExactly(created(email));

    assertThat(proxy.hasCut()).isTrue();
    assertThat(ids("emails")).containsExactly(email.id());
  }

  @Test
  void keyedEmailsWhoseCommitWasAnsweredInVainAreFoundAsTheirOwn() {
    NewEmail email = Samples.keyed("answer lost");
    NewEmail same = Samples.keyed("answer lost");
    NewEmail plain = Samples.email();
    proxy.cutAnswerTo(COMMIT);

    assertThat(store.insert(List.of(email, same, plain)))
        .containsExactly(
            created(email),
            new InsertResult(email.id(), InsertResult.Status.EXISTING),
            created(plain));

    assertThat(proxy.hasCut()).isTrue();
    assertThat(ids("emails")).containsExactly(email.id(), plain.id());
  }

  @Test
  void keyedEmailsWhoseCommitWasNeverHeardAreStoredAgain() {
    NewEmail email = Samples.keyed("never heard");
    NewEmail plain = Samples.email();
    proxy.cutBefore(COMMIT);

    assertThat(store.insert(List.of(email, plain))).containsExactly(created(email), created(plain));

    assertThat(proxy.hasCut()).isTrue();
    assertThat(ids("emails")).containsExactly(email.id(), plain.id());
  }

  @Test
  void aCompletionWhoseCommitWasAnsweredInVainIsApplied() {
    Claim claim = onTheWire();
    proxy.cutAnswerTo(COMMIT);

    assertThat(store.complete(List.of(Completion.sent(claim, OutcomeDetails.NONE, false))))
        .containsExactly(CompletionResult.APPLIED);

    assertThat(proxy.hasCut()).isTrue();
    assertThat(ids("log")).containsExactly(claim.id());
    assertThat(ids("emails")).isEmpty();
  }

  @Test
  void aCompletionWhoseCommitWasNeverHeardIsRepeated() {
    Claim claim = onTheWire();
    proxy.cutBefore(COMMIT);

    assertThat(store.complete(List.of(Completion.sent(claim, OutcomeDetails.NONE, false))))
        .containsExactly(CompletionResult.APPLIED);

    assertThat(proxy.hasCut()).isTrue();
    assertThat(ids("log")).containsExactly(claim.id());
    assertThat(ids("emails")).isEmpty();
  }

  @Test
  void aClaimWhoseCommitWasAnsweredInVainIsSaidToBeUnknownAndFoundLater() {
    NewEmail email = Samples.email();
    store.insert(List.of(email));
    proxy.cutAnswerTo(COMMIT);

    assertThatThrownBy(() -> Samples.claim(store, node, 10)).isInstanceOf(StoreException.class);

    assertThat(proxy.hasCut()).isTrue();
    assertThat(store.claimsOf(node, 10))
        .extracting(ClaimRef::id, ClaimRef::token)
        .containsExactly(tuple(email.id(), 1L));
    assertThat(Samples.claim(store, node, 10)).isEmpty();
  }

  @Test
  void aClaimWhoseCommitWasNeverHeardIsNotRepeatedByTheStore() {
    NewEmail email = Samples.email();
    store.insert(List.of(email));
    proxy.cutBefore(COMMIT);

    assertThatThrownBy(() -> Samples.claim(store, node, 10)).isInstanceOf(StoreException.class);

    assertThat(proxy.hasCut()).isTrue();
    assertThat(store.claimsOf(node, 10)).isEmpty();
    assertThat(Samples.claim(store, node, 10)).extracting(Claim::id).containsExactly(email.id());
  }

  private Claim onTheWire() {
    store.insert(List.of(Samples.email()));
    return store.beginDelivery(Samples.claim(store, node, 1)).get(0);
  }

  private static InsertResult created(NewEmail email) {
    return new InsertResult(email.id(), InsertResult.Status.CREATED);
  }

  private List<EmailId> ids(String table) {
    return direct.withHandle(
        handle ->
            handle
                .createQuery("SELECT id FROM cut_" + table + " ORDER BY id")
                .map((row, context) -> BinaryIds.id(row.getBytes(1)))
                .list());
  }
}
