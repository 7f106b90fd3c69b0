package dev.outbox.email;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import java.util.function.LongSupplier;

/**
 * Makes ids of which each is later than the one before, also while the clock is set back and while
 * several threads ask at once. Safe for use by several threads.
 */
final class EmailIdGenerator {

  private final TimeBasedEpochGenerator generator = Generators.timeBasedEpochGenerator();
  private final LongSupplier clock;
  private long latest;

  EmailIdGenerator(LongSupplier clock) {
    this.clock = clock;
  }

  // The generator counts up within one millisecond, and starts anew whenever it is given another,
  // earlier ones included; on its own it also reads the clock before it takes its lock.
  synchronized EmailId next() {
    latest = Math.max(latest, clock.getAsLong());
    return new EmailId(generator.construct(latest));
  }
}
