package dev.outbox.mysql;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** A process that is asked to end, and has some emails to store before it does. */
final class LastWords {

  static final String STORED = "stored everything";

  private static final int THREADS = 8;
  private static final int EMAILS = 100;

  private LastWords() {}

  /** Ends. Argument: the database's file. */
  public static void main(String[] arguments) {
    MySqlStore store = MySqlStore.embedded(Path.of(arguments[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> store(store)));
    System.exit(0);
  }

  /** Uses many threads, so that a broken connection has no rest in which it would be noticed. */
  private static void store(MySqlStore store) {
    CompletableFuture<?>[] threads =
        IntStream.range(0, THREADS)
            .mapToObj(i -> CompletableFuture.runAsync(() -> storeMany(store), new OwnThread()))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(threads).join();
    System.out.println(STORED);
  }

  private static void storeMany(MySqlStore store) {
    for (int i = 0; i < EMAILS; i++) {
      store.insert(List.of(Samples.email(), Samples.email()));
    }
  }
}
