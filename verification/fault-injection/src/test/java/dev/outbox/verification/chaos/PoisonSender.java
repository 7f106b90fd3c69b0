package dev.outbox.verification.chaos;

import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.Receipt;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends one email of each kind of {@link Poison}, each written down before and after. */
final class PoisonSender {

  private final NodeSettings settings;
  private final WatchedSends sends;
  private final Journal journal;
  private final AtomicInteger counter = new AtomicInteger();

  PoisonSender(NodeSettings settings, WatchedSends sends, Journal journal) {
    this.settings = settings;
    this.sends = sends;
    this.journal = journal;
  }

  /**
   * Sends all kinds, each to the line that the choice gives.
   *
   * @return how many calls were made
   */
  int sendAll(int choice) {
    Poison[] kinds = Poison.values();
    for (int i = 0; i < kinds.length; i++) {
      int number = (choice + i) % kinds.length;
      send((choice + i) % 2 == 0 ? Line.RESEND : Line.HOLD, kinds[number]);
    }
    return kinds.length;
  }

  private void send(Line line, Poison kind) {
    String name = "poison-" + settings.name() + "-" + counter.getAndIncrement();
    journal.write(JournalVerb.ASKING, line, name);
    journal.write(JournalVerb.POISON, line, name, kind);
    try {
      URI callback = URI.create("http://127.0.0.1:" + settings.callbacks() + "/told");
      Receipt receipt = sends.send(line, kind.email(name, callback));
      journal.write(JournalVerb.ACCEPTED, line, name, receipt.id(), receipt.created(), "-");
    } catch (InvalidEmailException e) {
      journal.write(JournalVerb.REJECTED, line, name, kind, e.field());
    } catch (RuntimeException e) {
      // Unknown outcome: the journal says that it was asked for, and the sends are watched.
      System.out.println("refused: " + e.getClass().getName());
    }
  }
}
