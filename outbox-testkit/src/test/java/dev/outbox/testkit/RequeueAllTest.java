package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.State;
import dev.outbox.settings.LeaseSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requeueing by a query reads only emails that can be requeued. */
class RequeueAllTest {

  private final HookedStore store = new HookedStore(new InMemoryStore());
  private final RecordingTransport transport = new RecordingTransport();
  private final Outbox outbox =
      Outbox.builder(store.store())
          .transport(transport)
          .defaultFrom("shop@example.com")
          .lease(new LeaseSettings(Duration.ofSeconds(2), Duration.ofMinutes(5)))
          .build();

  @Test
  void requeueingAllDoesNotReadTheLog() {
    transport.answerNext(RecordingTransport::refuse);
    outbox.sendAll(Mails.many(1_201));
    outbox.processDue();

    assertThat(outbox.requeueAll(EmailQuery.all())).isEqualTo(1);

    List<List<?>> queries = store.callsOf("query");
    assertThat(queries).as("pages").hasSize(1);
    assertThat(((EmailQuery) queries.get(0).get(0)).states())
        .isNotEmpty()
        .allMatch(state -> state.stateAfterRequeue(false).isPresent());
  }

  @Test
  void statesOfTheQueryThatCannotBeRequeuedAreLeftOut() {
    transport.answerNext(RecordingTransport::refuse);
    outbox.sendAll(Mails.many(2));
    outbox.processDue();

    assertThat(outbox.requeueAll(EmailQuery.all().states(State.FAILED, State.SENT))).isEqualTo(1);

    assertThat(((EmailQuery) store.callsOf("query").get(0).get(0)).states())
        .containsExactly(State.FAILED);
  }

  @Test
  void aQueryForStatesThatCannotBeRequeuedReadsNothing() {
    outbox.sendAll(Mails.many(2));

    assertThat(outbox.requeueAll(EmailQuery.all().states(State.SENT, State.ACCEPTED))).isZero();

    assertThat(store.callsOf("query")).isEmpty();
  }
}
