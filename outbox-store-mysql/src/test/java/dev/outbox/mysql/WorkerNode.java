package dev.outbox.mysql;

import dev.outbox.Outbox;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.ProcessingSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * A process that sends what is in a database, and tells a {@link DeliveryPost} of it. Its relay
 * takes some emails and then hangs until the process is told to go on, so that whoever kills it
 * does so in the middle, however slow the machine is.
 */
final class WorkerNode {

  static final LeaseSettings LEASE =
      new LeaseSettings(Duration.ofMillis(500), Duration.ofSeconds(3));

  private static final Duration PACE = Duration.ofMillis(5);
  private static final int HELD = 200;

  /** How many emails a relay takes before it hangs. */
  static final int BEFORE_HANGING = 300;

  private WorkerNode() {}

  /**
   * Runs until standard input ends; anything read there lets the relay go on. Arguments: URL,
   * prefix of tables, port of the post, name.
   */
  public static void main(String[] arguments) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[2]));
    PrintStream post = new PrintStream(socket.getOutputStream(), true, StandardCharsets.US_ASCII);
    Semaphore relay = new Semaphore(BEFORE_HANGING);
    MySqlStore store =
        MySqlStore.builder(arguments[0], "root", "").tablePrefix(arguments[1]).build();
    Outbox outbox =
        Outbox.builder(store)
            .transport(
                new AcceptingTransport(
                    PACE,
                    id -> {
                      relay.acquireUninterruptibly();
                      post.println(id);
                    }))
            .nodeName(arguments[3])
            .lease(LEASE)
            .processing(ProcessingSettings.DEFAULT.claims(HELD / 2, 32L << 20, HELD))
            .build()
            .start();
    post.println(arguments[3]);
    while (System.in.read() >= 0) {
      relay.release(Integer.MAX_VALUE / 2);
    }
    outbox.close();
    store.close();
    socket.close();
  }
}
