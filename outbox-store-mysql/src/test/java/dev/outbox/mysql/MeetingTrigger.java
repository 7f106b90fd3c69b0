package dev.outbox.mysql;

import java.sql.Connection;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.api.Trigger;
import org.jdbi.v3.core.Jdbi;

/** Waits in each insert for another one, and notices whether there was one. H2 makes it by name. */
public final class MeetingTrigger implements Trigger {

  private static final CyclicBarrier BARRIER = new CyclicBarrier(2);
  private static final AtomicBoolean MET = new AtomicBoolean();
  private static final AtomicInteger CALLS = new AtomicInteger();

  static void on(DataSource database, String... tables) {
    Jdbi jdbi = Jdbi.create(database);
    for (String table : tables) {
      jdbi.useHandle(
          handle ->
              handle.execute(
                  "CREATE TRIGGER meeting_%1$s BEFORE INSERT ON %1$s FOR EACH ROW CALL '%2$s'"
                      .formatted(table, MeetingTrigger.class.getName())));
    }
  }

  static boolean met() {
    return MET.get();
  }

  static int calls() {
    return CALLS.get();
  }

  @Override
  public void fire(Connection connection, Object[] before, Object[] after) {
    CALLS.incrementAndGet();
    try {
      BARRIER.await(1, TimeUnit.SECONDS);
      MET.set(true);
    } catch (TimeoutException | BrokenBarrierException alone) {
      BARRIER.reset();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
