package dev.outbox.verification.chaos;

import dev.outbox.email.IdempotencyConflictException;
import dev.outbox.email.Receipt;
import java.util.Random;

/**
 * Requests under a key that all threads of all producers use at the same time, again and again
 * while the email is on its way and after it was archived.
 */
final class KeyRace {

  private static final long KEY_MILLIS = 700;
  private static final int LOOKS_BACK = 12;

  private final WatchedSends sends;
  private final Journal journal;

  KeyRace(WatchedSends sends, Journal journal) {
    this.sends = sends;
    this.journal = journal;
  }

  void next(Random random) {
    long now = System.currentTimeMillis() / KEY_MILLIS;
    long number = random.nextInt(4) == 0 ? now - random.nextInt(LOOKS_BACK) : now;
    Line line = number % 4 == 0 ? Line.HOLD : Line.RESEND;
    String key = "key-" + number;
    if (random.nextInt(50) == 0) {
      conflict(line, key);
      return;
    }
    journal.write(JournalVerb.ASKING, line, key);
    Receipt receipt = sends.send(line, Request.plain(key).key(key).email());
    journal.write(JournalVerb.ACCEPTED, line, key, receipt.id(), receipt.created(), key);
  }

  /** Another payload under a key that is certainly taken once the first send has returned. */
  private void conflict(Line line, String key) {
    journal.write(JournalVerb.ASKING, line, key);
    Receipt receipt = sends.send(line, Request.plain(key).key(key).email());
    journal.write(JournalVerb.ACCEPTED, line, key, receipt.id(), receipt.created(), key);
    try {
      sends.send(line, Request.plain(key).key(key).padding(100).email());
      journal.write(JournalVerb.UNNOTICED_CONFLICT, line, key);
    } catch (IdempotencyConflictException e) {
      // As promised.
      return;
    }
  }
}
