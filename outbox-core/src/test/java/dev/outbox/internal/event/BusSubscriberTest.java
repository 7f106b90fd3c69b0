package dev.outbox.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.eventbus.EventBus;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.Receipt;
import dev.outbox.event.SendEmail;
import org.junit.jupiter.api.Test;

class BusSubscriberTest {

  private final EventBus bus = new EventBus();
  private final BusSubscriber busSubscriber =
      new BusSubscriber(bus, email -> new Receipt(EmailId.next(), true), () -> {});
  private final SendEmail request =
      new SendEmail(Email.to("ada@example.com").subject("s").text("t").build());

  @Test
  void anOpenPortTakesARequestOnce() {
    busSubscriber.open();

    assertThat(busSubscriber.takes(request)).isTrue();
    assertThat(busSubscriber.takes(request)).isFalse();
  }

  @Test
  void aClosedPortTakesNothing() {
    busSubscriber.open();
    busSubscriber.close();

    assertThat(busSubscriber.takes(request)).isFalse();
    assertThat(request.take()).as("left to another").isTrue();
  }

  @Test
  void aBusHasOneSubscriberToRequestsHoweverManyPortsThereAre() {
    assertThat(SendRequestRouter.on(bus)).isSameAs(SendRequestRouter.on(bus));
    assertThat(SendRequestRouter.on(new EventBus())).isNotSameAs(SendRequestRouter.on(bus));
  }
}
