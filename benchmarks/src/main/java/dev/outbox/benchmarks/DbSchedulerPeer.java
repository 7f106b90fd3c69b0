package dev.outbox.benchmarks;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * db-scheduler with a one-time task for each email, its table as its repository has it for MySQL
 * and MariaDB, stored by {@code scheduleBatch}, polled as its README recommends for throughput.
 */
final class DbSchedulerPeer implements Competitor {

  private static final int THREADS = 16;

  private static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS scheduled_tasks (
        task_name VARCHAR(100) NOT NULL,
        task_instance VARCHAR(100) NOT NULL,
        task_data BLOB,
        execution_time TIMESTAMP(6) NOT NULL,
        picked BOOLEAN NOT NULL,
        picked_by VARCHAR(50),
        last_success TIMESTAMP(6) NULL,
        last_failure TIMESTAMP(6) NULL,
        consecutive_failures INT,
        last_heartbeat TIMESTAMP(6) NULL,
        version BIGINT NOT NULL,
        priority SMALLINT,
        PRIMARY KEY (task_name, task_instance),
        INDEX execution_time_idx (execution_time),
        INDEX last_heartbeat_idx (last_heartbeat),
        INDEX priority_execution_time_idx (priority, execution_time))""";

  private final String name;
  private final HikariDataSource pool;
  private final OneTimeTask<String> task;
  private final String payload;
  private final AtomicReference<@Nullable Scheduler> running = new AtomicReference<>();
  private volatile CountDownLatch open = new CountDownLatch(0);

  DbSchedulerPeer(String name, DatabaseServer server, PeerTask work, String payload) {
    this.name = name;
    this.pool = server.pool(THREADS + 4);
    this.payload = payload;
    server.execute(TABLE);
    this.task =
        Tasks.oneTime("send-email", String.class)
            .execute(
                (instance, context) -> {
                  work.run(instance.getData());
                  open.countDown();
                });
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
    Scheduler client = scheduler();
    List<TaskInstance<?>> instances = new ArrayList<>();
    for (int i = 0; i < emails; i++) {
      instances.add(task.instance(UUID.randomUUID().toString(), payload));
    }
    for (int i = 0; i < emails; i += 1_000) {
      client.scheduleBatch(instances.subList(i, Math.min(i + 1_000, emails)), Instant.now());
    }
  }

  @Override
  public void drain(int emails) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(emails);
    open = done;
    Scheduler scheduler = scheduler();
    running.set(scheduler);
    scheduler.start();
    done.await();
  }

  @Override
  public void rest() {
    Scheduler scheduler = running.getAndSet(null);
    if (scheduler != null) {
      scheduler.stop();
    }
  }

  private Scheduler scheduler() {
    return Scheduler.create(pool, task)
        .threads(THREADS)
        .pollUsingFetch(0.5, 4.0)
        .pollingInterval(Duration.ofMillis(100))
        .alwaysPersistTimestampInUTC()
        .schedulerName(new SchedulerName.Fixed("benchmark"))
        .build();
  }
}
