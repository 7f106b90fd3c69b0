package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.NodeId;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRef;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.ReapedEmail;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoreException.Reason;
import dev.outbox.testsupport.LogLines;
import dev.outbox.testsupport.MariaDbServer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** A value that the database rejects is an error of one email, a missing table is not. */
@ParameterizedClass
@ValueSource(strings = {"mariadb", "mysql", "h2"})
class RejectedDataTest {

  private static final NodeId NODE = NodeId.incarnate("node");

  private final String url;
  private final String user;
  private final Jdbi direct;
  private MySqlStore store;

  RejectedDataTest(String driver) {
    this.url =
        switch (driver) {
          case "mariadb" -> MariaDbServer.shared().url();
          case "mysql" -> MariaDbServer.shared().mySqlUrl();
          default -> H2Settings.in("jdbc:h2:mem:rejected") + ";DB_CLOSE_DELAY=-1";
        };
    this.user = driver.equals("h2") ? "sa" : "root";
    this.direct = Jdbi.create(url, user, "");
  }

  @BeforeEach
  void open() {
    store = MySqlStore.builder(url, user, "").tablePrefix("rejected_").applySchema().build();
  }

  @AfterEach
  void close() {
    store.close();
    direct.useHandle(
        handle ->
            Stream.of(
                    "elsewhere", "emails", "log", "contents", "statuses", "keys", "nodes", "schema")
                .forEach(table -> handle.execute("DROP TABLE IF EXISTS rejected_" + table)));
  }

  private void execute(String statement) {
    direct.useHandle(handle -> handle.execute(statement));
  }

  private List<Claim> claimed(int count) {
    store.insert(Stream.generate(RejectedDataTest::withoutSubject).limit(count).toList());
    return store.beginDelivery(Samples.claim(store, NODE, count));
  }

  private static NewEmail withoutSubject() {
    return Samples.withSubject(null);
  }

  private static Completion sent(Claim claim, String subject) {
    return Completion.sent(claim, OutcomeDetails.NONE.subject(subject), false);
  }

  private static StoreException failure(Runnable call) {
    StoreException thrown = catchThrowableOfType(StoreException.class, call::run);
    assertThat(thrown).as("a StoreException").isNotNull();
    return thrown;
  }

  @Test
  void aResultThatIsTooLongForItsColumnIsRejectedAndTheOthersCanBeRecorded() {
    List<Claim> claims = claimed(5);
    execute("ALTER TABLE rejected_log MODIFY COLUMN subject VARCHAR(10)");
    List<Completion> all = new ArrayList<>();
    claims.forEach(claim -> all.add(sent(claim, "short")));
    all.set(3, sent(claims.get(3), "secret subject, too long"));

    StoreException thrown = failure(() -> store.complete(all));

    assertThat(thrown.reason()).isEqualTo(Reason.REJECTED_DATA);
    assertThat(thrown).hasMessageContaining("subject").hasMessageNotContaining("secret");
    List<Completion> others = new ArrayList<>(all);
    others.remove(3);
    assertThat(store.complete(others)).hasSize(4).containsOnly(CompletionResult.APPLIED);
    assertThat(store.complete(List.of(sent(claims.get(3), "short"))))
        .containsOnly(CompletionResult.APPLIED);
  }

  @Test
  void aNewEmailThatIsTooLongForItsColumnNamesItsFieldAndFailsItsOwnCallerAlone() {
    execute("ALTER TABLE rejected_emails MODIFY COLUMN subject VARCHAR(10)");
    ExecutorService threads = Executors.newFixedThreadPool(40);
    try {
      List<CompletableFuture<?>> good = new ArrayList<>();
      List<CompletableFuture<?>> bad = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        NewEmail email = Samples.withSubject(i % 10 == 7 ? "secret subject, too long" : "short");
        (i % 10 == 7 ? bad : good)
            .add(CompletableFuture.runAsync(() -> store.insert(List.of(email)), threads));
      }
      good.forEach(CompletableFuture::join);
      for (CompletableFuture<?> each : bad) {
        assertThatThrownBy(each::join)
            .isInstanceOf(CompletionException.class)
            .cause()
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("subject")
            .hasMessageNotContaining("secret")
            .extracting(thrown -> ((StoreException) thrown).reason())
            .isEqualTo(Reason.REJECTED_DATA);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(store.query(EmailQuery.all(), null, 100).emails()).hasSize(36);
  }

  @Test
  void inTheHostsTransactionRejectedDataIsNotARetry() {
    execute("ALTER TABLE rejected_emails MODIFY COLUMN subject VARCHAR(10)");
    try (Handle host = direct.open()) {
      host.begin();
      StoreException thrown =
          failure(
              () ->
                  store
                      .transaction(host)
                      .insert(List.of(Samples.withSubject("secret subject, too long"))));
      assertThat(thrown.reason()).isEqualTo(Reason.REJECTED_DATA);
      assertThat(thrown).hasMessageContaining("subject");
      host.rollback();
    }
  }

  @Test
  void anEmailThatCannotBeReapedDoesNotStopTheReapingOfOthers() {
    List<EmailId> ids = claimed(9).stream().map(Claim::id).toList();
    EmailId bad = ids.get(4);
    String hex = HexFormat.of().formatHex(BinaryIds.bytes(bad));
    execute(
        "ALTER TABLE rejected_emails ADD CONSTRAINT held CHECK (id <> X'%s' OR owner IS NOT NULL)"
            .formatted(hex));
    try (LogLines lines = new LogLines(ReapOperations.class)) {
      List<ReapedEmail> reaped = store.reap(NODE, 0, ReapPolicy.DEFAULT, 100);

      assertThat(reaped)
          .extracting(ReapedEmail::id)
          .containsExactlyInAnyOrderElementsOf(ids.stream().filter(id -> !id.equals(bad)).toList());
      assertThat(store.reap(NODE, 0, ReapPolicy.DEFAULT, 100)).isEmpty();
      assertThat(store.claimsOf(NODE, 100)).extracting(ClaimRef::id).containsExactly(bad);
      assertThat(lines.messages(Level.SEVERE)).singleElement().asString().contains(bad.toString());
    }
  }

  @Test
  void aMissingTableIsAMisconfiguration() {
    List<Claim> claims = claimed(2);
    execute("ALTER TABLE rejected_log RENAME TO rejected_elsewhere");

    StoreException thrown =
        failure(() -> store.complete(claims.stream().map(each -> sent(each, "x")).toList()));

    assertThat(thrown.reason()).isEqualTo(Reason.MISCONFIGURED);
  }

  @Test
  void aMissingColumnIsAMisconfiguration() {
    execute("ALTER TABLE rejected_emails DROP COLUMN room");

    StoreException thrown = failure(() -> store.insert(List.of(Samples.email())));

    assertThat(thrown.reason()).isEqualTo(Reason.MISCONFIGURED);
  }
}
