package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.store.ActionResult;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.InsertResult;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoredContent;
import dev.outbox.store.StoredEmail;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What all parts of the contract share: a fresh store, and short words for what tests often do. */
@ExtendWith(FixtureExtension.class)
@Timeout(60)
abstract class StoreContract {

  /** How much later than expected a slow database may be. */
  static final Duration SLACK = Duration.ofMinutes(1);

  static final Duration HOUR = Duration.ofHours(1);
  static final int ALL = 10_000;

  private static final Instant FAR_AWAY = Instant.parse("2100-01-01T00:00:00Z");

  StoreFixture fixture;
  OutboxStore store;

  @BeforeEach
  void open(StoreFixture fresh) {
    fixture = fresh;
    store = fresh.store();
  }

  TestNode worker(String name) {
    return new TestNode(store, name);
  }

  EmailStateFixture driver() {
    return new EmailStateFixture(store);
  }

  void advance(Duration time) {
    fixture.advance(time);
  }

  /** Stores an email that is certain to be new. */
  EmailId stored(SampleEmail sample) {
    List<InsertResult> results = store.insert(List.of(sample.build()));
    assertThat(results)
        .as("results of one insert")
        .singleElement()
        .extracting(InsertResult::status)
        .isEqualTo(InsertResult.Status.CREATED);
    return results.get(0).id();
  }

  /** Stores several plain emails in one call. */
  List<EmailId> storedPlain(int count) {
    List<InsertResult> results =
        store.insert(
            Stream.generate(SampleEmail::email).limit(count).map(SampleEmail::build).toList());
    return results.stream().map(InsertResult::id).toList();
  }

  InsertResult insert(SampleEmail sample) {
    List<InsertResult> results = store.insert(List.of(sample.build()));
    assertThat(results).as("results of one insert").hasSize(1);
    return results.get(0);
  }

  ActionResult move(OperatorAction move, EmailId id) {
    List<ActionResult> results = store.apply(move, List.of(id));
    assertThat(results).as("results of one %s", move).hasSize(1);
    return results.get(0);
  }

  StoredEmail found(EmailId id) {
    return store.find(id).orElseThrow(() -> new AssertionError("not found: " + id));
  }

  EmailSummary summary(EmailId id) {
    return found(id).summary();
  }

  @Nullable StoredContent content(EmailId id) {
    return found(id).content();
  }

  HistoryRecord lastRow(EmailId id) {
    List<HistoryRecord> rows = store.history(id);
    assertThat(rows).as("history of %s", id).isNotEmpty();
    return rows.get(rows.size() - 1);
  }

  /** Returns every stored email, waiting or in the log. */
  List<EmailSummary> everything() {
    return store.query(EmailQuery.all(), null, ALL).emails();
  }

  /** Returns the emails that were stored last, waiting or in the log. */
  List<EmailSummary> newest(int count) {
    return store.query(EmailQuery.all(), null, count).emails();
  }

  /** Returns the emails with a label, waiting or in the log. */
  List<EmailSummary> tagged(String tag) {
    return store.query(EmailQuery.all().tag(tag), null, ALL).emails();
  }

  /** Asks the store for its time, by storing an email that is due in another century. */
  Instant now() {
    return summary(stored(SampleEmail.email().sendAt(FAR_AWAY))).timeline().created();
  }

  /** Returns how much later the second of two times is. */
  static Duration between(@Nullable Instant earlier, @Nullable Instant later) {
    assertThat(earlier).as("the earlier time").isNotNull();
    assertThat(later).as("the later time").isNotNull();
    return Duration.between(earlier, later);
  }
}
