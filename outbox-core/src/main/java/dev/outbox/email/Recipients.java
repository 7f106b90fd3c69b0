package dev.outbox.email;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Everybody an email goes to; at least one.
 *
 * @param to the main recipients
 * @param cc those who get a copy that all can see
 * @param bcc those who get a copy that nobody sees
 */
public record Recipients(List<Address> to, List<Address> cc, List<Address> bcc) {

  /** Copies the lists and refuses an email for nobody. */
  public Recipients {
    to = List.copyOf(to);
    cc = List.copyOf(cc);
    bcc = List.copyOf(bcc);
    if (to.isEmpty() && cc.isEmpty() && bcc.isEmpty()) {
      throw new InvalidEmailException("to", "no recipient");
    }
  }

  /** Returns an email's only recipient. */
  public static Recipients of(Address only) {
    return new Recipients(List.of(only), List.of(), List.of());
  }

  /** Returns each mailbox once, in the order to, cc, bcc. */
  public List<Address> all() {
    if (to.size() == 1 && cc.isEmpty() && bcc.isEmpty()) {
      return to;
    }
    Set<String> seen = new HashSet<>();
    return Stream.of(to, cc, bcc)
        .flatMap(List::stream)
        .filter(address -> seen.add(address.canonical()))
        .toList();
  }

  /** Shows how many there are, and not who. */
  @Override
  public String toString() {
    return "Recipients[to=%d, cc=%d, bcc=%d]".formatted(to.size(), cc.size(), bcc.size());
  }
}
