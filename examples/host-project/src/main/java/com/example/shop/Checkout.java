package com.example.shop;

import dev.outbox.Enqueuer;
import dev.outbox.email.Email;

/** Host code as it should be: it depends on the one small interface. */
final class Checkout {

  private final Enqueuer mail;

  Checkout(Enqueuer mail) {
    this.mail = mail;
  }

  void pay(Order order) {
    mail.send(
        Email.to(order.customer())
            .template("order-confirmed", order)
            .idempotencyKey("order-" + order.id() + "-confirmed")
            .build());
  }

  /** What was bought by whom. */
  record Order(int id, String customer) {}
}
