package com.example.shop;

import dev.outbox.testkit.RecordingTransport;
import dev.outbox.testkit.TestOutbox;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CheckoutTest {

  private final Checkout.Order order = new Checkout.Order(42, "ada@example.com");

  @Test
  void payingSendsAConfirmation() {
    TestOutbox mail = TestOutbox.create();
    new Checkout(mail.outbox()).pay(order);
    mail.assertSent().to("ada@example.com").subject("Order 42").textContains("42");
  }

  @Test
  void payingTwiceSendsOne() {
    TestOutbox mail = TestOutbox.create();
    new Checkout(mail.outbox()).pay(order);
    new Checkout(mail.outbox()).pay(order);
    mail.assertSent().count(1);
  }

  @Test
  void aRelayThatSaysLaterGetsItAgain() {
    TestOutbox mail = TestOutbox.create();
    mail.transport().answerNext(RecordingTransport::defer);
    new Checkout(mail.outbox()).pay(order);
    mail.assertNothingSent();

    mail.advance(Duration.ofMinutes(1)); // nothing sleeps: time is the test's
    mail.assertSent().count(1);
  }
}
