package dev.outbox.mysql;

import java.util.concurrent.Executor;

/**
 * Runs each task on a thread of its own. The common pool has a single one on a machine of two
 * processors, on which tasks that wait for each other would wait for ever.
 */
final class OwnThread implements Executor {

  @Override
  public void execute(Runnable task) {
    Thread thread = new Thread(task, "own");
    thread.setDaemon(true);
    thread.start();
  }
}
