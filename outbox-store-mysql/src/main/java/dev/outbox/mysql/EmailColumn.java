package dev.outbox.mysql;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The columns of an email without its content, in the order in which {@link EmailRecordMapper}
 * reads them. Drivers take longer to find a column by its name than to read it, and find one by
 * going on from the one before: they begin again for one that they have passed.
 */
enum EmailColumn {
  STATUS,
  PRIORITY,
  COMPLETED_TO,
  ID,
  SENDER,
  RECIPIENTS,
  SUBJECT,
  TEMPLATE,
  TAGS,
  ID_REQUEST,
  CALLBACK_URL,
  GENERATION,
  ATTEMPTS,
  REAPS,
  TRIES,
  CREATED,
  PREPARING,
  PREPARED,
  SENDING,
  SENT,
  SETTLED,
  UPDATED,
  DEADLINE,
  WORKER,
  CODE,
  REASON,
  RESPONSE,
  RESULTS,
  KEY_HASH,
  FINGERPRINT,
  TOKEN,
  COMPLETED_TOKEN,
  SENT_TOKEN,
  RECIPIENT_HASH,
  LANE,
  DUE,
  OWNER,
  LIFETIME,
  PAYLOAD_BYTES,
  COMPOSED_BYTES,
  PAYLOAD_FILE_PATH,
  EML_FILE_PATH;

  /** Those that the log has too. */
  static final String SHARED = list(EnumSet.range(STATUS, RECIPIENT_HASH));

  /** Those that only emails on their way have. */
  static final String HOT = list(EnumSet.range(LANE, EML_FILE_PATH));

  /** Where a column is that follows all of them. */
  static final int AFTER_ALL = values().length + 1;

  private static String list(Set<EmailColumn> columns) {
    return columns.stream()
        .map(column -> column.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }

  /** Returns its place in a query that begins with {@link #SHARED} and {@link #HOT}. */
  @SuppressWarnings("EnumOrdinal") // the order is what this enum is for
  int at() {
    return ordinal() + 1;
  }
}
