package dev.outbox.verification.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.State;
import dev.outbox.verification.chaos.FailedSends.FailedSend;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The oracle notices what interrupts and poison emails must not cause. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SenderOracleTest {

  private static final String ID = "0190a1b2-0000-7000-8000-000000000001";
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final List<EmailFacts> emails = new ArrayList<>();
  private final List<Reception> received = new ArrayList<>();
  private final List<Happening> faults = new ArrayList<>();
  private final List<FailedSend> failedSends = new ArrayList<>();

  @TempDir Path folder;

  @Test
  void aSendThatFailsInAThreadThatWasNotInterruptedIsNoticed() throws IOException {
    failedSends.add(failed(false, "UNAVAILABLE"));

    assertThat(new SendFailures().broken(evidence())).hasSize(1);

    faults.add(new Happening(FaultKind.INTERRUPT_SENDERS, "p0-0", NOON, NOON.plusSeconds(9)));
    faults.add(new Happening(FaultKind.CUT_NODE, "p1-0", NOON, NOON.plusSeconds(9)));
    assertThat(new SendFailures().broken(evidence())).as("another node's outage").hasSize(1);
    faults.add(new Happening(FaultKind.CUT_NODE, "p0-0", NOON, NOON.plusSeconds(1)));
    assertThat(new SendFailures().broken(evidence())).as("its own outage").isEmpty();
  }

  @Test
  void anInterruptedSendMayFailIfItsErrorSaysSo() throws IOException {
    failedSends.add(failed(true, "INTERRUPTED"));

    assertThat(new SendFailures().broken(evidence())).isEmpty();

    failedSends.add(failed(true, "UNAVAILABLE"));
    assertThat(new SendFailures().broken(evidence())).hasSize(1);
  }

  @Test
  void aNoteOfAFailedSendIsReadAsItWasWritten() {
    FailedSends sends = new FailedSends();
    sends.add("p0-0", FailedSends.note(1_500, true, "INTERRUPTED"));

    FailedSend read = sends.seen().get(0);
    assertThat(Duration.between(read.from(), read.to())).isEqualTo(Duration.ofMillis(1_500));
    assertThat(read.interrupted()).isTrue();
    assertThat(read.cause()).isEqualTo("INTERRUPTED");
    assertThat(read.node()).isEqualTo("p0-0");
  }

  @Test
  void onlyTheCallsOfAnInterruptedThreadCountAsInterrupted() throws InterruptedException {
    Interrupter interrupter = new Interrupter();
    assertThat(interrupter.isInterrupted(interrupter.begin())).as("another thread").isFalse();
    interrupter.add(Thread.currentThread());
    long before = interrupter.begin();
    Thread other = new Thread(() -> interrupter.interruptOne(new Random(1)));
    other.start();
    assertThat(joined(other)).as("interrupted while it waited").isFalse();

    assertThat(interrupter.isInterrupted(before)).as("during the call").isTrue();
    assertThat(interrupter.isInterrupted(interrupter.begin())).as("a later call").isFalse();
    Thread.currentThread().interrupt();
    long pending = interrupter.begin();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(interrupter.isInterrupted(pending)).as("before the call").isTrue();
  }

  private static boolean joined(Thread other) {
    try {
      other.join();
      return !Thread.interrupted();
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Test
  void anEmailWithATextThatIsTooLongMustBeInvalidAndNotDelivered() throws IOException {
    journal("ASKING RESEND bad", "POISON RESEND bad SUBJECT_RENDERED");
    emails.add(facts("bad", State.INVALID));
    assertThat(new PoisonEmails().broken(evidence())).isEmpty();

    received.add(reception(ID, 0));
    assertThat(new PoisonEmails().broken(evidence())).singleElement().asString().contains("1 time");

    emails.set(0, facts("bad", State.SENT));
    assertThat(new PoisonEmails().broken(evidence())).hasSize(2);
  }

  @Test
  void aRejectionMustNameItsFieldAndStoreNothing() throws IOException {
    journal("POISON RESEND bad SENDER", "REJECTED RESEND bad SENDER from");
    assertThat(new PoisonEmails().broken(evidence())).isEmpty();

    emails.add(facts("bad", State.INVALID));
    assertThat(new PoisonEmails().broken(evidence())).singleElement().asString().contains("stored");

    emails.clear();
    journal("POISON RESEND bad SENDER", "REJECTED RESEND bad SENDER subject");
    assertThat(new PoisonEmails().broken(evidence())).singleElement().asString().contains("field");
  }

  @Test
  void longestValuesMustNotBeRejected() throws IOException {
    journal("POISON RESEND good LONGEST_VALUES", "REJECTED RESEND good LONGEST_VALUES from");

    assertThat(new PoisonEmails().broken(evidence())).hasSize(1);
  }

  @Test
  void everyPoisonIsRejectedByTheBuilderOrBuilt() {
    URI callback = URI.create("http://127.0.0.1:80/told");
    for (Poison kind : Poison.values()) {
      try {
        assertThat(kind.email("name", callback)).isNotNull();
      } catch (InvalidEmailException e) {
        assertThat(kind.isNamedBy(e.field())).as("%s: %s", kind, e.field()).isTrue();
      }
    }
  }

  @Test
  void aMinuteWithoutADeliveryIsNoticed() throws IOException {
    received.add(reception(ID, 0));
    received.add(reception(ID, 59));
    faults.add(new Happening(FaultKind.POISON_EMAIL, "p0-0", NOON, NOON.plusSeconds(100)));
    assertThat(new Progress(2).broken(evidence())).isEmpty();

    faults.add(new Happening(FaultKind.POISON_EMAIL, "p0-0", NOON, NOON.plusSeconds(120)));
    assertThat(new Progress(2).broken(evidence())).hasSize(1);
    received.add(reception(ID, 90));
    assertThat(new Progress(2).broken(evidence())).isEmpty();
  }

  @Test
  void moreSecondDeliveriesAfterAKillThanResultsMayBeUnrecordedAreNoticed() throws IOException {
    faults.add(new Happening(FaultKind.KILL_WORKER, "w0-0", NOON, NOON.plusSeconds(1)));
    for (int i = 0; i < DuplicateWindow.MOST; i++) {
      received.add(reception("id-" + i, 0));
      received.add(reception("id-" + i, 9));
    }
    assertThat(new DuplicateWindow().broken(evidence())).isEmpty();

    received.add(reception("one more", 0));
    received.add(reception("one more", 9));
    assertThat(new DuplicateWindow().broken(evidence())).hasSize(1);
  }

  private void journal(String... lines) throws IOException {
    Files.write(
        Files.createDirectories(folder.resolve("journals")).resolve("p0-0"), List.of(lines));
  }

  private Evidence evidence() throws IOException {
    Path journals = Files.createDirectories(folder.resolve("journals"));
    return new Evidence(
        StoreKind.MARIADB.times(),
        Map.of(Line.RESEND, new Tables(emails, Map.of(), Map.of())),
        Map.of(Line.RESEND, JournalRecord.read(journals, Line.RESEND)),
        received,
        List.of(),
        faults,
        List.of(),
        failedSends,
        Set.of(),
        folder,
        List.of(),
        List.of());
  }

  private static FailedSend failed(boolean interrupted, String cause) {
    return new FailedSend("p0-0", NOON.plusSeconds(2), NOON.plusSeconds(3), interrupted, cause);
  }

  private static Reception reception(String id, int second) {
    return new Reception(id, "somebody", "w0-0", NOON.plusSeconds(second), null);
  }

  private static EmailFacts facts(String name, State state) {
    return new EmailFacts(
        ID,
        state == State.SENT,
        state,
        null,
        new EmailFacts.Counters(0, 0, 0, 0),
        false,
        Request.recipient(name, Request.Fate.TAKEN),
        null,
        false,
        null,
        null);
  }
}
