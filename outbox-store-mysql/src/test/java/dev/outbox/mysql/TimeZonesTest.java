package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.store.Claim;
import dev.outbox.store.NewEmail;
import dev.outbox.testsupport.ChildJvm;
import dev.outbox.testsupport.MariaDbServer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Time is the database's, in UTC, wherever the process, the session and the server are. */
class TimeZonesTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final MariaDbServer server = MariaDbServer.shared();
  private final Jdbi database = Jdbi.create(server.url(), "root", "");
  private final NodeId node = NodeId.incarnate("node");

  @BeforeEach
  void empty() {
    store(server.url()).close();
    database.useHandle(
        handle ->
            List.of("emails", "nodes")
                .forEach(table -> handle.execute("DELETE FROM zones_" + table)));
  }

  /** Around the changes of their clocks; both drivers in sessions of yet other zones, and H2. */
  @ParameterizedTest
  @CsvSource({
    "Europe/Rome, +12:45",
    "America/St_Johns, -03:30",
    "Australia/Lord_Howe, +10:30",
    "Pacific/Chatham, +00:00"
  })
  void aProcessInAnyZoneReadsWhatItStoredAndSendsNeitherEarlyNorLate(String jvm, String session) {
    String mariaDb =
        server.url() + "?sessionVariables=timestamp={clock},time_zone='" + session + "'";
    String mySql =
        server.mySqlUrl()
            + "?sessionVariables=timestamp={clock},time_zone='"
            + session.replace("+", "%2B")
            + "'&connectionTimeZone=Asia/Kathmandu&preserveInstants=true";
    try (ChildJvm probe =
        ChildJvm.start(List.of("-Duser.timezone=" + jvm), ZoneProbe.class, mariaDb, mySql)) {
      assertThat(probe.awaitEnd()).as(probe.said()).isZero();
    }

    // Another process in another zone sees the same.
    assertThat(createdTimes())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(1, 2, 3, 4).flatMap(each -> ZoneProbe.CLOCKS.stream()).toList());
  }

  private List<Instant> createdTimes() {
    try (MySqlStore store = store(server.url())) {
      List<EmailId> ids =
          database.withHandle(
              handle ->
                  handle
                      .createQuery("SELECT id FROM zones_emails")
                      .map((row, context) -> BinaryIds.id(row.getBytes(1)))
                      .list());
      return ids.stream()
          .map(id -> store.find(id).orElseThrow().summary().timeline().created())
          .toList();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1})
  void aNodeWhoseClockIsAnHourOffClaimsByTheDatabasesClock(long hours) {
    // That the server's clock is off by an hour for a node is the same the other way round.
    Instant clock = Instant.now().plus(HOUR.multipliedBy(hours)).truncatedTo(ChronoUnit.SECONDS);
    NewEmail due = Samples.sendAt(clock.minusSeconds(60));
    NewEmail later = Samples.sendAt(clock.plusSeconds(60));
    for (String url : List.of(server.url(), server.mySqlUrl())) {
      try (MySqlStore store =
          store(url + "?sessionVariables=timestamp=" + clock.getEpochSecond())) {
        store.insert(List.of(due, later));

        assertThat(Samples.claim(store, node, 10)).extracting(Claim::id).containsExactly(due.id());
        assertThat(store.find(due.id()).orElseThrow().summary().timeline().preparing())
            .isEqualTo(clock);
      }
      empty();
    }
  }

  private static MySqlStore store(String url) {
    return MySqlStore.builder(url, "root", "")
        .tablePrefix("zones_")
        .connections(2)
        .applySchema()
        .build();
  }
}
