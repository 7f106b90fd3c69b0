package dev.outbox.mysql;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.store.Claim;
import dev.outbox.store.NewEmail;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * A process in some time zone that stores emails, reads them and claims them, with sessions whose
 * clocks stand in hours that its zone has twice or not at all.
 */
final class ZoneProbe {

  /** Hours that a clock's hands skip or repeat in the zones of these tests, and a plain one. */
  static final List<Instant> CLOCKS =
      List.of(
          // Read as the hands of a clock in Rome, this time does not exist.
          Instant.parse("2027-03-28T02:30:00Z"),
          // The hour that Rome has twice, and the same hands in UTC.
          Instant.parse("2027-10-31T00:30:00Z"),
          Instant.parse("2027-10-31T02:30:00Z"),
          // St. John's skips an hour there, Lord Howe Island half of one.
          Instant.parse("2027-03-14T02:30:00Z"),
          Instant.parse("2027-10-03T02:15:00Z"),
          // Chatham skips from 2:45 to 3:45.
          Instant.parse("2027-09-26T03:00:00Z"),
          Instant.parse("2027-01-15T12:00:00.123456Z"));

  private static final Duration WAIT = Duration.ofMinutes(30);

  private final String url;
  private final NodeId node = NodeId.incarnate("probe");

  private ZoneProbe(String url) {
    this.url = url;
  }

  /** Ends with 0 if all went well. Arguments: URLs, with a place for session variables. */
  public static void main(String[] urls) {
    for (String url : urls) {
      for (Instant clock : CLOCKS) {
        new ZoneProbe(url).probe(clock);
      }
    }
    probeH2();
  }

  /** Its clock is this process's own, and cannot be set. */
  private static void probeH2() {
    try (MySqlStore store = MySqlStore.inMemory("zones")) {
      for (Instant clock : CLOCKS) {
        NewEmail later = Samples.sendAt(clock);
        store.insert(List.of(later));
        same("due", clock, store, later.id(), clock);
      }
      NewEmail now = Samples.email();
      Instant before = Instant.now().minusMillis(1);
      store.insert(List.of(now));
      Instant created = store.find(now.id()).orElseThrow().summary().timeline().created();
      if (created.isBefore(before) || created.isAfter(Instant.now())) {
        throw new IllegalStateException("H2: created %s, now is %s".formatted(created, before));
      }
    }
  }

  private void probe(Instant clock) {
    NewEmail now = Samples.email();
    NewEmail later = Samples.sendAt(clock.plus(WAIT));
    try (MySqlStore store = at(clock)) {
      store.insert(List.of(now, later));
      same("created", clock, store, now.id(), clock);
      same("due", clock, store, later.id(), clock.plus(WAIT));
      claims(store, now);
    }
    try (MySqlStore early = at(clock.plus(WAIT).minusMillis(1))) {
      claims(early);
    }
    try (MySqlStore onTime = at(clock.plus(WAIT))) {
      claims(onTime, later);
    }
  }

  private MySqlStore at(Instant clock) {
    String seconds =
        String.format(Locale.ROOT, "%d.%06d", clock.getEpochSecond(), clock.getNano() / 1_000);
    return MySqlStore.builder(url.replace("{clock}", seconds), "root", "")
        .tablePrefix("zones_")
        .connections(2)
        .build();
  }

  private static void same(
      String what, Instant clock, MySqlStore store, EmailId id, Instant expected) {
    var email = store.find(id).orElseThrow().summary();
    Instant found = what.equals("due") ? email.due() : email.timeline().created();
    if (!expected.equals(found)) {
      throw new IllegalStateException(
          "%s at %s: stored %s, read %s".formatted(what, clock, expected, found));
    }
  }

  private void claims(MySqlStore store, NewEmail... expected) {
    List<EmailId> claimed = Samples.claim(store, node, 10).stream().map(Claim::id).toList();
    if (!claimed.equals(List.of(expected).stream().map(NewEmail::id).toList())) {
      throw new IllegalStateException(
          "claimed %d emails instead of %d".formatted(claimed.size(), expected.length));
    }
  }
}
