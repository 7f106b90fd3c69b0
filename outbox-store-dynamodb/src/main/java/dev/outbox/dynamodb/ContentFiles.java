package dev.outbox.dynamodb;

import dev.outbox.content.LargeContent;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.store.StoreException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of content. A file that cannot be read is distinguished from a content directory that
 * cannot be read at all. Safe for many threads.
 */
final class ContentFiles {

  private static final Logger log = LoggerFactory.getLogger(ContentFiles.class);

  private final LargeContent large;

  /** Whether the directory as a whole could not be read the last time. */
  private final AtomicBoolean failing = new AtomicBoolean();

  ContentFiles(LargeContent large) {
    this.large = large;
  }

  /** Saves content and returns the name of its file; an interrupt closes the file. */
  String save(EmailId id, LargeContent.Kind kind, Bytes content) {
    try {
      return large.save(id, kind, content);
    } catch (StoreException e) {
      throw ErrorClassifier.isInterrupt(e) ? interrupted(id, e) : e;
    }
  }

  /**
   * Reads a file; empty if this one is missing or cannot be read.
   *
   * @throws StoreException with the reason UNAVAILABLE if the directory as a whole cannot be read
   */
  Optional<Bytes> load(EmailId id, String name) {
    Optional<Bytes> found = Optional.empty();
    try {
      found = large.load(name);
    } catch (StoreException e) {
      if (ErrorClassifier.isInterrupt(e)) {
        throw interrupted(id, e);
      }
    }
    if (found.isPresent() || large.isAvailable()) {
      if (found.isEmpty()) {
        log.warn("{}: a file of its content is missing or cannot be read", id);
      }
      if (failing.getAndSet(false)) {
        log.info("the content directory can be read again");
      }
      return found;
    }
    if (!failing.getAndSet(true)) {
      log.error("the content directory cannot be read, emails with files in it wait");
    }
    throw new StoreException(
        StoreException.Reason.UNAVAILABLE, "the content directory cannot be read", null);
  }

  private static StoreException interrupted(EmailId id, StoreException cause) {
    Thread.currentThread().interrupt();
    return new StoreException(
        StoreException.Reason.INTERRUPTED,
        "the calling thread was interrupted at a file of email " + id,
        cause);
  }
}
