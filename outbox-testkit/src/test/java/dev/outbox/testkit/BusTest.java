package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.eventbus.AsyncEventBus;
import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.Receipt;
import dev.outbox.event.OutboxEvent;
import dev.outbox.event.SendEmail;
import dev.outbox.store.StoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BusTest {

  private final EventBus bus = new EventBus();
  private final TestOutbox mail =
      TestOutbox.with(builder -> Mails.templates(builder).eventBus(bus));
  private final Outbox outbox = mail.outbox();

  @Test
  void anEmailPostedOnTheBusIsStoredBeforeItsReceiptIsThere() {
    SendEmail request = new SendEmail(Mails.plain());
    CompletableFuture<Boolean> storedByThen =
        request
            .receipt()
            .thenApply(receipt -> outbox.find(receipt.id()).isPresent())
            .toCompletableFuture();

    bus.post(request);

    assertThat(storedByThen).isCompletedWithValue(true);
    assertThat(receipt(request).created()).isTrue();
    mail.assertSent().count(1);
  }

  @Test
  void aRequestRepeatedOnTheBusGetsTheFirstReceipt() {
    Email email = Mails.to("ada@example.com").idempotencyKey("k").build();
    SendEmail first = new SendEmail(email);
    SendEmail second = new SendEmail(email);

    bus.post(first);
    bus.post(second);

    assertThat(receipt(second)).isEqualTo(new Receipt(receipt(first).id(), false));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whenTheStoreFailsTheReceiptFailsAndNothingIsStored(Throwable failure) {
    InMemoryStore store = new InMemoryStore();
    StoreGate gate = new StoreGate(store);
    gate.fail("insert", () -> failure);
    EventBus hosts = new EventBus();
    EventLog events = EventLog.on(hosts);
    try (Outbox failing =
        Outbox.builder(gate.store()).defaultFrom("a@example.com").eventBus(hosts).build()) {
      SendEmail request = new SendEmail(Mails.plain());
      hosts.post(request);

      assertThatThrownBy(() -> request.receipt().toCompletableFuture().get(1, TimeUnit.SECONDS))
          .cause()
          .isSameAs(failure);
      assertThat(failing.query(EmailQuery.all(), null, 1).emails()).isEmpty();
      assertThat(events.all()).isEmpty();
    }
  }

  static Stream<Throwable> failures() {
    return Stream.of(
        new StoreException(StoreException.Reason.UNAVAILABLE, "gone", null),
        new IllegalStateException("a defect"),
        new StackOverflowError(),
        new AssertionError("a defect"));
  }

  @Test
  void anEmailThatCannotWorkFailsItsReceipt() {
    SendEmail request =
        new SendEmail(Email.to("ada@example.com").template("lost", Mails.WELCOME).build());

    bus.post(request);

    assertThatThrownBy(() -> request.receipt().toCompletableFuture().get(1, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(InvalidEmailException.class);
  }

  @Test
  void anAsynchronousBusWorksToo() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    EventBus async = new AsyncEventBus(pool);
    InMemoryStore store = new InMemoryStore();
    try (Outbox outbox =
        Outbox.builder(store).defaultFrom("a@example.com").eventBus(async).build()) {
      List<SendEmail> requests = Mails.many(100).stream().map(SendEmail::new).toList();
      requests.forEach(async::post);

      for (SendEmail request : requests) {
        Receipt receipt = request.receipt().toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(outbox.find(receipt.id())).isPresent();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void aSubscriberOfTheHostsMayPostAnEmail() {
    List<SendEmail> requests = new CopyOnWriteArrayList<>();
    bus.register(new Shop(requests));

    bus.post(new OrderPlaced(42));

    assertThat(requests).hasSize(1);
    assertThat(receipt(requests.get(0)).created()).isTrue();
    mail.assertSent().subject("Order 42").count(1);
  }

  record OrderPlaced(int number) {}

  /** Posts from inside a subscriber, and while the outbox itself tells an event. */
  private final class Shop {
    private final List<SendEmail> requests;

    Shop(List<SendEmail> requests) {
      this.requests = requests;
    }

    @Subscribe
    public void on(OrderPlaced order) {
      SendEmail request =
          new SendEmail(
              Email.to("ada@example.com").subject("Order " + order.number()).text("t").build());
      requests.add(request);
      bus.post(request);
    }
  }

  @Test
  void anEmailPostedWhileAnEventIsToldIsSentToo() {
    bus.register(
        new Object() {
          @Subscribe
          public void on(OutboxEvent.EmailSent sent) {
            if (mail.transport().sent().size() == 1) {
              bus.post(new SendEmail(Mails.to("bob@example.com").build()));
            }
          }
        });

    outbox.send(Mails.plain());

    mail.assertSent().to("bob@example.com").count(1);
    assertThat(mail.transport().sent()).hasSize(2);
  }

  @Test
  void aClosedOutboxTakesNoRequest() {
    outbox.close();
    SendEmail request = new SendEmail(Mails.plain());

    bus.post(request);

    assertThat(request.receipt().toCompletableFuture()).isCompletedExceptionally();
    assertThat(outbox.query(EmailQuery.all(), null, 1).emails()).isEmpty();
  }

  private static Receipt receipt(SendEmail request) {
    return request.receipt().toCompletableFuture().join();
  }
}
