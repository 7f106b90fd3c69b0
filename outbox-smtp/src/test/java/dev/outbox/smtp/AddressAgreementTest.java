package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Address;
import dev.outbox.email.InvalidEmailException;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AddressAgreementTest {

  private static final String ALPHABET = "aZ09.-_+@!#$%&'*/=?^`{|}~ \"<>()[],;:\\éü";

  @Test
  void theCoreAcceptsNothingThatInternetAddressRefuses() {
    Random random = new Random(20260301);
    List<String> disputed = new ArrayList<>();
    int accepted = 0;
    for (int i = 0; i < 200_000; i++) {
      String text = random(random, 6) + "@" + random(random, 6) + "." + random(random, 3);
      Address address;
      try {
        address = Address.parse(text);
      } catch (InvalidEmailException e) {
        continue;
      }
      accepted++;
      try {
        new InternetAddress(address.email(), true).validate();
      } catch (AddressException e) {
        disputed.add(text);
      }
    }
    assertThat(accepted).isGreaterThan(1_000);
    assertThat(disputed).isEmpty();
  }

  private static String random(Random random, int most) {
    StringBuilder text = new StringBuilder();
    int length = 1 + random.nextInt(most);
    for (int i = 0; i < length; i++) {
      // Mostly letters, or nothing would ever be accepted.
      text.append(
          random.nextInt(4) > 0
              ? (char) ('a' + random.nextInt(26))
              : ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }
}
