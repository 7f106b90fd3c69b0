package dev.outbox.mysql;

import dev.outbox.content.LargeContent;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRef;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.NodeHeartbeat;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.ReapedEmail;
import dev.outbox.store.StateCount;
import dev.outbox.store.StoreWriter;
import dev.outbox.store.StoredEmail;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * A store on MySQL 8.0+, MariaDB 10.6+, or an H2 database in this process.
 *
 * <pre>{@code
 * MySqlStore store = MySqlStore.embedded(Path.of("data/outbox"));
 * MySqlStore store = MySqlStore.builder("jdbc:mariadb://db/shop", "shop", password).build();
 * MySqlStore store = MySqlStore.builder(dataSource).tablePrefix("mail_").build();
 * }</pre>
 *
 * <p>Safe for use by many threads, processes and machines; H2 by one process.
 */
public final class MySqlStore implements OutboxStore {

  private static final Duration SWEEP_EVERY = Duration.ofHours(1);

  private final TransactionRunner database;
  private final InsertOperations inserting;
  private final GroupCommitInsert single;
  private final ClaimOperations claiming;
  private final CompleteOperations completing;
  private final ReapOperations reaping;
  private final NodeOperations nodes;
  private final ReadOperations reading;
  private final PruneOperations pruning;
  private final HostCommitPoller commits;
  private final ClaimWatermarks watermarks = new ClaimWatermarks(System::nanoTime);
  private final @Nullable LargeContent largeContent;
  private final AtomicLong nextSweep = new AtomicLong(System.nanoTime());

  MySqlStore(
      TransactionRunner database,
      SqlStatements sql,
      ContentStorage contents,
      @Nullable LargeContent largeContent) {
    this.database = database;
    this.nodes = new NodeOperations(sql, database);
    this.inserting = new InsertOperations(sql, database, contents);
    this.single = new GroupCommitInsert(inserting::insertEach);
    this.claiming = new ClaimOperations(sql, database, contents, nodes, watermarks);
    this.completing = new CompleteOperations(sql, database, contents);
    this.reaping = new ReapOperations(sql, database, nodes);
    this.reading = new ReadOperations(sql, database, contents);
    this.pruning = new PruneOperations(sql, database, contents);
    this.largeContent = largeContent;
    this.commits =
        new HostCommitPoller(
            ids -> database.run("look for commits", handle -> inserting.known(handle, ids)));
  }

  /**
   * Starts a store on connections that the host has. They stay the host's; {@link #close()} leaves
   * them open. If the host itself writes to an H2 file, too, this should be a pool of one
   * connection: H2 keeps its commits over a kill only if one transaction writes at a time.
   */
  public static MySqlStoreBuilder builder(DataSource source) {
    return new MySqlStoreBuilder(source);
  }

  /**
   * Starts a store with a connection pool of its own.
   *
   * @param url such as {@code jdbc:mariadb://db/shop} or {@code jdbc:mysql://db/shop}
   */
  public static MySqlStoreBuilder builder(String url, String user, String password) {
    return new MySqlStoreBuilder(url, user, password);
  }

  /**
   * Opens an H2 database in a file, for this process alone, and makes its tables. What is stored
   * survives a process that is killed; it may not survive a machine that loses its power. Only the
   * user of this process can read the file, and the directory if it is made here.
   *
   * @param file without the ending {@code .mv.db}
   */
  public static MySqlStore embedded(Path file) {
    String url = H2Settings.in("jdbc:h2:file:" + file.toAbsolutePath());
    H2File.restrict(file.toAbsolutePath());
    return builder(url, "sa", "").applySchema().build();
  }

  /** Opens an H2 database in memory, which ends with this process. */
  public static MySqlStore inMemory(String name) {
    String url = H2Settings.in("jdbc:h2:mem:" + name) + ";DB_CLOSE_DELAY=-1";
    return builder(url, "sa", "").applySchema().build();
  }

