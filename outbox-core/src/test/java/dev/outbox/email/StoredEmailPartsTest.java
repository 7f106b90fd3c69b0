package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoredEmailPartsTest {

  @Test
  void aSubjectFromTheTemplateNeverReplacesTheHosts() {
    Address ada = Address.parse("ada@example.com");
    AddressesAndSubject without = new AddressesAndSubject(ada, Recipients.of(ada), null);
    AddressesAndSubject with = new AddressesAndSubject(ada, Recipients.of(ada), "Order 42");

    assertThat(without.withRendered("Hello").subject()).isEqualTo("Hello");
    assertThat(without.withRendered(null).subject()).isNull();
    assertThat(with.withRendered("Hello")).isEqualTo(with);
  }

  @Test
  void aRequeueOffersWhatWasRefusedAndNotWhatWasAccepted() {
    assertThat(result(RecipientResult.Status.REFUSED).reopened())
        .isEqualTo(result(RecipientResult.Status.PENDING));
    assertThat(result(RecipientResult.Status.PENDING).reopened())
        .isEqualTo(result(RecipientResult.Status.PENDING));
    assertThat(result(RecipientResult.Status.ACCEPTED).reopened())
        .isEqualTo(result(RecipientResult.Status.ACCEPTED));
  }

  private static RecipientResult result(RecipientResult.Status status) {
    return new RecipientResult("ada@example.com", status, "550 no");
  }
}
