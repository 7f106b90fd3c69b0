package com.example.shop;

import dev.outbox.Enqueuer;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/** Sends one email for each event, in the phase that the event names. */
class OrderListener {

  record BeforeCommit() {}

  record AfterCommit() {}

  record AfterRollback() {}

  record AfterCompletion() {}

  record InNewTransaction() {}

  private final Enqueuer mail;

  OrderListener(Enqueuer mail) {
    this.mail = mail;
  }

  @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
  void on(BeforeCommit event) {
    mail.send(Shop.email());
  }

  @TransactionalEventListener
  void on(AfterCommit event) {
    mail.send(Shop.email());
  }

  @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
  void on(AfterRollback event) {
    mail.send(Shop.email());
  }

  @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
  void on(AfterCompletion event) {
    mail.send(Shop.email());
  }

  @TransactionalEventListener
  @Transactional(propagation = Propagation.REQUIRES_NEW)
  public void on(InNewTransaction event) {
    mail.send(Shop.email());
  }
}
