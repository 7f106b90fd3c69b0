package dev.outbox.content;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Where a store puts content that is too large for its own rows.
 *
 * <p>Names are made here and kept by the store. Content is saved before the row that names it is
 * written, and deleted after that row is gone; what a crash leaves in between is found by its age.
 * Implementations are safe for use by many threads, and reach the same content from every node.
 */
public interface LargeContent {

  /** What a piece of content is. */
  enum Kind {
    /** An email's payload. */
    PAYLOAD,
    /** A composed message. */
    COMPOSED
  }

  /**
   * Saves content, durably when this returns.
   *
   * @return a name of at most 100 characters that no other content has
   * @throws StoreException if it could not be saved
   */
  String save(EmailId id, Kind kind, Bytes content);

  /**
   * Reads content; empty if it cannot be seen from here.
   *
   * @throws StoreException if it is there and could not be read
   */
  Optional<Bytes> load(String name);

  /**
   * Returns whether content can be read at all at the moment. Asked after {@link #load} has found
   * or read nothing for a name that a row has: if true, the failure concerns that content only.
   */
  boolean isAvailable();

  /**
   * Removes content; nothing happens if it is gone.
   *
   * @throws StoreException if it could not be removed
   */
  void delete(String name);

  /**
   * Removes all content that was saved for an email, also what no row names: a call that failed may
   * have left it.
   *
   * @throws StoreException if some of it could not be removed
   */
  void deleteAll(EmailId id);

  /** Hands over each piece of content that was saved longer ago than this. */
  void olderThan(Duration age, Consumer<Saved> each);

  /**
   * A piece of content.
   *
   * @param email whose it is
   * @param name what it is read by
   */
  record Saved(EmailId email, String name) {

    /** Shows whose it is. */
    @Override
    public String toString() {
      return "Saved[" + email + "]";
    }
  }
}
