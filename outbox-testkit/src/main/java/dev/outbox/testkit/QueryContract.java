package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Finding emails by each criterion, waiting or in the log. */
abstract class QueryContract extends StoreContract {

  @Test
  void emailsAreFoundByState() {
    EmailId sent = sent(email());
    EmailId invalid = driver().to(State.INVALID, email()).id();
    EmailId accepted = stored(email());

    assertFound(EmailQuery.all(), accepted, invalid, sent);
    assertFound(EmailQuery.all().states(State.ACCEPTED), accepted);
    assertFound(EmailQuery.all().states(State.SENT, State.INVALID), invalid, sent);
    assertFound(EmailQuery.all().states(State.FAILED));
  }

  @Test
  void emailsAreFoundByCode() {
    EmailId refused = failed(FailureCode.REFUSED);
    EmailId expired = failed(FailureCode.EXPIRED);
    EmailId cancelled = stored(email());
    move(OperatorAction.CANCEL, cancelled);
    sent(email());

    assertFound(EmailQuery.all().codes(FailureCode.EXPIRED), expired);
    assertFound(
        EmailQuery.all().codes(FailureCode.CANCELLED, FailureCode.REFUSED), cancelled, refused);
    assertFound(EmailQuery.all().codes(FailureCode.WORKER_DIED));
  }

  @Test
  void emailsAreFoundByAnyRecipientInAnyCase() {
    EmailId to = sent(email().to("Ada <Ada.Byron@Example.com>", "grace@example.com"));
    EmailId cc = stored(email().to("x@example.com").cc("ada.byron@example.com"));
    EmailId bcc =
        stored(email().to("x@example.com").bcc("alan@example.com", "ADA.BYRON@example.com"));
    stored(email().to("ada.byron@example.org"));
    stored(email().to("xada.byron@example.com", "ada.byron@example.com.au"));

    assertFound(EmailQuery.all().recipient("ada.BYRON@EXAMPLE.com"), bcc, cc, to);
    assertFound(EmailQuery.all().recipient("Anybody <alan@example.com>"), bcc);
    assertFound(EmailQuery.all().recipient("nobody@example.com"));
  }

  @Test
  void wildcardsInARecipientAreOrdinaryLetters() {
    EmailId percent = stored(email().to("a%a@example.com"));
    EmailId underscore = stored(email().to("a_a@example.com"));
    stored(email().to("aXa@example.com"));

    assertFound(EmailQuery.all().recipient("a%a@example.com"), percent);
    assertFound(EmailQuery.all().recipient("a_a@example.com"), underscore);
  }

  @Test
  void theSenderIsNoRecipient() {
    stored(email());

    assertFound(EmailQuery.all().recipient(SampleEmail.SENDER));
  }

  @Test
  void emailsAreFoundByTemplateAndTagExactly() {
    EmailId lower = sent(email().template("welcome").tags("vip", "orders"));
    EmailId upper = stored(email().template("Welcome").tags("VIP"));
    EmailId accent = stored(email().template("welc\u00f6me").tags("v\u00efp"));
    stored(email().template(null));

    assertFound(EmailQuery.all().template("welcome"), lower);
    assertFound(EmailQuery.all().template("Welcome"), upper);
    assertFound(EmailQuery.all().template("welc\u00f6me"), accent);
    assertFound(EmailQuery.all().template("welc%"));
    assertFound(EmailQuery.all().tag("vip"), lower);
    assertFound(EmailQuery.all().tag("VIP"), upper);
    assertFound(EmailQuery.all().tag("v\u00efp"), accent);
    assertFound(EmailQuery.all().tag("orders"), lower);
    assertFound(EmailQuery.all().tag("vip orders"));
    assertFound(EmailQuery.all().tag("v_p"));
  }

  @Test
  void emailsAreFoundByWhenTheyWereStored() {
    EmailId first = sent(email());
    advance(HOUR);
    EmailId second = stored(email());
    advance(HOUR);
    EmailId third = stored(email());
    Instant secondStored = summary(second).timeline().created();

    assertFound(EmailQuery.all().createdSince(secondStored), third, second);
    assertFound(EmailQuery.all().createdBefore(secondStored), first);
    assertFound(EmailQuery.all().createdSince(secondStored.plusSeconds(60)), third);
    assertFound(
        EmailQuery.all()
            .createdSince(secondStored.minus(HOUR.multipliedBy(2)))
            .createdBefore(secondStored.plusSeconds(60)),
        second,
        first);
  }

  @Test
  void allCriteriaHaveToHold() {
    EmailId wanted = sent(email().to("ada@example.com").template("welcome").tags("vip"));
    sent(email().to("ada@example.com").template("welcome"));
    sent(email().to("ada@example.com").template("goodbye").tags("vip"));
    sent(email().to("grace@example.com").template("welcome").tags("vip"));
    stored(email().to("ada@example.com").template("welcome").tags("vip"));

    assertFound(
        EmailQuery.all()
            .states(State.SENT)
            .recipient("ada@example.com")
            .template("welcome")
            .tag("vip"),
        wanted);
  }

  @Test
  void aListedEmailIsTheOneThatIsFound() {
    EmailId archived = sent(email().callback().tags("a", "b").requestId("r"));
    EmailId failed = failed(FailureCode.REFUSED);
    stored(email().callback());
    Claim held = worker("one").claimOnly(State.ACCEPTED);

    assertThat(everything())
        .as("emails as they are listed, compared with what find says")
        .containsExactly(summary(held.id()), summary(failed), summary(archived));
  }

  private EmailId sent(SampleEmail sample) {
    EmailId id = stored(sample);
    TestNode worker = worker("one");
    List<Claim> claims =
        worker.claim(State.ACCEPTED).stream().filter(claim -> claim.id().equals(id)).toList();
    Claim wired = worker.proceed(claims.get(0));
    worker.applied(Completion.sent(wired, OutcomeDetails.NONE.response("250 ok"), false));
    return id;
  }

  private EmailId failed(FailureCode code) {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    worker.applied(Completion.failed(worker.onTheWire(), code, OutcomeDetails.of("why"), null));
    return id;
  }

  private void assertFound(EmailQuery query, EmailId... newestFirst) {
    List<EmailSummary> found = store.query(query, null, ALL).emails();
    assertThat(found)
        .as("found by %s", query)
        .extracting(EmailSummary::id)
        .containsExactly(newestFirst);
    assertThat(Stream.of(newestFirst).map(this::summary))
        .as("found, and matching %s", query)
        .allMatch(query::matches);
  }
}
