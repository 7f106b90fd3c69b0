package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.testsupport.MariaDbServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows in a state that only a newer release knows are left out of listings, and end none. */
class NewerStatesTest {

  private static final int EMAILS = 100;

  private final Jdbi direct = Jdbi.create(MariaDbServer.shared().url(), "root", "");
  private MySqlStore store;
  private List<NewEmail> emails;

  @BeforeEach
  void open() {
    store =
        MySqlStore.builder(MariaDbServer.shared().url(), "root", "")
            .tablePrefix("newer_")
            .applySchema()
            .build();
    String states =
        Arrays.stream(State.values())
            .map(state -> "'" + state.wireName() + "'")
            .collect(Collectors.joining(", "));
    direct.useHandle(
        handle ->
            List.of("emails", "log")
                .forEach(
                    table -> {
                      handle.execute("DELETE FROM newer_" + table);
                      handle.execute(
                          "ALTER TABLE newer_%s MODIFY status ENUM(%s, 'BOUNCED') NOT NULL"
                              .formatted(table, states));
                    }));
    emails = Stream.generate(Samples::email).limit(EMAILS).toList();
    store.insert(emails);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void archiveAll() {
    List<Claim> claims =
        store.beginDelivery(Samples.claim(store, NodeId.incarnate("node"), EMAILS));
    store.complete(
        claims.stream().map(each -> Completion.sent(each, OutcomeDetails.NONE, false)).toList());
  }

  private void makeNewer(String table, NewEmail email) {
    direct.useHandle(
        handle ->
            assertThat(
                    handle.execute(
                        "UPDATE newer_" + table + " SET status = 'BOUNCED' WHERE id = ?",
                        BinaryIds.bytes(email.id())))
                .isEqualTo(1));
  }

  private List<EmailId> listed(EmailQuery query, int pageSize) {
    List<EmailId> found = new ArrayList<>();
    EmailId after = null;
    do {
      EmailPage page = store.query(query, after, pageSize);
      page.emails().stream().map(EmailSummary::id).forEach(found::add);
      after = page.next();
    } while (after != null);
    return found;
  }

  private List<EmailId> readable(NewEmail... newer) {
    List<EmailId> ids = new ArrayList<>(emails.stream().map(NewEmail::id).toList());
    Arrays.stream(newer).map(NewEmail::id).forEach(ids::remove);
    return ids;
  }

  @ParameterizedTest
  @ValueSource(strings = {"emails", "log"})
  void aListingGoesOnBehindThem(String table) {
    if (table.equals("log")) {
      archiveAll();
    }
    NewEmail first = emails.get(EMAILS - 3);
    NewEmail second = emails.get(EMAILS - 4);
    makeNewer(table, first);
    makeNewer(table, second);

    assertThat(listed(EmailQuery.all(), 10))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(readable(first, second));
    assertThat(listed(EmailQuery.all().recipient("ada@example.com"), 10))
        .containsExactlyInAnyOrderElementsOf(readable(first, second));
  }

  @Test
  void aListingGoesOnBehindAWholePageOfThem() {
    emails.subList(50, 90).forEach(each -> makeNewer("emails", each));

    assertThat(listed(EmailQuery.all(), 10)).hasSize(60);
    assertThat(store.query(EmailQuery.all(), null, 100).emails()).hasSize(60);
  }

  @Test
  void erasingByRecipientReachesAllOthers() {
    makeNewer("emails", emails.get(EMAILS - 3));

    List<ActionResult> erased =
        store.apply(
            OperatorAction.ERASE, listed(EmailQuery.all().recipient("ada@example.com"), 10));

    assertThat(erased)
        .hasSize(EMAILS - 1)
        .allMatch(each -> each.status() == ActionResult.Status.DONE);
    assertThat(store.apply(OperatorAction.ERASE, List.of(emails.get(EMAILS - 3).id())))
        .extracting(ActionResult::status)
        .containsExactly(ActionResult.Status.NOT_FOUND);
  }

  @Test
  void requeueAllReachesAllOthers() {
    List<NewEmail> more = Stream.generate(Samples::email).limit(600).toList();
    store.insert(more);
    List<EmailId> all = Stream.concat(emails.stream(), more.stream()).map(NewEmail::id).toList();
    store.apply(OperatorAction.CANCEL, all);
    makeNewer("emails", more.get(more.size() - 3));

    try (Outbox outbox = Outbox.builder(store).build()) {
      assertThat(outbox.requeueAll(EmailQuery.all().codes(FailureCode.CANCELLED)))
          .isEqualTo(all.size() - 1);
    }
  }
}
