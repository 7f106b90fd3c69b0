package dev.outbox.internal;

import dev.outbox.email.Address;
import dev.outbox.email.Body;
import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailLimits;
import dev.outbox.email.Handling;
import dev.outbox.email.Headline;
import dev.outbox.email.IdempotencyConflictException;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.Receipt;
import dev.outbox.event.OutboxEvent;
import dev.outbox.store.Digest;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.Inserted;
import dev.outbox.store.NewEmail;
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
final class FrontDoor {

  private static final int SHOWN_NAMES = 5;

  private final Wiring.Defaults defaults;
  private final EmailLimits limits;
  private final @Nullable Templates templates;
  private final Notices notices;
  private final Runnable wake;

  FrontDoor(
      Wiring.Defaults defaults,
      EmailLimits limits,
      @Nullable Templates templates,
      Notices notices,
      Runnable wake) {
    this.defaults = defaults;
    this.limits = limits;
    this.templates = templates;
    this.notices = notices;
    this.wake = wake;
  }

  /** Checks all emails, and then stores them. */
  List<Receipt> accept(StoreWriter writer, List<Email> emails) {
    if (emails.isEmpty()) {
      return List.of();
    }
    List<NewEmail> checked = checked(emails);
    List<Inserted> results = writer.insert(checked);
    List<EmailId> created =
        results.stream()
            .filter(result -> result.status() == Inserted.Status.CREATED)
            .map(Inserted::id)
            .toList();
    if (!created.isEmpty()) {
      writer.whenCommitted(
          () -> {
            wake.run();
            notices.postAll(created, OutboxEvent.EmailAccepted::new);
          });
    }
    return receipts(results);
  }

  private static List<Receipt> receipts(List<Inserted> results) {
    List<Receipt> receipts = new ArrayList<>();
    SortedMap<Integer, EmailId> conflicts = new TreeMap<>();
    for (int i = 0; i < results.size(); i++) {
      Inserted result = results.get(i);
      if (result.status() == Inserted.Status.CONFLICT) {
        conflicts.put(i, result.id());
      }
      receipts.add(new Receipt(result.id(), result.status() == Inserted.Status.CREATED));
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
    Handling handling = email.handling();
    Headline headline = new Headline(from, email.recipients(), email.subject());
    Bytes payload = PayloadFormat.encode(Payload.of(email));
    String key = handling.idempotencyKey();
    return new NewEmail(
        EmailId.next(),
        headline,
        handling.priority(),
        template,
        handling.tags(),
        handling.requestId(),
        handling.callbackUrl() == null ? defaults.callbackUrl() : handling.callbackUrl(),
        key == null ? null : new IdempotencyKey(Digest.of(key), fingerprint(headline, payload)),
        handling.sendAt(),
        Objects.requireNonNullElse(handling.expireAfter(), defaults.lifetime()),
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
  private static Digest fingerprint(Headline headline, Bytes payload) {
    StringBuilder seen = new StringBuilder(256);
    seen.append(headline.from().format());
    for (List<Address> list :
        List.of(
            headline.recipients().to(), headline.recipients().cc(), headline.recipients().bcc())) {
      seen.append('\n');
      list.forEach(address -> seen.append('\t').append(address.format()));
    }
    seen.append('\n').append(headline.subject() == null ? "\0" : headline.subject());
    return Digest.of(seen.append('\n').append(Digest.of(payload).hex()).toString());
  }
}
