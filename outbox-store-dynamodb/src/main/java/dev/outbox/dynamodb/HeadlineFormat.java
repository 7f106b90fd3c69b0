package dev.outbox.dynamodb;

import dev.outbox.email.Address;
import dev.outbox.email.Headline;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.Recipients;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** How the personal part of a row is written: who gets it from whom, and what the relay said. */
final class HeadlineFormat {

  private HeadlineFormat() {}

  static AttributeValue headline(Headline headline) {
    Map<String, AttributeValue> map = new HashMap<>();
    map.put("From", Values.text(headline.from().format()));
    addresses(map, "To", headline.recipients().to());
    addresses(map, "Cc", headline.recipients().cc());
    addresses(map, "Bcc", headline.recipients().bcc());
    String subject = headline.subject();
    if (subject != null) {
      map.put("Subject", Values.text(subject));
    }
    return AttributeValue.fromM(map);
  }

  private static void addresses(
      Map<String, AttributeValue> map, String name, List<Address> addresses) {
    if (!addresses.isEmpty()) {
      map.put(
          name,
          AttributeValue.fromL(
              addresses.stream().map(address -> Values.text(address.format())).toList()));
    }
  }

  static Headline headline(AttributeValue value) {
    Map<String, AttributeValue> map = value.m();
    return new Headline(
        Address.stored("From", Values.needed(map, "From")),
        new Recipients(addresses(map, "To"), addresses(map, "Cc"), addresses(map, "Bcc")),
        Values.textOf(map, "Subject"));
  }

  private static List<Address> addresses(Map<String, AttributeValue> map, String name) {
    AttributeValue list = map.get(name);
    return list == null
        ? List.of()
        : list.l().stream().map(each -> Address.stored(name, each.s())).toList();
  }

  static AttributeValue result(RecipientResult result) {
    Map<String, AttributeValue> map = new HashMap<>();
    map.put("Recipient", Values.text(result.recipient()));
    map.put(Names.STATUS, Values.text(result.status().name()));
    String reply = result.reply();
    if (reply != null) {
      map.put("Reply", Values.text(reply));
    }
    return AttributeValue.fromM(map);
  }

  static RecipientResult result(AttributeValue value) {
    return new RecipientResult(
        Values.needed(value.m(), "Recipient"),
        RecipientResult.Status.valueOf(Values.needed(value.m(), Names.STATUS)),
        Values.textOf(value.m(), "Reply"));
  }
}
