package dev.outbox.verification.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The oracle sees what it is there for: one made-up run for each broken promise. */
class OracleTest {

  private static final String ID = "0190a1b2-0000-7000-8000-000000000001";
  private static final String OTHER = "0190a1b2-0000-7000-8000-000000000002";
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final List<EmailFacts> emails = new ArrayList<>();
  private final Map<String, List<HistoryStep>> history = new HashMap<>();
  private final Map<String, String> keys = new HashMap<>();
  private final List<Reception> received = new ArrayList<>();
  private final List<FaultyReceiver.Call> calls = new ArrayList<>();
  private final List<Happening> faults = new ArrayList<>();

  private Line line = Line.RESEND;

  @TempDir Path folder;

  @Test
  void aQuietRunBreaksNothing() throws IOException {
    journal("ASKING RESEND one", "ACCEPTED RESEND one " + ID + " true -");
    emails.add(sent(ID, "one"));
    received.add(reception(ID, "w0-0", 0, null));

    assertThat(new FinalPlaces().broken(evidence())).isEmpty();
    assertThat(new Receptions().broken(evidence())).isEmpty();
    assertThat(new Histories().broken(evidence())).isEmpty();
    assertThat(new KeysOnce().broken(evidence())).isEmpty();
  }

  @Test
  void anAcceptedEmailThatIsNowhereIsLost() throws IOException {
    journal("ACCEPTED RESEND one " + ID + " true -");

    assertThat(new FinalPlaces().broken(evidence())).singleElement().asString().contains("lost");
  }

  @Test
  void anEmailInBothTablesIsNoticed() throws IOException {
    journal("ASKING RESEND one");
    emails.add(sent(ID, "one"));
    emails.add(facts(ID, "one", false, State.FAILED, "REFUSED", null));

    assertThat(new FinalPlaces().broken(evidence())).anyMatch(each -> each.contains("both tables"));
  }

  @Test
  void whatWasRolledBackMustNotBeThere() throws IOException {
    journal("ASKING RESEND one", "ROLLED_BACK RESEND one " + ID);
    emails.add(sent(ID, "one"));

    assertThat(new FinalPlaces().broken(evidence())).anyMatch(each -> each.contains("rolled back"));
  }

  @Test
  void twoEmailsFromOneRequestAreNoticed() throws IOException {
    journal("ASKING RESEND one");
    emails.add(sent(ID, "one"));
    emails.add(sent(OTHER, "one"));

    assertThat(new FinalPlaces().broken(evidence())).anyMatch(each -> each.contains("one request"));
  }

  @Test
  void aSecondDeliveryNeedsAnExcuse() throws IOException {
    emails.add(sent(ID, "one"));
    history.put(ID, List.of(step(State.PROCESSING, State.ACCEPTED, "w0-0", 1)));
    received.add(reception(ID, "w0-0", 0, null));
    received.add(reception(ID, "w1-0", 9, null));

    assertThat(new Receptions().broken(evidence())).singleElement().asString().contains("twice");

    faults.add(new Happening(FaultKind.KILL_WORKER, "w1-0", NOON, NOON.plusSeconds(1)));
    assertThat(new Receptions().broken(evidence())).as("another's death").hasSize(1);
    faults.add(new Happening(FaultKind.KILL_WORKER, "w0-0", NOON, NOON.plusSeconds(1)));
    assertThat(new Receptions().broken(evidence())).as("its own").isEmpty();
  }

  @Test
  void underHoldOnlyAnOperatorMakesASecondDelivery() throws IOException {
    line = Line.HOLD;
    emails.add(sent(ID, "one"));
    received.add(reception(ID, "w0-0", 0, "DROP"));
    received.add(reception(ID, "w0-0", 9, null));
    faults.add(new Happening(FaultKind.KILL_WORKER, "w0-0", NOON, NOON.plusSeconds(1)));

    assertThat(new Receptions().broken(evidence())).singleElement().asString().contains("HOLD");

    history.put(ID, List.of(new HistoryStep(State.FAILED, State.ACCEPTED, NOON, null, "requeued")));
    assertThat(new Receptions().broken(evidence())).isEmpty();
  }

  @Test
  void aSecondDeliveryThatTheHistoryDoesNotKnowIsSilent() throws IOException {
    emails.add(sent(ID, "one"));
    received.add(reception(ID, "w0-0", 0, "DROP"));
    received.add(reception(ID, "w1-0", 9, null));

    assertThat(new Receptions().broken(evidence())).singleElement().asString().contains("history");
  }

