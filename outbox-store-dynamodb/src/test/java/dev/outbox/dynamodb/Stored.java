package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutcomeDetails;
import java.util.List;

/** Brings emails to where a test wants them; nothing else may be waiting meanwhile. */
record Stored(DynamoDbStore store, NodeId node) {

  Stored(DynamoDbStore store) {
    this(store, NodeId.incarnate("one"));
  }

  EmailId waiting(NewEmail email) {
    store.insert(List.of(email));
    return email.id();
  }

  EmailId sent(NewEmail email) {
    waiting(email);
    store.complete(List.of(Completion.sent(onTheWire(), OutcomeDetails.NONE, false)));
    return email.id();
  }

  EmailId failed(NewEmail email) {
    waiting(email);
    store.complete(
        List.of(
            Completion.failed(onTheWire(), FailureCode.REFUSED, OutcomeDetails.of("no"), null)));
    return email.id();
  }

  Claim claimed() {
    return store.claim(Mail.claim(node, State.ACCEPTED, 1)).get(0);
  }

  Claim onTheWire() {
    return store.beginDelivery(List.of(claimed())).get(0);
  }
}
