package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RecipientsTest {

  @Test
  void allGivesEachMailboxOnceInTheOrderToCcBcc() {
    Recipients recipients =
        new Recipients(
            addresses("b@example.com", "Ada <ada@example.com>", "b@example.com"),
            addresses("c@example.com", "ADA@EXAMPLE.COM"),
            addresses("ada@example.com", "d@b\u00fccher.de", "d@xn--bcher-kva.de"));

    assertThat(recipients.all())
        .isEqualTo(
            addresses(
                "b@example.com", "Ada <ada@example.com>", "c@example.com", "d@b\u00fccher.de"));
  }

  @Test
  void oneRecipientIsEnoughWhereverItStands() {
    List<Address> ada = addresses("ada@example.com");
    assertThat(new Recipients(List.of(), ada, List.of()).all()).isEqualTo(ada);
    assertThat(new Recipients(List.of(), List.of(), ada).all()).isEqualTo(ada);
    assertThat(Recipients.of(ada.get(0)).all()).isEqualTo(ada);
  }

  @Test
  void nobodyIsRefused() {
    assertThatThrownBy(() -> new Recipients(List.of(), List.of(), List.of()))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessage("to: no recipient");
  }

  private static List<Address> addresses(String... texts) {
    return Stream.of(texts).map(Address::parse).toList();
  }
}
