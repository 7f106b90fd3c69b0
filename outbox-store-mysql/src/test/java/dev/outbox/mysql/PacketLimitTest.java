package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.outbox.content.LargeContent.Kind;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.NodeId;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoreException;
import dev.outbox.testsupport.MariaDbServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A statement above {@code max_allowed_packet} is the fault of its emails, not an outage. */
class PacketLimitTest {

  private static final NodeId NODE = NodeId.incarnate("node");

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aMessageAboveThePacketLimitIsRejectedAndTheOthersCanBeRecorded(String driver) {
    MariaDbServer server = MariaDbServer.shared();
    server.execute("SET GLOBAL max_allowed_packet = 2097152");
    try (MySqlStore store =
        MySqlStore.builder(driver.equals("mysql") ? server.mySqlUrl() : server.url(), "root", "")
            .tablePrefix("packet_")
            .applySchema()
            .build()) {
      store.insert(List.of(Samples.email(), Samples.email()));
      List<Claim> claims = store.beginDelivery(Samples.claim(store, NODE, 2));
      Completion large = retry(claims.get(0), Bytes.utf8("x".repeat(3 << 20)));
      Completion other = retry(claims.get(1), Bytes.utf8("x"));

      StoreException thrown =
          catchThrowableOfType(StoreException.class, () -> store.complete(List.of(large, other)));

      assertThat(thrown).isNotNull();
      assertThat(thrown).hasMessageContaining("max_allowed_packet");
      assertThat(thrown.reason()).isEqualTo(StoreException.Reason.REJECTED_DATA);
      assertThat(store.complete(List.of(other))).containsOnly(CompletionResult.APPLIED);
      assertThat(store.complete(List.of(retry(claims.get(0), Bytes.utf8("x")))))
          .containsOnly(CompletionResult.APPLIED);
    } finally {
      server.execute("SET GLOBAL max_allowed_packet = 16777216");
    }
  }

  @Test
  void contentIsMeasuredAsTheDriverSendsIt() {
    ContentStorage keeper = new ContentStorage(null, 1 << 20, 1 << 20);
    EmailId id = EmailId.next();

    keeper.keep(id, Kind.COMPOSED, Bytes.utf8("x".repeat(1_000_000)));
    assertThatThrownBy(() -> keeper.keep(id, Kind.COMPOSED, Bytes.utf8("\"".repeat(600_000))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("composed message is larger");
    assertThatThrownBy(() -> keeper.check(Bytes.utf8("\"".repeat(600_000))))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageContaining("attachments");
  }

  private static Completion retry(Claim claim, Bytes composed) {
    return Completion.retry(claim, Duration.ofHours(1), OutcomeDetails.NONE, composed);
  }
}
