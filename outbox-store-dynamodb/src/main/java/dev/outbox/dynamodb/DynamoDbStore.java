package dev.outbox.dynamodb;

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
import dev.outbox.store.StoredEmail;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * A store on DynamoDB, for those who outgrow one database.
 *
 * <p>The host hands in its client and keeps it. {@link DynamoDbSchema} makes the tables. What each
 * call costs, which rights it needs and what it means that the nodes' clocks are its time is in
 * {@code docs/dynamodb.md}. Safe for use by many threads.
 */
public final class DynamoDbStore implements OutboxStore {

  private final DynamoDbRequests dynamo;
  private final ParallelRequests parallel;
  private final ItemReader rows;
  private final ContentStorage contents;
  private final IdempotencyKeys keys;
  private final DayIndex days;
  private final InsertOperations inserts;
  private final QueueIndex queue;
  private final ClaimOperations claims;
  private final NodeOperations nodes;
  private final CompleteOperations events;
  private final HistoryReader history;
  private final ReadOperations listing;
  private final StateCounter counts;
  private final PruneOperations pruning;
  private final DynamoDbLog log;
  private final RetentionMismatchCheck agreement;
  private final @Nullable OrphanedContentCleaner cleaner;

  private DynamoDbStore(
      DynamoDbClient client, DynamoDbSettings settings, @Nullable LargeContent large) {
    this.parallel = new ParallelRequests(settings.parallelism());
    this.dynamo = new DynamoDbRequests(client, parallel, settings);
    ShardCounts shards = new ShardCounts(dynamo, settings);
    PlainHistoryWriter plain = new PlainHistoryWriter(dynamo, settings);
    this.rows = new ItemReader(dynamo, settings, shards);
    this.contents = new ContentStorage(dynamo, settings, large);
    this.keys = new IdempotencyKeys(dynamo, settings);
    ForeignItemLog foreignItems = new ForeignItemLog();
    this.days = new DayIndex(dynamo, settings, foreignItems);
    this.inserts =
        new InsertOperations(dynamo, settings, parallel, rows, contents, keys, days, plain);
    this.queue = new QueueIndex(dynamo, settings, shards, parallel, foreignItems);
    ChangeWriter writes = new ChangeWriter(dynamo, settings, contents, keys, plain);
    this.claims =
        new ClaimOperations(
            dynamo, settings, queue, rows, contents, keys, plain, writes, foreignItems);
    this.nodes = new NodeOperations(dynamo, settings, shards, queue, foreignItems);
    this.events =
        new CompleteOperations(
            rows, writes, contents, nodes, queue, parallel, settings, foreignItems);
    this.history = new HistoryReader(dynamo, settings, foreignItems);
    this.listing = new ReadOperations(dynamo, settings, shards, days, rows, parallel, foreignItems);
    this.counts = new StateCounter(queue, nodes, rows);
    this.pruning =
        new PruneOperations(dynamo, settings, shards, queue, days, rows, contents, writes);
    this.log = new DynamoDbLog(rows, listing, new LogScan(dynamo, settings, shards, days), pruning);
    this.agreement = new RetentionMismatchCheck(settings.retention());
    this.cleaner = large == null ? null : new OrphanedContentCleaner(rows, large);
  }

  /** Begins to set up a store on a client, which stays the caller's to close. */
  public static Builder builder(DynamoDbClient client) {
    return new Builder(Objects.requireNonNull(client, "client"));
  }

  /**
   * Joins a transaction of the host's own.
   *
   * @param writes what the host is going to write; emails are added to it
   */
  public DynamoDbTransaction transaction(List<TransactWriteItem> writes) {
    return new DynamoDbTransaction(writes, inserts, rows, keys, days);
  }

  /** Returns the log of sent emails by itself. */
  public DynamoDbLog log() {
    return log;
  }

  @Override
  public List<InsertResult> insert(List<NewEmail> emails) {
    return inserts.insert(emails);
  }

  @Override
  public void afterCommit(Runnable action) {
    action.run();
  }

  @Override
  public List<Claim> claim(ClaimRequest request) {
    List<QueueIndex.Entry> chosen = claims.chosen(request);
    if (chosen.isEmpty()) {
      return List.of();
    }
    nodes.register(request.node());
    return claims.take(request, chosen);
  }

  @Override
  public List<Claim> beginDelivery(List<Claim> held) {
    return claims.proceed(held);
  }

  @Override
  public List<CompletionResult> complete(List<Completion> completions) {
    return events.complete(completions);
  }

  @Override
  public List<ClaimRef> claimsOf(NodeId node, int limit) {
    List<EmailId> ids = queue.held(node, limit).stream().map(QueueIndex.Entry::id).toList();
    return ids.isEmpty()
        ? List.of()
        : rows.hot(ids).values().stream()
            .filter(row -> !row.stateless && node.equals(row.owner))
            .map(row -> new ClaimRef(row.id, row.token, row.state))
            .toList();
  }

  @Override
  public List<NodeHeartbeat> heartbeat(NodeId node) {
    return nodes.beat(node);
  }

  @Override
  public List<ReapedEmail> reap(NodeId dead, long beat, ReapPolicy policy, int limit) {
    return events.reap(dead, beat, policy, limit);
  }

