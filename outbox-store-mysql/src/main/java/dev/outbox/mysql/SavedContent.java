package dev.outbox.mysql;

import dev.outbox.content.LargeContent.Kind;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The content that one call saves before its transaction. Files are deleted again if the
 * transaction was certainly rolled back. If the outcome of its commit is unknown, they stay, and
 * the sweep deletes those that no row names. For one call and one thread.
 *
 * @param <K> what a piece of content is found by
 */
final class SavedContent<K> {

  private final ContentStorage contents;
  private final Map<K, ContentStorage.Place> places = new HashMap<>();
  private boolean mayBeCommitted;

  SavedContent(ContentStorage contents) {
    this.contents = contents;
  }

  /** Saves a piece of content, unless there is one under this key. */
  void save(K key, EmailId id, Kind kind, Bytes content) {
    places.computeIfAbsent(key, unused -> contents.keep(id, kind, content));
  }

  /** Returns where a piece of content is; null if there is none under this key. */
  ContentStorage.@Nullable Place get(K key) {
    return places.get(key);
  }

  /** Returns the name of the file of a piece of content; null if it has none. */
  @Nullable String file(K key) {
    ContentStorage.Place place = places.get(key);
    return place == null ? null : place.file();
  }

  /** Notes that the database may have committed rows that name the content. */
  void mayBeCommitted() {
    mayBeCommitted = true;
  }

  /** Runs the call, and deletes its files if it fails before a commit was possible. */
  <T> T during(Supplier<T> call) {
    try {
      return call.get();
    } catch (Throwable e) {
      if (!mayBeCommitted) {
        discardExcept(List.of());
      }
      throw e;
    }
  }

  /** Deletes the files of all content but that under these keys. */
  void discardExcept(Collection<K> used) {
    contents.delete(
        places.entrySet().stream()
            .filter(entry -> !used.contains(entry.getKey()))
            .flatMap(entry -> Stream.ofNullable(entry.getValue().file()))
            .map(Objects::requireNonNull)
            .toList());
  }
}
