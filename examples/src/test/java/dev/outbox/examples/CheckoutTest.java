package dev.outbox.examples;

import dev.outbox.testkit.TestOutbox;
import org.junit.jupiter.api.Test;

class CheckoutTest {

  @Test
  void payingSendsAConfirmation() {
    Checkout.Order order = new Checkout.Order(42, "ada@example.com");

    TestOutbox mail = TestOutbox.create();
    new Checkout(mail.outbox()).pay(order);
    mail.assertSent().to("ada@example.com").subject("Order 42").textContains("42");
  }
}
