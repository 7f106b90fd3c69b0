package dev.outbox.dynamodb;

import dev.outbox.content.LargeContent;
import dev.outbox.content.LargeContent.Saved;
import dev.outbox.email.EmailId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Removes old files of content that no row names: those that a crash left between file and row, and
 * those of emails that DynamoDB has deleted by their time to live, since it knows no files.
 */
final class OrphanedContentCleaner {

  /** No insert takes that long. */
  private static final Duration ORPHAN_AGE = Duration.ofHours(24);

  private static final long INTERVAL = Duration.ofHours(1).toNanos();
  private static final int AT_ONCE = 500;

  private final ItemReader rows;
  private final LargeContent large;
  private final Duration age;
  private final AtomicLong last = new AtomicLong(System.nanoTime() - INTERVAL);

  OrphanedContentCleaner(ItemReader rows, LargeContent large) {
    this(rows, large, ORPHAN_AGE);
  }

  OrphanedContentCleaner(ItemReader rows, LargeContent large, Duration age) {
    this.rows = rows;
    this.large = large;
    this.age = age;
  }

  /** Sweeps once an hour, whoever asks. */
  void whenDue() {
    long before = last.get();
    long now = System.nanoTime();
    if (now - before >= INTERVAL && last.compareAndSet(before, now)) {
      run();
    }
  }

  void run() {
    List<Saved> some = new ArrayList<>();
    large.olderThan(
        age,
        file -> {
          some.add(file);
          if (some.size() == AT_ONCE) {
            deleteOrphans(some);
            some.clear();
          }
        });
    deleteOrphans(some);
  }

  private void deleteOrphans(List<Saved> files) {
    if (files.isEmpty()) {
      return;
    }
    Map<EmailId, EmailItem> owners = rows.all(files.stream().map(Saved::email).distinct().toList());
    Set<String> named = new HashSet<>();
    owners.values().forEach(row -> named.addAll(ContentStorage.files(row)));
    // A row that cannot be read may name what it has in words we cannot read.
    files.stream()
        .filter(file -> !isSpoilt(owners.get(file.email())))
        .map(Saved::name)
        .filter(name -> !named.contains(name))
        .forEach(large::delete);
  }

  private static boolean isSpoilt(@Nullable EmailItem owner) {
    return owner != null && owner.isSpoilt();
  }
}
