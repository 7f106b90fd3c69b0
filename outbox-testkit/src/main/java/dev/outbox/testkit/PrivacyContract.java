package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.FailureCode;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever a store returns can be logged as it is. */
abstract class PrivacyContract extends StoreContract {

  @Test
  void nothingPersonalIsInTheTextOfWhatAStoreReturns() {
    NewEmail email =
        email()
            .to("Secret Name <secret@private.example>")
            .subject("secret subject")
            .key("secret key")
            .payload(Bytes.utf8("secret payload"))
            .callback()
            .build();
    EmailId id = email.id();
    List<Object> returned = new ArrayList<>(store.insert(List.of(email)));
    TestNode worker = worker("one");
    Claim claim = worker.onTheWireComposed();
    returned.add(claim);
    returned.addAll(store.claimsOf(worker.node(), ALL));
    returned.addAll(
        store.complete(
            List.of(
                Completion.failed(
                    claim,
                    FailureCode.REFUSED,
                    OutcomeDetails.of("secret reason")
                        .response("secret response")
                        .recipients(
                            List.of(
                                new RecipientResult(
                                    "secret@private.example",
                                    RecipientResult.Status.REFUSED,
                                    "secret reply"))),
                    Bytes.utf8("secret message")))));
    returned.add(found(id));
    returned.add(summary(id));
    returned.addAll(store.history(id));
    returned.add(store.query(EmailQuery.all(), null, ALL));
    returned.add(worker.claimOnly(State.FAILED));
    returned.addAll(worker.die());
    returned.add(store.stats());
    returned.addAll(store.apply(OperatorAction.REQUEUE, List.of(id)));

    assertThat(returned)
        .extracting(Object::toString)
        .allSatisfy(
            text ->
                assertThat(text.toLowerCase(java.util.Locale.ROOT))
                    .doesNotContain("secret", "private.example"));
  }
}
