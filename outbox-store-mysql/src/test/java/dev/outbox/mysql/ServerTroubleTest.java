package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.InsertResult;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoreException.Reason;
import dev.outbox.testsupport.MariaDbServer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What every email would meet is an outage: refused access, a read-only or a full server. */
@ParameterizedClass
@ValueSource(strings = {"mariadb", "mysql"})
class ServerTroubleTest {

  private static MariaDbServer server;

  private final String driver;
  private Jdbi root;
  private MySqlStore store;

  ServerTroubleTest(String driver) {
    this.driver = driver;
  }

  @BeforeAll
  static void start() {
    server = MariaDbServer.startWithUsers();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void open() {
    root = Jdbi.create(server.url(), "root", "");
    execute("CREATE OR REPLACE USER shop@'%' IDENTIFIED BY 'first-password'");
    execute("CREATE OR REPLACE USER shop@localhost IDENTIFIED BY 'first-password'");
    execute("GRANT ALL ON outbox.* TO shop@'%'");
    execute("GRANT ALL ON outbox.* TO shop@localhost");
    store = MySqlStore.builder(url("outbox"), "shop", "first-password").applySchema().build();
    execute("DELETE FROM outbox.outbox_emails");
  }

  @AfterEach
  void close() {
    execute("SET GLOBAL read_only = 0");
    store.close();
  }

  private void execute(String statement) {
    root.useHandle(handle -> handle.execute(statement));
  }

  private String url(String database) {
    return "jdbc:%s://127.0.0.1:%d/%s".formatted(driver, server.port(), database);
  }

  private static StoreException failure(Runnable call) {
    StoreException thrown = catchThrowableOfType(StoreException.class, call::run);
    assertThat(thrown).as("a StoreException").isNotNull();
    return thrown;
  }

  private void killConnections() {
    root.useHandle(
        handle ->
            handle
                .select("SELECT id FROM information_schema.processlist WHERE user = 'shop'")
                .mapTo(Long.class)
                .forEach(id -> handle.execute("KILL " + id)));
  }

  @Test
  void aPasswordThatChangedWhileRunningIsReportedAsDeniedAccess() {
    store.insert(List.of(Samples.email()));
    execute("SET PASSWORD FOR shop@'%' = PASSWORD('second-password')");
    execute("SET PASSWORD FOR shop@localhost = PASSWORD('second-password')");
    killConnections();

    List<Runnable> calls =
        List.of(
            () -> store.insert(List.of(Samples.email())),
            () -> Emails.claim(store, State.ACCEPTED),
            () -> store.heartbeat(NodeId.incarnate("node")),
            () -> store.stats());
    List<CompletableFuture<Void>> running =
        calls.stream().map(call -> CompletableFuture.runAsync(call, new OwnThread())).toList();

    for (CompletableFuture<Void> call : running) {
      CompletionException completed = catchThrowableOfType(CompletionException.class, call::join);
      StoreException thrown =
          (StoreException) Objects.requireNonNull(completed.getCause(), "cause");
      assertThat(thrown.reason()).isEqualTo(Reason.UNAVAILABLE);
      assertThat(thrown)
          .hasMessageContaining("access to the database outbox at 127.0.0.1:" + server.port())
          .hasMessageContaining("denied")
          .hasMessageNotContaining("shop")
          .hasMessageNotContaining("password");
    }

    execute("SET PASSWORD FOR shop@'%' = PASSWORD('first-password')");
    execute("SET PASSWORD FOR shop@localhost = PASSWORD('first-password')");
    assertThat(store.insert(List.of(Samples.email()))).hasSize(1);
  }

  @Test
  void aReadOnlyServerIsUnavailable() {
    execute("SET GLOBAL read_only = 1");

    assertThat(failure(() -> store.insert(List.of(Samples.email()))).reason())
        .isEqualTo(Reason.UNAVAILABLE);
    assertThat(failure(() -> store.heartbeat(NodeId.incarnate("node"))).reason())
        .isEqualTo(Reason.UNAVAILABLE);

    execute("SET GLOBAL read_only = 0");
    assertThat(store.insert(List.of(Samples.email())))
        .extracting(InsertResult::status)
        .containsExactly(InsertResult.Status.CREATED);
  }

  @Test
  void aFullTableIsUnavailable() {
    root.useHandle(
        handle -> {
          handle.execute("SET max_heap_table_size = 16384");
          handle.execute("ALTER TABLE outbox_keys ENGINE = MEMORY");
        });

    StoreException thrown =
        failure(
            () ->
                IntStream.range(0, 10_000)
                    .mapToObj(number -> Samples.keyed("full " + number))
                    .forEach(email -> store.insert(List.of(email))));

    assertThat(thrown.reason()).isEqualTo(Reason.UNAVAILABLE);
    assertThat(thrown).hasMessageContaining("error 1114");
    execute("ALTER TABLE outbox_keys ENGINE = InnoDB");
  }

  @Test
  void anUnknownDatabaseIsNamed() {
    execute("GRANT ALL ON elsewhere.* TO shop@'%'");
    execute("GRANT ALL ON elsewhere.* TO shop@localhost");

    StoreException thrown =
        failure(
            () -> MySqlStore.builder(url("elsewhere"), "shop", "first-password").build().close());

    assertThat(thrown.reason()).isEqualTo(Reason.MISCONFIGURED);
    assertThat(thrown)
        .hasMessageContaining("elsewhere")
        .hasMessageContaining("127.0.0.1:" + server.port())
        .hasMessageNotContaining("shop")
        .hasMessageNotContaining("password");
  }

  @Test
  void aWrongPasswordAtTheStartIsDeniedAccess() {
    StoreException thrown =
        failure(() -> MySqlStore.builder(url("outbox"), "shop", "wrong").build().close());

    assertThat(thrown.reason()).isEqualTo(Reason.UNAVAILABLE);
    assertThat(thrown)
        .hasMessageContaining("denied")
        .hasMessageContaining("127.0.0.1:" + server.port())
        .hasMessageNotContaining("shop");
  }

  @Test
  void aClosedStoreSaysThatItIsClosed() {
    store.close();

    StoreException thrown = failure(() -> store.insert(List.of(Samples.email())));

    assertThat(thrown.reason()).isEqualTo(Reason.UNAVAILABLE);
    assertThat(thrown).hasMessageContaining("the store is closed");
  }
}