  @Override
  public void deregister(NodeId node) {
    nodes.retire(node);
  }

  @Override
  public List<ActionResult> apply(OperatorAction move, List<EmailId> ids) {
    return events.move(move, ids);
  }

  @Override
  public Optional<StoredEmail> find(EmailId id) {
    return rows.one(id)
        .map(row -> new StoredEmail(row.columns().email(), contents.load(row).orElse(null)));
  }

  @Override
  public List<HistoryRecord> history(EmailId id) {
    return history.of(id);
  }

  @Override
  public EmailPage query(EmailQuery query, @Nullable EmailId after, int limit) {
    return listing.query(query, after, limit);
  }

  @Override
  public Map<State, StateCount> stats() {
    return counts.stats();
  }

  @Override
  public int prune(RetentionSettings retention, int limit) {
    if (limit == 0) {
      agreement.check(retention);
      return 0;
    }
    if (cleaner != null) {
      cleaner.whenDue();
    }
    return pruning.prune(retention, limit);
  }

  /** Returns what sweeps files of at least some age. */
  OrphanedContentCleaner sweep(LargeContent large, Duration age) {
    return new OrphanedContentCleaner(rows, large, age);
  }

  /** Ends the store's own threads; the client stays open. */
  @Override
  public void close() {
    parallel.close();
  }

  /** Sets up a {@link DynamoDbStore}. Not for use by several threads at once. */
  public static final class Builder {

    private final DynamoDbClient client;
    private @Nullable String table = System.getenv("EMAIL_OUTBOX_TABLE");
    private @Nullable String logTable;
    private int shards = 4;
    private int logShards = 1;
    private Duration skew = Duration.ofSeconds(1);
    private RetentionSettings retention = RetentionSettings.DEFAULT;
    private int parallelism = 16;
    private boolean plainHistory;
    private @Nullable LargeContent large;

    private Builder(DynamoDbClient client) {
      this.client = client;
    }

    /** Names the table of emails; default is the environment's {@code EMAIL_OUTBOX_TABLE}. */
    public Builder table(String name) {
      this.table = TableNames.checked("table", name);
      return this;
    }

    /** Names the table of the log; default is the table of emails with {@code -log} behind it. */
    public Builder logTable(String name) {
      this.logTable = TableNames.checked("logTable", name);
      return this;
    }

    /**
     * Sets over how many partitions of the index the emails of a state are spread; default 4. One
     * takes about 500 emails a second. May be changed at any restart.
     */
    public Builder shards(int count) {
      this.shards = within("shards", count, ShardCounts.MOST);
      return this;
    }

    /**
     * Sets over how many partitions a day of the log is spread; default 1. One takes about 500
     * emails a second. May be changed at any restart.
     */
    public Builder logShards(int count) {
      this.logShards = within("logShards", count, ShardCounts.MOST);
      return this;
    }

    /**
     * Sets how far the clocks of two nodes may be apart; default 1 s. Emails are claimed this much
     * before they are due, so that what one node has just stored is not too early for another.
     */
    public Builder clockSkew(Duration most) {
      if (most.isNegative() || most.compareTo(Duration.ofMinutes(1)) > 0) {
        throw new IllegalArgumentException("clockSkew: want 0 to 1 minute, is " + most);
      }
      this.skew = most;
      return this;
    }

    /**
     * Sets from which retention the times to live are made, by which DynamoDB deletes what is over;
     * default {@link RetentionSettings#DEFAULT}. Must be what the outbox has, or it does not start;
     * {@link RetentionSettings#sentContent} may differ.
     */
    public Builder retention(RetentionSettings kept) {
      this.retention = Objects.requireNonNull(kept, "retention");
      return this;
    }

    /** Sets how many requests a call of the store may have in flight at once; default 16. */
    public Builder parallelism(int requests) {
      this.parallelism = within("parallelism", requests, 1_000);
      return this;
    }

    /**
     * Writes an item for each state an email was in, for those who read the table with other tools;
     * default false, since each costs a write.
     */
    public Builder plainHistory(boolean written) {
      this.plainHistory = written;
      return this;
    }

    /**
     * Sets where content goes that is too large for an item of 400 KB, such as {@link
     * dev.outbox.content.ContentDirectory}; default none, and such emails are refused.
     */
    public Builder largeContent(LargeContent place) {
      this.large = Objects.requireNonNull(place, "largeContent");
      return this;
    }

    /**
     * Makes the store. Nothing is asked of DynamoDB yet.
     *
     * @throws IllegalStateException if no table was named
     */
    public DynamoDbStore build() {
      if (table == null || table.isEmpty()) {
        throw new IllegalStateException("table: not set, nor is EMAIL_OUTBOX_TABLE");
      }
      String emails = TableNames.checked("EMAIL_OUTBOX_TABLE", table);
      String log = logTable == null ? emails + "-log" : logTable;
      TableNames.checkTwo(emails, log);
      return new DynamoDbStore(
          client,
          new DynamoDbSettings(
              emails, log, shards, logShards, skew, retention, parallelism, plainHistory),
          large);
    }

    private static int within(String field, int value, int most) {
      if (value < 1 || value > most) {
        throw new IllegalArgumentException("%s: want 1 to %d, is %d".formatted(field, most, value));
      }
      return value;
    }
  }
}