  /**
   * Joins a transaction on a connection of the host's: what is stored becomes visible with the
   * host's commit, and leaves soon after.
   *
   * @throws IllegalStateException if the connection is in auto-commit mode, where there is nothing
   *     to join
   */
  public StoreWriter transaction(Connection connection) {
    try {
      if (connection.getAutoCommit()) {
        throw new IllegalStateException(
            "connection: in auto-commit mode, so there is no transaction to join");
      }
    } catch (SQLException e) {
      throw new IllegalStateException("connection: unusable", SanitizedSqlException.in(e));
    }
    Handle handle = TransactionRunner.quiet(Jdbi.create(connection)).open();
    return new JdbcTransaction(
        inserting,
        handle,
        (stored, action) -> {
          if (stored != null) {
            commits.whenVisible(stored, action);
          }
        });
  }

  /**
   * Joins a transaction on a handle of the host's: what is stored becomes visible with the host's
   * commit, and leaves at once.
   *
   * @throws IllegalStateException if the handle is not in a transaction
   */
  public StoreWriter transaction(Handle handle) {
    if (!handle.isInTransaction()) {
      throw new IllegalStateException("handle: not in a transaction");
    }
    Handle ours = TransactionRunner.quiet(Jdbi.create(handle.getConnection())).open();
    return new JdbcTransaction(
        inserting,
        ours,
        (stored, action) -> {
          Handle unused = handle.afterCommit(action);
        });
  }

  @Override
  public List<InsertResult> insert(List<NewEmail> emails) {
    return emails.size() == 1 ? List.of(single.insert(emails.get(0))) : inserting.insert(emails);
  }

  @Override
  public void afterCommit(Runnable action) {
    action.run();
  }

  @Override
  public List<Claim> claim(ClaimRequest request) {
    return claiming.claim(request);
  }

  @Override
  public List<Claim> beginDelivery(List<Claim> claims) {
    return claiming.proceed(claims);
  }

  @Override
  public List<CompletionResult> complete(List<Completion> completions) {
    return completing.complete(completions);
  }

  @Override
  public List<ClaimRef> claimsOf(NodeId node, int limit) {
    return nodes.held(node, limit);
  }

  @Override
  public List<NodeHeartbeat> heartbeat(NodeId node) {
    List<NodeHeartbeat> others = nodes.beat(node);
    database.tidy();
    return others;
  }

  @Override
  public List<ReapedEmail> reap(NodeId dead, long beat, ReapPolicy policy, int limit) {
    return reaping.reap(dead, beat, policy, limit);
  }

  @Override
  public void deregister(NodeId node) {
    nodes.retire(node);
  }

  @Override
  public List<ActionResult> apply(OperatorAction move, List<EmailId> ids) {
    return completing.move(move, ids);
  }

  @Override
  public Optional<StoredEmail> find(EmailId id) {
    return reading.find(id);
  }

  @Override
  public List<HistoryRecord> history(EmailId id) {
    return reading.history(id);
  }

  @Override
  public EmailPage query(EmailQuery query, @Nullable EmailId after, int limit) {
    return reading.query(query, after, limit);
  }

  @Override
  public Map<State, StateCount> stats() {
    return reading.stats();
  }

  @Override
  public int prune(RetentionSettings retention, int limit) {
    if (limit == 0) {
      return 0;
    }
    int pruned = pruning.prune(retention, limit);
    long now = System.nanoTime();
    long due = nextSweep.get();
    if (largeContent != null
        && now - due >= 0
        && nextSweep.compareAndSet(due, now + SWEEP_EVERY.toNanos())) {
      pruning.sweep(largeContent);
    }
    return pruned;
  }

  /** Forgets where claims have come to, as a store that was just opened. */
  void forgetLowWater() {
    watermarks.forget();
  }

  /** Closes the store's own connection pool, if it has one. */
  @Override
  public void close() {
    commits.close();
    database.close();
  }
}
