package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.NodeId;
import dev.outbox.email.Page;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRef;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Completed;
import dev.outbox.store.Completion;
import dev.outbox.store.HistoryRow;
import dev.outbox.store.Inserted;
import dev.outbox.store.LargeContent;
import dev.outbox.store.ManualMove;
import dev.outbox.store.Moved;
import dev.outbox.store.NewEmail;
import dev.outbox.store.NodeBeat;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.Reaped;
import dev.outbox.store.Retention;
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

  private final Dynamo dynamo;
  private final Crew crew;
  private final Rows rows;
  private final Contents contents;
  private final Keys keys;
  private final Days days;
  private final Inserts inserts;
  private final Queue queue;
  private final Claims claims;
  private final Nodes nodes;
  private final Events events;
  private final Chronicle chronicle;
  private final Listing listing;
  private final Counts counts;
  private final Pruning pruning;
  private final DynamoDbLog log;
  private final RetentionCheck agreement;
  private final @Nullable Sweep sweep;

  private DynamoDbStore(DynamoDbClient client, Settings settings, @Nullable LargeContent large) {
    this.crew = new Crew(settings.parallelism());
    this.dynamo = new Dynamo(client, crew, settings);
    Shards shards = new Shards(dynamo, settings);
    PlainForm plain = new PlainForm(dynamo, settings);
    this.rows = new Rows(dynamo, settings, shards);
    this.contents = new Contents(dynamo, settings, large);
    this.keys = new Keys(dynamo, settings);
    Strangers strangers = new Strangers();
    this.days = new Days(dynamo, settings, strangers);
    this.inserts = new Inserts(dynamo, settings, crew, rows, contents, keys, days, plain);
    this.queue = new Queue(dynamo, settings, shards, crew, strangers);
    Writes writes = new Writes(dynamo, settings, contents, keys, plain);
    this.claims =
        new Claims(dynamo, settings, queue, rows, contents, keys, plain, writes, strangers);
    this.nodes = new Nodes(dynamo, settings, shards, queue, strangers);
    this.events = new Events(rows, writes, contents, nodes, queue, crew, settings, strangers);
    this.chronicle = new Chronicle(dynamo, settings, strangers);
    this.listing = new Listing(dynamo, settings, shards, days, rows, crew, strangers);
    this.counts = new Counts(queue, nodes, rows);
    this.pruning = new Pruning(dynamo, settings, shards, queue, days, rows, contents, writes);
    this.log = new DynamoDbLog(rows, listing, new LogDays(dynamo, settings, shards, days), pruning);
    this.agreement = new RetentionCheck(settings.retention());
    this.sweep = large == null ? null : new Sweep(rows, large);
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
  public List<Inserted> insert(List<NewEmail> emails) {
    return inserts.insert(emails);
  }

  @Override
  public void whenCommitted(Runnable action) {
    action.run();
  }

  @Override
  public List<Claim> claim(ClaimRequest request) {
    List<Queue.Entry> chosen = claims.chosen(request);
    if (chosen.isEmpty()) {
      return List.of();
    }
    nodes.register(request.node());
    return claims.take(request, chosen);
  }

  @Override
  public List<Claim> proceed(List<Claim> held) {
    return claims.proceed(held);
  }

  @Override
  public List<Completed> complete(List<Completion> completions) {
    return events.complete(completions);
  }

  @Override
  public List<ClaimRef> held(NodeId node, int limit) {
    List<EmailId> ids = queue.held(node, limit).stream().map(Queue.Entry::id).toList();
    return ids.isEmpty()
        ? List.of()
        : rows.hot(ids).values().stream()
            .filter(row -> !row.stateless && node.equals(row.owner))
            .map(row -> new ClaimRef(row.id, row.token, row.state))
            .toList();
  }

  @Override
  public List<NodeBeat> beat(NodeId node) {
    return nodes.beat(node);
  }

  @Override
  public List<Reaped> reap(NodeId dead, long beat, ReapPolicy policy, int limit) {
    return events.reap(dead, beat, policy, limit);
  }

  @Override
  public void retire(NodeId node) {
    nodes.retire(node);
  }

  @Override
  public List<Moved> move(ManualMove move, List<EmailId> ids) {
    return events.move(move, ids);
  }

  @Override
  public Optional<StoredEmail> find(EmailId id) {
    return rows.one(id)
        .map(row -> new StoredEmail(row.columns().email(), contents.load(row).orElse(null)));
  }

  @Override
  public List<HistoryRow> history(EmailId id) {
    return chronicle.of(id);
  }

  @Override
  public Page query(EmailQuery query, @Nullable EmailId after, int limit) {
    return listing.query(query, after, limit);
  }

  @Override
  public Map<State, StateCount> stats() {
    return counts.stats();
  }

  @Override
  public int prune(Retention retention, int limit) {
    if (limit == 0) {
      agreement.check(retention);
      return 0;
    }
    if (sweep != null) {
      sweep.whenDue();
    }
    return pruning.prune(retention, limit);
  }

  /** Returns what sweeps files of at least some age. */
  Sweep sweep(LargeContent large, Duration age) {
    return new Sweep(rows, large, age);
  }

  /** Ends the store's own threads; the client stays open. */
  @Override
  public void close() {
    crew.close();
  }

  /** Sets up a {@link DynamoDbStore}. Not for use by several threads at once. */
  public static final class Builder {

    private final DynamoDbClient client;
    private @Nullable String table = System.getenv("EMAIL_OUTBOX_TABLE");
    private @Nullable String logTable;
    private int shards = 4;
    private int logShards = 1;
    private Duration skew = Duration.ofSeconds(1);
    private Retention retention = Retention.DEFAULT;
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
      this.shards = within("shards", count, Shards.MOST);
      return this;
    }

    /**
     * Sets over how many partitions a day of the log is spread; default 1. One takes about 500
     * emails a second. May be changed at any restart.
     */
    public Builder logShards(int count) {
      this.logShards = within("logShards", count, Shards.MOST);
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
     * default {@link Retention#DEFAULT}. Must be what the outbox has, or it does not start; {@link
     * Retention#sentContent} may differ.
     */
    public Builder retention(Retention kept) {
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
     * dev.outbox.store.ContentDirectory}; default none, and such emails are refused.
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
          new Settings(emails, log, shards, logShards, skew, retention, parallelism, plainHistory),
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
