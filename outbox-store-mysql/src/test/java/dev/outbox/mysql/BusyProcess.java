package dev.outbox.mysql;

import dev.outbox.email.NodeId;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutcomeDetails;
import java.util.List;
import java.util.stream.Stream;

/**
 * A process in which several threads store emails and several archive them, until it is killed. It
 * says what is so after the commit: {@code STORED} or {@code SENT}, and the email's id.
 */
final class BusyProcess {

  private static final int THREADS = 4;

  private BusyProcess() {}

  /** Works for ever. Argument: the database's URL. */
  public static void main(String[] arguments) {
    MySqlStore store = MySqlStore.builder(arguments[0], "sa", "").applySchema().build();
    for (int i = 0; i < THREADS; i++) {
      new Thread(() -> send(store)).start();
      new Thread(() -> work(store)).start();
    }
  }

  private static void send(MySqlStore store) {
    while (true) {
      List<NewEmail> emails = Stream.generate(Samples::email).limit(10).toList();
      store.insert(emails);
      emails.forEach(email -> System.out.println("STORED " + email.id()));
    }
  }

  private static void work(MySqlStore store) {
    NodeId node = NodeId.incarnate("busy");
    while (true) {
      List<Claim> claims = Samples.claim(store, node, 10);
      List<Claim> sending = store.beginDelivery(claims);
      store.complete(
          sending.stream()
              .map(claim -> Completion.sent(claim, OutcomeDetails.NONE, false))
              .toList());
      sending.forEach(claim -> System.out.println("SENT " + claim.id()));
    }
  }
}
