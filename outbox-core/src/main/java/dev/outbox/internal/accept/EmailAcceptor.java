package dev.outbox.internal.accept;

import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Body;
import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailLimits;
import dev.outbox.email.IdempotencyConflictException;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.Receipt;
import dev.outbox.email.SendOptions;
import dev.outbox.event.OutboxEvent;
import dev.outbox.internal.config.OutboxConfig;
import dev.outbox.internal.event.EventPublisher;
import dev.outbox.internal.payload.Payload;
import dev.outbox.internal.payload.PayloadCodec;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.Sha256;
import dev.outbox.store.StoreWriter;
import dev.outbox.template.TemplateNotFoundException;
import dev.outbox.template.Templates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The one way in for every email, whoever brings it: defaults, checks, storing, telling. */
public final class EmailAcceptor {

  private static final int SHOWN_NAMES = 5;

  private final OutboxConfig.Defaults defaults;
  private final EmailLimits limits;
  private final @Nullable Templates templates;
  private final EventPublisher publisher;
  private final Runnable wake;

  public EmailAcceptor(
      OutboxConfig.Defaults defaults,
      EmailLimits limits,
      @Nullable Templates templates,
      EventPublisher publisher,
      Runnable wake) {
    this.defaults = defaults;
    this.limits = limits;
    this.templates = templates;
    this.publisher = publisher;
    this.wake = wake;
  }

  /** Checks all emails, and then stores them. */
  public List<Receipt> accept(StoreWriter writer, List<Email> emails) {
    if (emails.isEmpty()) {
      return List.of();
    }
    List<NewEmail> checked = checked(emails);
    List<InsertResult> results = writer.insert(checked);
    List<EmailId> created =
        results.stream()
            .filter(result -> result.status() == InsertResult.Status.CREATED)
            .map(InsertResult::id)
            .toList();
    if (!created.isEmpty()) {
      writer.afterCommit(
          () -> {
            wake.run();
            publisher.postAll(created, OutboxEvent.EmailAccepted::new);
          });
    }
    return receipts(results);
  }

  private static List<Receipt> receipts(List<InsertResult> results) {
    List<Receipt> receipts = new ArrayList<>();
    SortedMap<Integer, EmailId> conflicts = new TreeMap<>();
    for (int i = 0; i < results.size(); i++) {
      InsertResult result = results.get(i);
      if (result.status() == InsertResult.Status.CONFLICT) {
        conflicts.put(i, result.id());
      }
      receipts.add(new Receipt(result.id(), result.status() == InsertResult.Status.CREATED));
    }
    if (!conflicts.isEmpty()) {
      throw new IdempotencyConflictException(conflicts, receipts);
    }
    return receipts;
  }

  private List<NewEmail> checked(List<Email> emails) {
    List<NewEmail> checked = new ArrayList<>();
    for (Email email : emails) {
      try {
        checked.add(checked(email));
      } catch (InvalidEmailException e) {
        throw emails.size() == 1
            ? e
            : new InvalidEmailException(
                "emails[%d].%s".formatted(checked.size(), e.field()), e.problem());
      }
    }
    return checked;
  }

  private NewEmail checked(Email email) {
    limits.check(email);
    String template = null;
    if (email.body() instanceof Body.Templated templated) {
      template = templated.template();
      checkTemplate(template, email.subject() != null);
    }
    Address from = email.from() == null ? defaults.from() : email.from();
    if (from == null) {
      throw new InvalidEmailException("from", "missing, and the outbox has no default");
    }
    SendOptions options = email.options();
    AddressesAndSubject addressesAndSubject =
        new AddressesAndSubject(from, email.recipients(), email.subject());
    Bytes payload = PayloadCodec.encode(Payload.of(email));
    String key = options.idempotencyKey();
    return new NewEmail(
        EmailId.next(),
        addressesAndSubject,
        options.priority(),
        template,
        options.tags(),
        options.requestId(),
        options.callbackUrl() == null ? defaults.callbackUrl() : options.callbackUrl(),
        key == null
            ? null
            : new IdempotencyKey(Sha256.of(key), fingerprint(addressesAndSubject, payload)),
        options.sendAt(),
        Objects.requireNonNullElse(options.expireAfter(), defaults.lifetime()),
        payload);
  }

  private void checkTemplate(String name, boolean hasSubject) {
    if (templates == null) {
      throw new InvalidEmailException("template", "the outbox has no templates");
    }
    try {
      if (!templates.hasSubject(name) && !hasSubject) {
        throw new InvalidEmailException("subject", "missing, and the template has none");
      }
    } catch (TemplateNotFoundException e) {
      throw new InvalidEmailException(
          "template",
          Objects.requireNonNullElse(e.getMessage(), "unknown") + known(templates, name));
    }
  }

  /** Returns a few of the names that are known, those first that begin like the wrong one. */
  private static String known(Templates templates, String name) {
    List<String> names =
        templates.names().stream()
            .sorted(Comparator.comparing(each -> -commonPrefix(each, name)))
            .toList();
    String few = String.join(", ", names.subList(0, Math.min(SHOWN_NAMES, names.size())));
    return names.size() <= SHOWN_NAMES
        ? "; known are " + few
        : "; known are %s and %d more".formatted(few, names.size() - SHOWN_NAMES);
  }

  private static int commonPrefix(String a, String b) {
    int length = 0;
    while (length < Math.min(a.length(), b.length()) && a.charAt(length) == b.charAt(length)) {
      length++;
    }
    return length;
  }

  /** Returns the digest of what a receiver would see; how the email is treated does not count. */
  private static Sha256 fingerprint(AddressesAndSubject addressesAndSubject, Bytes payload) {
    StringBuilder seen = new StringBuilder(256);
    seen.append(addressesAndSubject.from().format());
    for (List<Address> list :
        List.of(
            addressesAndSubject.recipients().to(),
            addressesAndSubject.recipients().cc(),
            addressesAndSubject.recipients().bcc())) {
      seen.append('\n');
      list.forEach(address -> seen.append('\t').append(address.format()));
    }
    seen.append('\n')
        .append(addressesAndSubject.subject() == null ? "\0" : addressesAndSubject.subject());
    return Sha256.of(seen.append('\n').append(Sha256.of(payload).hex()).toString());
  }
}
