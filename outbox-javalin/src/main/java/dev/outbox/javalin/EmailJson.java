package dev.outbox.javalin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.RecipientResult;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Emails and their history as JSON, as much of them as the caller may see. */
final class EmailJson {

  private final AddressMasking masking;

  EmailJson(AccessRole access) {
    this.masking = AddressMasking.of(access);
  }

  /** What a list shows of an email. */
  ObjectNode summary(EmailSummary email) {
    AddressMasking masking = this.masking.about(email);
    ObjectNode json =
        Json.object()
            .put("id", email.id().toString())
            .put("state", email.state().wireName())
            .put("outcome", email.state().outcome().wireName());
    json.put("code", email.code() == null ? null : email.code().name());
    json.put("reason", masking.textOrNull(email.reason()));
    AddressesAndSubject addressesAndSubject = email.addressesAndSubject();
    json.put("erased", email.erased());
    if (addressesAndSubject != null) {
      json.set("from", masking.address(addressesAndSubject.from()));
      json.set("to", addresses(addressesAndSubject.recipients().to()));
      json.set("cc", addresses(addressesAndSubject.recipients().cc()));
      json.set("bcc", addresses(addressesAndSubject.recipients().bcc()));
      json.put("subject", masking.textOrNull(addressesAndSubject.subject()));
    }
    json.put("template", email.template());
    ArrayNode tags = json.putArray("tags");
    email.tags().stream().sorted().map(masking::text).forEach(tags::add);
    json.put("attempts", email.progress().attempts());
    json.put("created", email.timeline().created().toString());
    json.put("updated", email.timeline().updated().toString());
    json.put("due", text(email.due()));
    return json;
  }

  /** All that is known of an email without its content. */
  ObjectNode details(EmailSummary email, boolean hasContent, List<HistoryEntry> history) {
    ObjectNode json = summary(email);
    AddressMasking masking = this.masking.about(email);
    json.put("response", masking.textOrNull(email.response()));
    ArrayNode recipients = json.putArray("recipients");
    email.recipients().forEach(each -> recipients.add(recipient(each, masking)));
    json.put("priority", email.priority().name());
    json.put("requestId", masking.textOrNull(email.requestId()));
    json.put("callbackUrl", withoutQuery(email.callbackUrl(), masking));
    json.put("generation", email.progress().generation());
    json.put("reaps", email.progress().reaps());
    json.put("deadline", email.deadline().toString());
    json.put("sent", text(email.timeline().sent()));
    json.put("settled", text(email.timeline().settled()));
    json.put("owner", email.owner() == null ? null : email.owner().value());
    json.put("archived", email.archived());
    json.put("content", hasContent);
    json.put("cancellable", email.state().isCancellable() && !email.erased());
    json.put(
        "requeuable",
        hasContent && !email.archived() && email.state().stateAfterRequeue(false).isPresent());
    json.put("erasable", email.state().isErasable() && !email.erased());
    ArrayNode entries = json.putArray("history");
    history.forEach(entry -> entries.add(entry(entry, masking)));
    return json;
  }

  private static ObjectNode entry(HistoryEntry entry, AddressMasking masking) {
    return Json.object()
        .put("state", entry.state().wireName())
        .put("at", entry.at().toString())
        .put("generation", entry.generation())
        .put("attempt", entry.attempt())
        .put("node", entry.node() == null ? null : entry.node().value())
        .put("code", entry.code() == null ? null : entry.code().name())
        .put("reason", masking.textOrNull(entry.reason()))
        .put("detail", masking.textOrNull(entry.detail()));
  }

  private static ObjectNode recipient(RecipientResult result, AddressMasking masking) {
    return Json.object()
        .put("address", masking.text(result.recipient()))
        .put("status", result.status().name())
        .put("reply", masking.textOrNull(result.reply()));
  }

  ArrayNode addresses(List<Address> addresses) {
    ArrayNode list = Json.array();
    addresses.forEach(address -> list.add(masking.address(address)));
    return list;
  }

  /** Hosts put tokens into queries. */
  private static @Nullable String withoutQuery(@Nullable URI url, AddressMasking masking) {
    return url == null ? null : masking.text(url.toString().replaceFirst("[?#].*$", "?…"));
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }
}
