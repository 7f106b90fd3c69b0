package dev.outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.eventbus.EventBus;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.Receipt;
import dev.outbox.event.SendEmail;
import org.junit.jupiter.api.Test;

class BusPortTest {

  private final EventBus bus = new EventBus();
  private final BusPort port =
      new BusPort(bus, email -> new Receipt(EmailId.next(), true), () -> {});
  private final SendEmail request =
      new SendEmail(Email.to("ada@example.com").subject("s").text("t").build());

  @Test
  void anOpenPortTakesARequestOnce() {
    port.open();

    assertThat(port.takes(request)).isTrue();
    assertThat(port.takes(request)).isFalse();
  }

  @Test
  void aClosedPortTakesNothing() {
    port.open();
    port.close();

    assertThat(port.takes(request)).isFalse();
    assertThat(request.take()).as("left to another").isTrue();
  }

  @Test
  void aBusHasOneSubscriberToRequestsHoweverManyPortsThereAre() {
    assertThat(BusRequests.on(bus)).isSameAs(BusRequests.on(bus));
    assertThat(BusRequests.on(new EventBus())).isNotSameAs(BusRequests.on(bus));
  }
}