  @Test
  void aSentEmailThatNobodyReceivedIsNoticed() throws IOException {
    emails.add(sent(ID, "one"));

    assertThat(new Receptions().broken(evidence())).singleElement().asString().contains("never");
  }

  @Test
  void aKeyWithTwoEmailsIsNoticed() throws IOException {
    journal("ACCEPTED RESEND k " + ID + " true key", "ACCEPTED RESEND k " + OTHER + " true key");

    assertThat(new KeysOnce().broken(evidence())).hasSize(2);
  }

  @Test
  void aStepThatIsNoArrowIsNoticed() throws IOException {
    emails.add(sent(ID, "one"));
    history.put(ID, List.of(step(State.SENT, State.READY, "w0-0", 1)));

    assertThat(new Histories().broken(evidence())).anyMatch(each -> each.contains("cannot be"));
  }

  @Test
  void emailsTakenFromALivingNodeAreNoticed() throws IOException {
    history.put(ID, List.of(step(State.PROCESSING, State.ACCEPTED, "w0-0", 5)));

    assertThat(new Reaps().broken(evidence())).hasSize(1);

    faults.add(new Happening(FaultKind.KILL_WORKER, "w0-0", NOON, NOON));
    assertThat(new Reaps().broken(evidence())).isEmpty();
  }

  @Test
  void aCancelledEmailThatWasSentIsNoticed() throws IOException {
    journal("CANCELLED RESEND " + ID);
    emails.add(sent(ID, "one"));

    assertThat(new ManualMoves().broken(evidence())).hasSize(1);
  }

  @Test
  void anErasedEmailWithASubjectIsNoticed() throws IOException {
    journal("ERASED RESEND " + ID);
    emails.add(sent(ID, "one"));

    assertThat(new ManualMoves().broken(evidence())).hasSize(1);
  }

  @Test
  void anAcknowledgementThatNobodyGaveIsNoticed() throws IOException {
    emails.add(facts(ID, "one", true, State.SENT_ACKNOWLEDGED, null, "http://127.0.0.1/told"));

    assertThat(new Callbacks().broken(evidence())).hasSize(1);

    calls.add(new FaultyReceiver.Call(ID + "-SENT-0", "{}", true));
    assertThat(new Callbacks().broken(evidence())).isEmpty();
  }

  @Test
  void aReceiverThatIsToldTwoThingsUnderOneKeyIsNoticed() throws IOException {
    calls.add(new FaultyReceiver.Call(ID + "-SENT-0", "{\"a\":1}", false));
    calls.add(new FaultyReceiver.Call(ID + "-SENT-0", "{\"a\":2}", true));

    assertThat(new Callbacks().broken(evidence())).hasSize(1);

    journal("ERASING RESEND " + ID);
    assertThat(new Callbacks().broken(evidence())).as("erased between the two").isEmpty();
  }

  @Test
  void anAddressInALogIsNoticed() throws IOException {
    Files.writeString(
        Files.createDirectories(folder.resolve("logs")).resolve("w0-0.log"),
        "sent to " + Request.recipient("one", Request.Fate.TAKEN).toUpperCase(Locale.ROOT));

    assertThat(new QuietLogs().broken(evidence())).hasSize(1);
  }

  private void journal(String... lines) throws IOException {
    Files.write(
        Files.createDirectories(folder.resolve("journals")).resolve("p0-0"), List.of(lines));
  }

  private Evidence evidence() throws IOException {
    Path journals = Files.createDirectories(folder.resolve("journals"));
    return new Evidence(
        StoreKind.MARIADB.times(),
        Map.of(line, new Tables(emails, history, keys)),
        Map.of(line, JournalRecord.read(journals, line)),
        received,
        calls,
        faults,
        List.of(),
        List.of(),
        Set.of(),
        Files.createDirectories(folder.resolve("logs")),
        List.of(),
        List.of());
  }

  private static EmailFacts sent(String id, String name) {
    return facts(id, name, true, State.SENT, null, null);
  }

  private static EmailFacts facts(
      String id,
      String name,
      boolean archived,
      State state,
      @Nullable String code,
      @Nullable String callback) {
    return new EmailFacts(
        id,
        archived,
        state,
        code,
        new EmailFacts.Counters(0, 0, 0, 0),
        false,
        Request.recipient(name, Request.Fate.TAKEN),
        "subject",
        false,
        callback,
        null);
  }

  private static Reception reception(String id, String node, int second, @Nullable String fault) {
    return new Reception(id, "somebody", node, NOON.plusSeconds(second), fault);
  }

  private static HistoryStep step(State from, State to, String node, int second) {
    return new HistoryStep(
        from, to, NOON.plusSeconds(second), node + "~0123456789abcdef", "its node died");
  }
}
