package dev.outbox.mysql;

import dev.outbox.email.State;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Every statement of the store, each with a name, for one database and one prefix of tables. */
final class SqlStatements {

  /** The states in which somebody holds an email, or waits to call. */
  private static final String BUSY =
      Arrays.stream(State.values())
          .filter(State::isBusy)
          .map(state -> "'" + state.wireName() + "'")
          .collect(Collectors.joining(", "));

  /**
   * An index that a statement has to use. What locks rows by their key must never do it by a scan,
   * as the optimiser likes to for many keys in a small table: it would wait for rows of others, out
   * of order, and end in deadlocks.
   */
  private static final Pattern FORCE = Pattern.compile("\\{force:(\\w+)}");

  private static final Pattern DELETE = Pattern.compile("\\{delete:(\\w+):(\\w+)}");

  private final SqlDialect dialect;
  private final String prefix;

  final String now;
  final String insertKeys;
  final String keys;
  final MultiRowInsert insertEmails;

  /** Whether an insert of many rows is one statement, with one commit if it stands alone. */
  final boolean insertsAtOnce;

  final String knownEmails;
  final String knownLog;
  final String anyInLane;

  /** Whether what was claimed or deleted lies in the indexes until it is purged. */
  final boolean keepsDeadEntries;

  final String firstDue;
  final String due;
  final String claim;
  final String postpone;
  final String largeContent;
  final String proceed;
  final String proceeded;
  final String emailsForUpdate;
  final String logForUpdate;
  final String update;

  /** Leaves sender, recipients and subject as they are, for a row in which they are unreadable. */
  final String updateProgress;

  final String updateLog;
  final String saveComposed;
  final String dropContent;
  final MultiRowInsert insertLog;
  final String keepContents;
  final String deleteEmails;
  final String deleteLog;
  final String deleteContents;
  final String deleteStatuses;
  final String deleteKeys;
  final String insertStatuses;
  final String hushStatuses;
  final String statuses;
  final String email;
  final String logged;
  final String content;
  final String held;
  final String heldForUpdate;
  final String heldAmongForUpdate;
  final String lockNode;

  /** Finds nothing if another transaction has locked the row. */
  final String lockNodeAtOnce;

  final String insertNode;
  final String beat;
  final String nodes;
  final String deleteNode;
  final String count;
  final String oldLog;
  final String oldEmails;
  final String oldContents;
  final String oldSentContent;
  final String referencedFiles;

