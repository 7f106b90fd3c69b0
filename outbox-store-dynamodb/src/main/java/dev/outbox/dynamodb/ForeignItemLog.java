package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log that some place holds an item that is none of ours, once for each place. What the
 * item holds stays out of the text, its key too: it may be anything.
 */
final class ForeignItemLog {

  private static final Logger log = LoggerFactory.getLogger(ForeignItemLog.class);
  private static final int MOST = 1_000;

  private final Set<String> told = ConcurrentHashMap.newKeySet();

  /**
   * Takes note of an operation on an email that another tool has stored.
   *
   * @param table where it is
   * @param id the email
   * @return whether it was logged, which happens once for each email
   */
  boolean isNews(String table, EmailId id) {
    boolean isNews = told.size() < MOST && told.add(table + "/" + id);
    if (isNews) {
      log.warn(
          "table {}: {} was stored by another tool; operations answer not found and leave it as"
              + " it is",
          table,
          id);
    }
    return isNews;
  }

  /**
   * Takes note of an item that is skipped.
   *
   * @param table where it is
   * @param place which of our own partitions or ids it was found under
   */
  void met(String table, String place) {
    if (told.size() < MOST && told.add(table + "/" + place)) {
      log.warn("table {}: skipping an item under {} that cannot be read", table, place);
    }
  }
}
