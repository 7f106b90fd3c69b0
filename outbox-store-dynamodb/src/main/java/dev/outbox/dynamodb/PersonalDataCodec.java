package dev.outbox.dynamodb;

import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.Recipients;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** How the personal part of a row is written: who gets it from whom, and what the relay said. */
final class PersonalDataCodec {

  private PersonalDataCodec() {}

  static AttributeValue headline(AddressesAndSubject addressesAndSubject) {
    Map<String, AttributeValue> map = new HashMap<>();
    map.put("From", AttributeValues.text(addressesAndSubject.from().format()));
    addresses(map, "To", addressesAndSubject.recipients().to());
    addresses(map, "Cc", addressesAndSubject.recipients().cc());
    addresses(map, "Bcc", addressesAndSubject.recipients().bcc());
    String subject = addressesAndSubject.subject();
    if (subject != null) {
      map.put("Subject", AttributeValues.text(subject));
    }
    return AttributeValue.fromM(map);
  }

  private static void addresses(
      Map<String, AttributeValue> map, String name, List<Address> addresses) {
    if (!addresses.isEmpty()) {
      map.put(
          name,
          AttributeValue.fromL(
              addresses.stream().map(address -> AttributeValues.text(address.format())).toList()));
    }
  }

  static AddressesAndSubject headline(AttributeValue value) {
    Map<String, AttributeValue> map = value.m();
    return new AddressesAndSubject(
        Address.stored("From", AttributeValues.needed(map, "From")),
        new Recipients(addresses(map, "To"), addresses(map, "Cc"), addresses(map, "Bcc")),
        AttributeValues.textOf(map, "Subject"));
  }

  private static List<Address> addresses(Map<String, AttributeValue> map, String name) {
    AttributeValue list = map.get(name);
    return list == null
        ? List.of()
        : list.l().stream().map(each -> Address.stored(name, each.s())).toList();
  }

  static AttributeValue result(RecipientResult result) {
    Map<String, AttributeValue> map = new HashMap<>();
    map.put("Recipient", AttributeValues.text(result.recipient()));
    map.put(AttributeNames.STATUS, AttributeValues.text(result.status().name()));
    String reply = result.reply();
    if (reply != null) {
      map.put("Reply", AttributeValues.text(reply));
    }
    return AttributeValue.fromM(map);
  }

  static RecipientResult result(AttributeValue value) {
    return new RecipientResult(
        AttributeValues.needed(value.m(), "Recipient"),
        RecipientResult.Status.valueOf(AttributeValues.needed(value.m(), AttributeNames.STATUS)),
        AttributeValues.textOf(value.m(), "Reply"));
  }
}
