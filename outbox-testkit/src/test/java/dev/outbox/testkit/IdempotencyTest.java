package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.outbox.Outbox;
import dev.outbox.email.Attachment;
import dev.outbox.email.Email;
import dev.outbox.email.EmailBuilder;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.IdempotencyConflictException;
import dev.outbox.email.Priority;
import dev.outbox.email.Receipt;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class IdempotencyTest {

  private static final String KEY = "secret-order-42";

  private final TestOutbox mail = TestOutbox.with(Mails::templates);
  private final Outbox outbox = mail.outbox();

  @Test
  void theSameRequestTwiceIsOneEmail() {
    Receipt first = outbox.send(keyed(KEY).build());
    Receipt second = outbox.send(keyed(KEY).build());

    assertThat(first.created()).isTrue();
    assertThat(second).isEqualTo(new Receipt(first.id(), false));
    mail.assertSent().count(1);
  }

  @Test
  void theSameKeyTwiceInOneListIsOneEmail() {
    List<Receipt> receipts = outbox.sendAll(List.of(keyed(KEY).build(), keyed(KEY).build()));

    assertThat(receipts).extracting(Receipt::created).containsExactly(true, false);
    assertThat(receipts.get(1).id()).isEqualTo(receipts.get(0).id());
    mail.assertSent().count(1);
  }

  @Test
  void aKeyIsStillKnownAfterItsEmailWasSentAndArchived() {
    Receipt first = outbox.send(keyed(KEY).build());
    mail.process();

    assertThat(outbox.find(first.id()).orElseThrow().summary().archived()).isTrue();
    assertThat(outbox.send(keyed(KEY).build())).isEqualTo(new Receipt(first.id(), false));
    mail.assertSent().count(1);
  }

  @Test
  void aConflictTellsWhichEmailsWereRefusedAndHasTheReceiptsOfTheRest() {
    Receipt first = outbox.send(keyed(KEY).build());
    List<Email> emails =
        List.of(
            keyed("another").build(),
            keyed(KEY).subject("A secret that differs").build(),
            Mails.plain(),
            keyed(KEY).build());

    IdempotencyConflictException conflict =
        catchThrowableOfType(IdempotencyConflictException.class, () -> outbox.sendAll(emails));

    assertThat(conflict.conflicts()).containsExactly(Map.entry(1, first.id()));
    assertThat(conflict.receipts()).hasSize(4);
    assertThat(conflict.receipts())
        .extracting(Receipt::created)
        .containsExactly(true, false, true, false);
    assertThat(conflict.receipts().get(1).id()).isEqualTo(first.id());
    assertThat(conflict.receipts().get(3).id()).isEqualTo(first.id());
    assertThat(conflict).hasMessageContaining("[1]");
    assertThat(conflict.getMessage()).doesNotContain(Mails.PERSONAL);
    mail.assertSent().count(3);
  }

  @Test
  void theSameKeyFromManyThreadsMakesOneEmail() throws Exception {
    int threads = 32;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<Receipt>> answers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        answers.add(
            pool.submit(
                () -> {
                  start.await();
                  return outbox.send(keyed(KEY).build());
                }));
      }
      start.countDown();
      List<Receipt> receipts = new ArrayList<>();
      for (Future<Receipt> answer : answers) {
        receipts.add(answer.get());
      }

      assertThat(receipts).filteredOn(Receipt::created).hasSize(1);
      assertThat(receipts).extracting(Receipt::id).containsOnly(receipts.get(0).id());
      assertThat(outbox.query(EmailQuery.all(), null, 100).emails()).hasSize(1);
    } finally {
      pool.shutdownNow();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("seen")
  void whatTheReceiverSeesMakesAnotherEmail(String what, UnaryOperator<EmailBuilder> change) {
    Receipt first = outbox.send(templated().build());

    IdempotencyConflictException conflict =
        catchThrowableOfType(
            IdempotencyConflictException.class,
            () -> outbox.send(change.apply(templated()).build()));

    assertThat(conflict).as(what).isNotNull();
    assertThat(conflict.conflicts()).containsValue(first.id());
  }

  static Stream<Arguments> seen() {
    return Stream.of(
        change("from", email -> email.from("other@example.com")),
        change("from's name", email -> email.from("Other <shop@example.com>")),
        change("to", email -> email.to("bob@example.com")),
        change("cc", email -> email.cc("bob@example.com")),
        change("bcc", email -> email.bcc("bob@example.com")),
        change("reply-to", email -> email.replyTo("bob@example.com")),
        change("subject", email -> email.subject("Other")),
        change("template", email -> email.template("farewell", Mails.WELCOME)),
        change("data", email -> email.template("welcome", Map.of("name", "Ada", "code", 43))),
        change("locale", email -> email.locale(Locale.ITALIAN)),
        change("attachment", email -> email.attach(file("a.txt", "text/plain", 1))),
        change("header", email -> email.header("X-Shop", "2")));
  }

  @Test
  void everyPartOfAnAttachmentCounts() {
    outbox.send(templated().attach(file("a.txt", "text/plain", 1)).build());

    for (Attachment other :
        List.of(
            file("b.txt", "text/plain", 1),
            file("a.txt", "text/html", 1),
            file("a.txt", "text/plain", 2),
            Attachment.inline("a", "a.txt", "text/plain", new byte[] {1}))) {
      assertThat(
              catchThrowableOfType(
                  IdempotencyConflictException.class,
                  () -> outbox.send(templated().attach(other).build())))
          .isNotNull();
    }
  }

  @Test
  void htmlAndTextAreNotTheSame() {
    outbox.send(Email.to("ada@example.com").subject("s").html("x").idempotencyKey(KEY).build());

    assertThat(
            catchThrowableOfType(
                IdempotencyConflictException.class,
                () ->
                    outbox.send(
                        Email.to("ada@example.com")
                            .subject("s")
                            .text("x")
                            .idempotencyKey(KEY)
                            .build())))
        .isNotNull();
  }

  @Test
  void aRecipientMovedFromToToCcIsAnotherEmail() {
    outbox.send(keyed(KEY).to("bob@example.com").build());

    assertThat(
            catchThrowableOfType(
                IdempotencyConflictException.class,
                () -> outbox.send(keyed(KEY).cc("bob@example.com").build())))
        .isNotNull();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("handling")
  void howAnEmailIsTreatedDoesNotCount(String what, UnaryOperator<EmailBuilder> change) {
    Receipt first = outbox.send(templated().build());

    assertThat(outbox.send(change.apply(templated()).build()))
        .as(what)
        .isEqualTo(new Receipt(first.id(), false));
  }

  static Stream<Arguments> handling() {
    return Stream.of(
        change("request id", email -> email.requestId("other")),
        change("tag", email -> email.tag("other")),
        change("callback", email -> email.callbackUrl(URI.create("https://other.example.com"))),
        change("time", email -> email.sendAt(Instant.parse("2031-01-01T00:00:00Z"))),
        change("lifetime", email -> email.expireAfter(Duration.ofHours(7))),
        change("priority", email -> email.priority(Priority.BULK)));
  }

  private static Arguments change(String what, UnaryOperator<EmailBuilder> change) {
    return Arguments.of(what, change);
  }

  private static Attachment file(String name, String type, int content) {
    return Attachment.of(name, type, new byte[] {(byte) content});
  }

  private static EmailBuilder keyed(String key) {
    return Mails.to("ada@example.com").idempotencyKey(key);
  }

  private static EmailBuilder templated() {
    return Email.to("ada@example.com")
        .from("Shop <shop@example.com>")
        .template("welcome", Mails.WELCOME)
        .header("X-Shop", "1")
        .idempotencyKey(KEY);
  }
}
