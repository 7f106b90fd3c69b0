package dev.outbox.mysql;

import org.jdbi.v3.core.Handle;

/** Many rows at once, made by the server itself. */
final class SampleRows {

  private SampleRows() {}

  /**
   * Fills the table of emails.
   *
   * @param dueIn in how many seconds they are due; null for never
   */
  static void emails(Handle handle, int count, String status, String dueIn) {
    handle.execute(
        """
        INSERT INTO outbox_emails (id, status, lane, priority, created, updated, due, deadline,
          lifetime, sender, recipients, recipient_hash, subject, template, payload_bytes, payload,
          settled)
        SELECT UNHEX(CONCAT(LPAD(HEX(UNIX_TIMESTAMP() * 1000 + seq), 12, '0'), '7',
            SUBSTR(MD5(RAND()), 1, 3), '8', SUBSTR(MD5(RAND()), 1, 15))),
          '%s', 1, 1, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6),
          %s, UTC_TIMESTAMP(6) + INTERVAL 3 DAY, 259200000000, 'shop@example.net',
          CONCAT('to u', seq, '@example.net'), seq, 'Order', 'order-confirmed', 500,
          REPEAT('x', 500), %s
        FROM seq_1_to_%d"""
            .formatted(
                status,
                dueIn.equals("never")
                    ? "NULL"
                    : "UTC_TIMESTAMP(6) + INTERVAL " + dueIn + " SECOND + INTERVAL seq MICROSECOND",
                status.equals("FAILED") ? "UTC_TIMESTAMP(6)" : "NULL",
                count));
  }

  /** Fills the log with emails sent one after the other in the past days. */
  static void log(Handle handle, int count) {
    handle.execute(
        """
        INSERT INTO outbox_log (id, status, token, completed_token, completed_to, sent_token,
          generation, attempts, reaps, tries, priority, created, settled, sent, updated, deadline,
          sender, recipients, recipient_hash, subject, template)
        SELECT UNHEX(CONCAT(LPAD(HEX(UNIX_TIMESTAMP() * 1000 - %2$d * 1000 + seq), 12, '0'), '7',
            SUBSTR(MD5(RAND()), 1, 3), '8', SUBSTR(MD5(RAND()), 1, 15))),
          'SENT', 1, 1, 'SENT', 1, 0, 1, 0, 0, 1,
          UTC_TIMESTAMP(6) - INTERVAL (%2$d - seq) SECOND,
          UTC_TIMESTAMP(6) - INTERVAL (%2$d - seq) SECOND,
          UTC_TIMESTAMP(6) - INTERVAL (%2$d - seq) SECOND, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6),
          'shop@example.net', CONCAT('to u', seq, '@example.net'),
          CAST(CRC32(CONCAT('u', seq, '@example.net')) AS SIGNED)
            - IF(CRC32(CONCAT('u', seq, '@example.net')) > 2147483647, 4294967296, 0),
          'Order', 'order-confirmed'
        FROM seq_1_to_%1$d"""
            .formatted(count, count));
  }
}
