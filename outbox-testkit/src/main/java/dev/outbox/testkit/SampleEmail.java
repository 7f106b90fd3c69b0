package dev.outbox.testkit;

import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.Priority;
import dev.outbox.email.Recipients;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.NewEmail;
import dev.outbox.store.Sha256;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An email to be stored, plain unless a test says otherwise. Each one has an id of its own. */
final class SampleEmail {

  static final String SENDER = "shop@example.com";
  static final String RECIPIENT = "ada.lovelace@example.com";
  static final String SUBJECT = "Your order of the Analytical Engine";
  static final Duration LIFETIME = Duration.ofDays(3);
  static final URI CALLBACK = URI.create("https://shop.example.com/mail?shop=42");

  private EmailId id = EmailId.next();
  private Address from = Address.parse(SENDER);
  private Recipients recipients = Recipients.of(Address.parse(RECIPIENT));
  private @Nullable String subject = SUBJECT;
  private Priority priority = Priority.NORMAL;
  private @Nullable String template = "order-confirmed";
  private Set<String> tags = Set.of();
  private @Nullable String requestId;
  private @Nullable URI callbackUrl;
  private @Nullable IdempotencyKey key;
  private @Nullable Instant sendAt;
  private Duration lifetime = LIFETIME;
  private Bytes payload = Bytes.utf8("{\"order\": 42}");

  private SampleEmail() {}

  static SampleEmail email() {
    return new SampleEmail();
  }

  SampleEmail id(EmailId given) {
    this.id = given;
    return this;
  }

  SampleEmail from(Address sender) {
    this.from = sender;
    return this;
  }

  SampleEmail to(String... addresses) {
    return recipients(new Recipients(parsed(addresses), List.of(), List.of()));
  }

  SampleEmail cc(String... addresses) {
    return recipients(new Recipients(recipients.to(), parsed(addresses), recipients.bcc()));
  }

  SampleEmail bcc(String... addresses) {
    return recipients(new Recipients(recipients.to(), recipients.cc(), parsed(addresses)));
  }

  SampleEmail recipients(Recipients all) {
    this.recipients = all;
    return this;
  }

  SampleEmail subject(@Nullable String given) {
    this.subject = given;
    return this;
  }

  SampleEmail priority(Priority given) {
    this.priority = given;
    return this;
  }

  SampleEmail template(@Nullable String name) {
    this.template = name;
    return this;
  }

  SampleEmail tags(String... labels) {
    this.tags = Set.of(labels);
    return this;
  }

  SampleEmail requestId(@Nullable String reference) {
    this.requestId = reference;
    return this;
  }

  SampleEmail callback() {
    return callback(CALLBACK);
  }

  SampleEmail callback(URI url) {
    this.callbackUrl = url;
    return this;
  }

  /** Sets the key, with a fingerprint that all emails have in common. */
  SampleEmail key(String words) {
    return key(words, "one content");
  }

  /** Sets the key, with the fingerprint of some content. */
  SampleEmail key(String words, String content) {
    this.key = new IdempotencyKey(Sha256.of(words), Sha256.of(content));
    return this;
  }

  SampleEmail sendAt(Instant time) {
    this.sendAt = time;
    return this;
  }

  SampleEmail lifetime(Duration given) {
    this.lifetime = given;
    return this;
  }

  SampleEmail payload(Bytes content) {
    this.payload = content;
    return this;
  }

  NewEmail build() {
    return new NewEmail(
        id,
        new AddressesAndSubject(from, recipients, subject),
        priority,
        template,
        tags,
        requestId,
        callbackUrl,
        key,
        sendAt,
        lifetime,
        payload);
  }

  private static List<Address> parsed(String... addresses) {
    return List.of(addresses).stream().map(text -> Address.stored("to", text)).toList();
  }
}
