package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.OutboxStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** One bounded round of pruning in a random walk. */
record RandomPruning(RetentionSettings retention, int limit) {

  private static final int ALL = 10_000;

  static RandomPruning next(Random random) {
    return new RandomPruning(
        new RetentionSettings(
            units(random, 40), units(random, 40), units(random, 40), units(random, 20)),
        random.nextBoolean() ? ALL : 1 + random.nextInt(4));
  }

  private static Duration units(Random random, int bound) {
    return RandomOperations.UNIT.multipliedBy(random.nextBoolean() ? 0 : random.nextInt(bound));
  }

  /**
   * Prunes both. Which of those that are over go first is the store's to choose, as long as all go
   * that the limit allows.
   *
   * @return what was removed or emptied
   */
  List<EmailId> prune(OutboxStore store, StoreModel model, RandomClaims.Story story) {
    int count = store.prune(retention, limit);
    story.tell("prune " + retention + " up to " + limit, count);
    Set<EmailId> gone = new HashSet<>();
    Set<EmailId> emptied = new HashSet<>();
    int left = 0;
    for (Map.Entry<EmailId, ModelEmail> entry : model.emails.entrySet()) {
      EmailId id = entry.getKey();
      boolean removable = model.isOver(entry.getValue(), retention);
      boolean emptiable = model.isToBeEmptied(entry.getValue(), retention);
      if (removable && store.find(id).isEmpty()) {
        gone.add(id);
      } else if (emptiable && store.find(id).orElseThrow().content() == null) {
        emptied.add(id);
      } else if (removable || emptiable) {
        left++;
      }
    }
    assertThat(count).as("how many were pruned").isEqualTo(gone.size() + emptied.size());
    assertThat(count).as("how many were pruned").isLessThanOrEqualTo(limit);
    assertThat(count == limit || left == 0).as("all is pruned that can be").isTrue();
    emptied.forEach(id -> model.email(id).empty());
    gone.forEach(model::remove);
    return Stream.concat(gone.stream(), emptied.stream()).toList();
  }
}
