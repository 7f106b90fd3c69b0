package dev.outbox.mysql;

import dev.outbox.content.LargeContent;
import dev.outbox.content.LargeContent.Kind;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoredContent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides where content lives: in its row, or, if it is large, among the large content. */
final class ContentStorage {

  /** What a statement may carry on every server's standard setting, a composed message included. */
  static final int ROW_LIMIT = 8 << 20;

  /** How many bytes a statement has besides the content. */
  private static final int REST = 16 << 10;

  private static final Logger log = LoggerFactory.getLogger(ContentStorage.class);

  private final @Nullable LargeContent large;
  private final int limit;
  private final long packet;

  /** Whether the directory as a whole could not be read the last time. */
  private final AtomicBoolean failing = new AtomicBoolean();

  /**
   * Makes a keeper.
   *
   * @param large null if all content lives in rows
   * @param limit up to how many bytes it does
   * @param packet the largest statement that the server takes, in bytes. A server closes the
   *     connection on a larger one, and the driver may then report a lost connection only
   */
  ContentStorage(@Nullable LargeContent large, int limit, long packet) {
    this.large = large;
    this.limit = limit;
    this.packet = packet;
  }

  /**
   * Where one piece of content lives: one of both.
   *
   * @param bytes how many there are
   * @param inRow the content, or null
   * @param file its name among the large content, or null
   */
  record Place(int bytes, @Nullable Bytes inRow, @Nullable String file) {
    byte @Nullable [] column() {
      return inRow == null ? null : inRow.toArray();
    }
  }

  /** Refuses a payload that there is no room for. */
  void check(Bytes payload) {
    if (large == null && payload.length() > ROW_LIMIT) {
      throw new InvalidEmailException(
          "attachments",
          "with all else more than %d MiB, which needs a content directory"
              .formatted(ROW_LIMIT >> 20));
    }
    if (large == null && !fits(payload)) {
      throw new InvalidEmailException(
          "attachments", "with all else more than the server's max_allowed_packet");
    }
  }

  /**
   * Returns where content lives from now on.
   *
   * @throws StoreException if it fits into no statement, and there is no other place
   */
  Place keep(EmailId id, Kind kind, Bytes content) {
    boolean fits = fits(content);
    if (large != null && (content.length() > limit || !fits)) {
      return new Place(content.length(), null, large.save(id, kind, content));
    }
    if (!fits) {
      throw new StoreException(
          StoreException.Reason.REJECTED_DATA,
          "could not store %s: %s is larger than the server's max_allowed_packet"
              .formatted(id, kind == Kind.PAYLOAD ? "content" : "composed message"),
          null);
    }
    return new Place(content.length(), content, null);
  }

  /** Drivers may send content as text, in which some bytes become two. */
  private boolean fits(Bytes content) {
    long room = packet - REST;
    if (content.length() * 2L <= room) {
      return true;
    }
    long size = content.length();
    for (byte each : content.toArray()) {
      if (each == 0 || each == '\'' || each == '"' || each == '\\') {
        size++;
      }
    }
    return size <= room;
  }

  /**
   * The content of a row as far as it can be read from here.
   *
   * @param content null if there is none, or a file cannot be read
   * @param unavailable whether it is in files and the directory as a whole cannot be read
   */
  record Loaded(@Nullable StoredContent content, boolean unavailable) {

    private static final Loaded UNAVAILABLE = new Loaded(null, true);
  }

  /** Reads a row's content; null if there is none, or it cannot be read from here. */
  @Nullable StoredContent read(EmailId id, ResultSet row) throws SQLException {
    return read(
            id,
            inRow(row, "payload"),
            row.getString("payload_file_path"),
            inRow(row, "composed"),
            row.getString("eml_file_path"))
        .content();
  }

  /**
   * Reads the content of rows that were locked. Once the directory has failed, no other file is
   * asked for: each may take until a timeout.
   */
  Map<EmailId, Loaded> read(List<ClaimCandidate> rows) {
    Map<EmailId, Loaded> all = new HashMap<>();
    boolean unavailable = false;
    for (ClaimCandidate row : rows) {
      LockedRow hot = row.hot();
      boolean isInFiles = hot.payloadFile() != null || hot.composedFile() != null;
      Loaded loaded =
          unavailable && isInFiles
              ? Loaded.UNAVAILABLE
              : read(
                  row.id(), row.payload(), hot.payloadFile(), row.composed(), hot.composedFile());
      unavailable |= loaded.unavailable();
      all.put(row.id(), loaded);
    }
    return all;
  }

  private Loaded read(
      EmailId id,
      @Nullable Bytes payload,
      @Nullable String payloadFile,
      @Nullable Bytes composed,
      @Nullable String composedFile) {
    try {
      Optional<Bytes> found = read(id, payload, payloadFile);
      return new Loaded(
          found.isEmpty()
              ? null
              : new StoredContent(found.get(), read(id, composed, composedFile).orElse(null)),
          false);
    } catch (StoreException e) {
      if (e.reason() == StoreException.Reason.UNAVAILABLE) {
        return Loaded.UNAVAILABLE;
      }
      throw e;
    }
  }

  private Optional<Bytes> read(EmailId id, @Nullable Bytes inRow, @Nullable String file) {
    if (file != null) {
      return large == null ? Optional.empty() : load(large, id, file);
    }
    return Optional.ofNullable(inRow);
  }

  /**
   * Loads a file; empty if this one is missing or cannot be read.
   *
   * @throws StoreException with the reason UNAVAILABLE if the directory as a whole cannot be read
   */
  private Optional<Bytes> load(LargeContent place, EmailId id, String file) {
    Optional<Bytes> found = Optional.empty();
    try {
      found = place.load(file);
    } catch (StoreException e) {
      if (e.reason() == StoreException.Reason.INTERRUPTED) {
        throw e;
      }
    }
    if (found.isPresent() || place.isAvailable()) {
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

  static @Nullable Bytes inRow(ResultSet row, String column) throws SQLException {
    return inRow(row, row.findColumn(column));
  }

  static @Nullable Bytes inRow(ResultSet row, int column) throws SQLException {
    byte[] bytes = row.getBytes(column);
    return bytes == null ? null : Bytes.owned(bytes);
  }

  /**
   * Refuses to go on if an email has content in a directory that this store does not know.
   *
   * @throws StoreException that names the setting that is missing
   */
  void requireWithinReach(EmailId id, Collection<String> files) {
    if (large == null && !files.isEmpty()) {
      throw new StoreException(
          StoreException.Reason.MISCONFIGURED,
          "content of email %s is in a directory: set largeContent(ContentDirectory.at(path))"
              .formatted(id),
          null);
    }
  }

  /**
   * Removes all files of an email, also those that no row names.
   *
   * @throws StoreException if a file could not be removed
   */
  void deleteAll(EmailId id) {
    if (large != null) {
      large.deleteAll(id);
    }
  }

  /** Removes files whose rows are gone. What fails is found by its age later. */
  void delete(Collection<String> files) {
    if (large == null) {
      return;
    }
    for (String file : files) {
      try {
        large.delete(file);
      } catch (StoreException e) {
        log.debug("a file of content is left for the sweep: {}", file);
      }
    }
  }
}
