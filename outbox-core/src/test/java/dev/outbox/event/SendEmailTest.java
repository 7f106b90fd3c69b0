package dev.outbox.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.eventbus.EventBus;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.Receipt;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class SendEmailTest {

  private static final Email EMAIL = Email.to("ada@example.com").subject("s").text("t").build();

  @Test
  void onlyTheFirstTakesIt() {
    SendEmail request = new SendEmail(EMAIL);

    assertThat(request.take()).isTrue();
    assertThat(request.take()).isFalse();
  }

  @Test
  void onABusWithoutAnOutboxTheReceiptFailsAndTheRequestCannotBeTakenLater() {
    SendEmail request = new SendEmail(EMAIL, Duration.ofMillis(50));
    new EventBus().post(request);

    assertThatThrownBy(() -> request.receipt().toCompletableFuture().get(10, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no outbox");
    assertThat(request.take()).isFalse();
  }

  @Test
  void anEmailThatIsStoredSlowlyIsNotRefused() throws Exception {
    SendEmail request = new SendEmail(EMAIL, Duration.ofMillis(50));
    CompletableFuture<Receipt> answer = request.receipt().toCompletableFuture();
    assertThat(request.take()).isTrue();
    assertThatThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);

    Receipt stored = new Receipt(EmailId.next(), true);
    request.accept(stored);

    assertThat(answer.get(1, TimeUnit.SECONDS)).isEqualTo(stored);
  }

  @Test
  void aRequestWhoseReceiptIsNotAskedForCanBeTakenAtAnyTime() {
    SendEmail request = new SendEmail(EMAIL, Duration.ZERO);

    assertThat(request.take()).isTrue();
  }
}