  /**
   * Writes them for one database.
   *
   * @param batches whether a JDBC batch of inserts is one request
   */
  SqlStatements(SqlDialect dialect, boolean batches, String prefix) {
    this.dialect = dialect;
    this.prefix = prefix;
    now = sql("SELECT {now} AS now");
    insertKeys =
        sql(
            """
            INSERT IGNORE INTO {p}keys (key_hash, email_id, fingerprint)
            VALUES (:key_hash, :id, :fingerprint)""");
    keys =
        sql(
            """
            SELECT key_hash, email_id, fingerprint FROM {p}keys {force:PRIMARY}
            WHERE key_hash IN (<keys>)""");
    String columns =
        """
        id, status, lane, priority, created, updated, due, deadline, lifetime, key_hash,
        fingerprint, sender, recipients, recipient_hash, subject, template, tags, id_request,
        callback_url, payload_bytes, payload, payload_file_path, room""";
    String values =
        """
        :id, 'ACCEPTED', :lane, :priority, {now}, {now}, COALESCE(:send_at, {now}),
        TIMESTAMPADD(MICROSECOND, :lifetime, COALESCE(:send_at, {now})), :lifetime, :key_hash,
        :fingerprint, :sender, :recipients, :recipient_hash, :subject, :template, :tags,
        :id_request, :callback_url, :payload_bytes, :payload, :payload_file_path,
        REPEAT(' ', 72)""";
    insertsAtOnce = dialect != SqlDialect.H2;
    insertEmails =
        new MultiRowInsert(
            sql("INSERT INTO {p}emails (" + columns + ") VALUES"),
            sql("(" + values + ")"),
            batches);
    knownEmails = sql("SELECT id FROM {p}emails {force:PRIMARY} WHERE id IN (<ids>)");
    knownLog = sql("SELECT id FROM {p}log {force:PRIMARY} WHERE id IN (<ids>)");
    anyInLane =
        sql(
            """
            SELECT 1 FROM {p}emails {force:emails_due}
            WHERE status = :status AND lane = :lane LIMIT 1""");
    keepsDeadEntries = dialect != SqlDialect.H2;
    String dueInLane =
        """
        FROM {p}emails {force:emails_due}
        WHERE status = :status AND lane = :lane AND due <= {now} AND due >= :since
          AND (due > :since OR (due = :since AND id >= :first))
        ORDER BY due, id
        """;
    firstDue = sql("SELECT due, id " + dueInLane + "LIMIT 1");
    due =
        sql(
            """
            SELECT {shared}, {hot}, {now} AS now, {size},
              CASE WHEN {size} <= {small} THEN payload END,
              CASE WHEN {size} <= {small} THEN composed END
            """
                + dueInLane
                + "LIMIT :limit FOR UPDATE SKIP LOCKED");
    claim =
        sql(
            """
            UPDATE {p}emails {force:PRIMARY} SET status = :busy, owner = :node, due = NULL,
              token = CASE WHEN token < 9223372036854775807 THEN token ELSE 0 END + 1,
              updated = :now, preparing = COALESCE(:preparing, preparing),
              sending = COALESCE(:sending, sending), room = LEFT(room, 16)
            WHERE id IN (<ids>)""");
    postpone =
        sql(
            """
            UPDATE {p}emails {force:PRIMARY} SET due = TIMESTAMPADD(MICROSECOND, :micros, {now})
            WHERE id IN (<ids>)""");
    largeContent =
        sql(
            """
            SELECT id, payload, composed FROM {p}emails {force:PRIMARY}
            WHERE id IN (<ids>)""");
    proceed =
        sql(
            """
            UPDATE {p}emails {force:PRIMARY} SET status = 'PROCESSING', prepared = {now},
              sending = {now}, updated = {now}, room = ''
            WHERE id IN (<ids>) AND token = :token AND owner = :node AND status = 'INTAKING'""");
    proceeded =
        sql(
            """
            SELECT id FROM {p}emails {force:PRIMARY}
            WHERE id IN (<ids>) AND token = :token AND owner = :node AND status = 'PROCESSING'""");
    emailsForUpdate =
        sql(
            """
            SELECT {shared}, {hot}, {now} AS now FROM {p}emails {force:PRIMARY}
            WHERE id IN (<ids>) FOR UPDATE""");
    logForUpdate =
        sql(
            """
            SELECT {shared}, {now} AS now FROM {p}log {force:PRIMARY}
            WHERE id IN (<ids>) FOR UPDATE""");
    String progress =
        """
        UPDATE {p}emails SET status = :status, lane = :lane, due = :due, owner = :owner,
          worker = :worker, token = :token, completed_token = :completed_token,
          completed_to = :completed_to, sent_token = :sent_token, generation = :generation,
          attempts = :attempts, reaps = :reaps, tries = :tries, preparing = :preparing,
          prepared = :prepared, sending = :sending, sent = :sent, settled = :settled,
          updated = :updated, deadline = :deadline, code = :code,
          reason = :reason, response = :response, results = :results""";
    update =
        sql(
            progress
                + """
                , sender = :sender, recipients = :recipients, recipient_hash = :recipient_hash,
                  subject = :subject
                WHERE id = :id""");
    updateProgress = sql(progress + " WHERE id = :id");
    updateLog =
        sql(
            """
            UPDATE {p}log SET sender = :sender, recipients = :recipients,
              recipient_hash = :recipient_hash, subject = :subject, reason = :reason,
              response = :response, results = :results
            WHERE id = :id""");
    saveComposed =
        sql(
            """
            UPDATE {p}emails SET composed = :composed, composed_bytes = :composed_bytes,
              eml_file_path = :eml_file_path
            WHERE id = :id""");
    dropContent =
        sql(
            """
            UPDATE {p}emails {force:PRIMARY} SET payload = NULL, payload_bytes = NULL,
              payload_file_path = NULL, composed = NULL, composed_bytes = NULL, eml_file_path = NULL
            WHERE id IN (<ids>)""");
    insertLog =
        new MultiRowInsert(
            sql("INSERT INTO {p}log ({shared}) VALUES"),
            "(" + EmailColumn.SHARED.replaceAll("(\\w+)", ":$1") + ")",
            batches);
    keepContents =
        sql(
            """
            INSERT INTO {p}contents
              (id, settled, payload, composed, payload_file_path, eml_file_path)
            SELECT id, :settled, payload, composed, payload_file_path, eml_file_path
            FROM {p}emails WHERE id = :id AND payload_bytes IS NOT NULL""");
    deleteEmails = sql("{delete:emails:PRIMARY} WHERE id IN (<ids>)");
    deleteLog = sql("{delete:log:PRIMARY} WHERE id IN (<ids>)");
    deleteContents = sql("{delete:contents:PRIMARY} WHERE id IN (<ids>)");
    deleteStatuses = sql("{delete:statuses:statuses_email} WHERE email_id IN (<ids>)");
    deleteKeys = sql("{delete:keys:PRIMARY} WHERE key_hash IN (<keys>) AND email_id IN (<ids>)");
    insertStatuses =
        sql(
            """
            INSERT INTO {p}statuses (email_id, status, status_before, created_at, preparing,
              sending, generation, attempt, node, code, reason, detail)
            VALUES (:id, :status, :before, :at, :preparing, :sending, :generation, :attempt, :node,
              :code, :reason, :detail)""");
    hushStatuses =
        sql(
            """
            UPDATE {p}statuses {force:statuses_email} SET reason = NULL, detail = NULL
            WHERE email_id = :id""");
    statuses = sql("SELECT * FROM {p}statuses WHERE email_id = :id ORDER BY id");
    email = sql("SELECT {shared}, {hot}, payload, composed FROM {p}emails WHERE id = :id");
    logged = sql("SELECT {shared} FROM {p}log WHERE id = :id");
    content =
        sql(
            """
            SELECT payload, composed, payload_file_path, eml_file_path FROM {p}contents
            WHERE id = :id""");
    // What is held has no due time, so that the ranges read hold what is in flight and little else.
    String holding =
        "FROM {p}emails {force:emails_due} WHERE status IN ({busy}) AND lane IN (0, 1, 2, 3)"
            + " AND due IS NULL AND owner = :node"
            // H2 keeps what a limit has left of an IN on an index for the statement's next run, and
            // sorting leaves nothing.
            + (dialect == SqlDialect.H2 ? " ORDER BY id" : "")
            + " LIMIT :limit";
    held = sql("SELECT id, token, status " + holding);
    heldForUpdate =
        sql("SELECT {shared}, {hot}, {now} AS now " + holding + " FOR UPDATE SKIP LOCKED");
    heldAmongForUpdate =
        sql(
            """
            SELECT {shared}, {hot}, {now} AS now FROM {p}emails {force:PRIMARY}
            WHERE id IN (<ids>) AND status IN ({busy}) AND due IS NULL AND owner = :node
            FOR UPDATE SKIP LOCKED""");
    lockNode = sql("SELECT beat FROM {p}nodes WHERE node = :node FOR UPDATE");
    lockNodeAtOnce = lockNode + " SKIP LOCKED";
    insertNode = sql("INSERT IGNORE INTO {p}nodes (node, beat) VALUES (:node, 0)");
    beat =
        sql(
            """
            INSERT INTO {p}nodes (node, beat) VALUES (:node, 1)
            ON DUPLICATE KEY UPDATE beat = beat + 1""");
    nodes = sql("SELECT node, beat FROM {p}nodes");
    deleteNode = sql("DELETE FROM {p}nodes WHERE node = :node");
    count =
        sql(
            """
            SELECT COUNT(*) AS number, MIN(created) AS oldest, MIN(due) AS due, {now} AS now
            FROM (SELECT created, due FROM {p}emails {force:emails_due}
              WHERE status = :status LIMIT :limit) AS bounded""");
    oldLog =
        sql(
            """
            SELECT id, key_hash FROM {p}log {force:log_settled} WHERE settled <= :before
            ORDER BY settled LIMIT :limit""");
    oldEmails =
        sql(
            """
            SELECT {shared}, {hot}, {now} AS now FROM {p}emails {force:emails_settled}
            WHERE settled <= :before AND status IN (<states>) AND due IS NULL AND owner IS NULL
            ORDER BY settled LIMIT :limit FOR UPDATE SKIP LOCKED""");
    oldContents =
        sql(
            """
            SELECT id, payload_file_path, eml_file_path FROM {p}contents
            WHERE settled <= :before ORDER BY settled LIMIT :limit""");
    oldSentContent =
        sql(
            """
            SELECT {shared}, {hot}, {now} AS now FROM {p}emails {force:emails_settled}
            WHERE settled <= :before AND status IN (<states>) AND payload_bytes IS NOT NULL
            ORDER BY settled LIMIT :limit FOR UPDATE SKIP LOCKED""");
    referencedFiles =
        sql(
            """
            SELECT payload_file_path AS name FROM {p}emails WHERE id IN (<ids>)
            UNION ALL SELECT eml_file_path FROM {p}emails WHERE id IN (<ids>)
            UNION ALL SELECT payload_file_path FROM {p}contents WHERE id IN (<ids>)
            UNION ALL SELECT eml_file_path FROM {p}contents WHERE id IN (<ids>)""");
  }

  /** Returns a statement with everything filled in that depends on database and prefix. */
  String sql(String text) {
    String deleting =
        DELETE
            .matcher(text)
            .replaceAll(
                found -> dialect.deleteFrom(prefix + found.group(1), index(found.group(2))));
    return FORCE
        .matcher(deleting)
        .replaceAll(found -> dialect.forced(index(found.group(1))))
        .replace("{shared}", EmailColumn.SHARED)
        .replace("{hot}", EmailColumn.HOT)
        .replace("{busy}", BUSY)
        .replace("{small}", String.valueOf(ClaimCandidate.SMALL))
        .replace("{size}", "(COALESCE(payload_bytes, 0) + COALESCE(composed_bytes, 0))")
        .replace("{now}", dialect.now())
        .replace("{p}", prefix);
  }

  private String index(String name) {
    return name.equals("PRIMARY") ? name : prefix + name;
  }
}
