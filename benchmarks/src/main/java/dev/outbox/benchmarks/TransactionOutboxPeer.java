package dev.outbox.benchmarks;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.gruelbox.transactionoutbox.TransactionOutboxEntry;
import com.gruelbox.transactionoutbox.TransactionOutboxListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * transaction-outbox as its README shows it: scheduled in transactions, handed to a pool of threads
 * after the commit. What is handed over waits here until the drain begins, so that it need not read
 * its tasks back as the others do.
 */
final class TransactionOutboxPeer implements Competitor {

  private static final int THREADS = 16;
  private static final int PER_TRANSACTION = 500;

  private final String name;
  private final String payload;
  private final TransactionManager transactions;
  private final TransactionOutbox outbox;
  private final List<Runnable> waiting = new ArrayList<>();
  private volatile CountDownLatch open = new CountDownLatch(0);

  TransactionOutboxPeer(String name, DatabaseServer server, PeerTask work, String payload) {
    this.name = name;
    this.payload = payload;
    this.transactions = TransactionManager.fromDataSource(server.pool(THREADS + 4));
    this.outbox =
        TransactionOutbox.builder()
            .transactionManager(transactions)
            .persistor(Persistor.forDialect(Dialect.MY_SQL_8))
            .instantiator(Instantiator.using(type -> work))
            .submitter(
                (entry, execution) -> {
                  synchronized (waiting) {
                    waiting.add(() -> execution.accept(entry));
                  }
                })
            .listener(
                new TransactionOutboxListener() {
                  @Override
                  public void success(TransactionOutboxEntry entry) {
                    open.countDown();
                  }
                })
            .build();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isPeer() {
    return true;
  }

  @Override
  public void fill(int emails) {
    for (int i = 0; i < emails; i += PER_TRANSACTION) {
      int count = Math.min(PER_TRANSACTION, emails - i);
      transactions.inTransaction(
          () -> {
            for (int each = 0; each < count; each++) {
              outbox.schedule(PeerTask.class).run(payload);
            }
          });
    }
  }

  @Override
  public void drain(int emails) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(emails);
    open = done;
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    synchronized (waiting) {
      waiting.forEach(pool::execute);
      waiting.clear();
    }
    done.await();
    pool.shutdownNow();
  }
}
