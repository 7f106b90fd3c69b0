package dev.outbox.mysql;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.store.LargeContent;
import dev.outbox.store.LargeContent.Kind;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoredContent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides where content lives: in its row, or, if it is large, among the large content. */
final class ContentKeeper {

  /** What a statement may carry on every server's standard setting, a composed message included. */
  static final int ROW_LIMIT = 8 << 20;

  /** How many bytes a statement has besides the content. */
  private static final int REST = 16 << 10;

  private static final Logger log = LoggerFactory.getLogger(ContentKeeper.class);

  private final @Nullable LargeContent large;
  private final int limit;
  private final long packet;

  /**
   * Makes a keeper.
   *
   * @param large null if all content lives in rows
   * @param limit up to how many bytes it does
   * @param packet the largest statement that the server takes, in bytes. A server closes the
   *     connection on a larger one, and the driver may then report a lost connection only
   */
  ContentKeeper(@Nullable LargeContent large, int limit, long packet) {
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

  /** Reads a row's content; null if there is none, or it cannot be seen from here. */
  @Nullable StoredContent read(ResultSet row) throws SQLException {
    return read(
        inRow(row, "payload"),
        row.getString("payload_file_path"),
        inRow(row, "composed"),
        row.getString("eml_file_path"));
  }

  /** Reads the content of a row that was locked; null if it cannot be seen from here. */
  @Nullable StoredContent read(DueRow row) {
    return read(row.payload(), row.hot().payloadFile(), row.composed(), row.hot().composedFile());
  }

  private @Nullable StoredContent read(
      @Nullable Bytes payload,
      @Nullable String payloadFile,
      @Nullable Bytes composed,
      @Nullable String composedFile) {
    Optional<Bytes> found = read(payload, payloadFile);
    return found.isEmpty()
        ? null
        : new StoredContent(found.get(), read(composed, composedFile).orElse(null));
  }

  private Optional<Bytes> read(@Nullable Bytes inRow, @Nullable String file) {
    if (file != null) {
      return large == null ? Optional.empty() : large.load(file);
    }
    return Optional.ofNullable(inRow);
  }

  static @Nullable Bytes inRow(ResultSet row, String column) throws SQLException {
    return inRow(row, row.findColumn(column));
  }

  static @Nullable Bytes inRow(ResultSet row, int column) throws SQLException {
    byte[] bytes = row.getBytes(column);
    return bytes == null ? null : Bytes.owned(bytes);
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
