package dev.outbox.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrBlockTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.0.1, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.0.0.0/9, 10.127.255.255, true",
    "10.0.0.0/9, 10.128.0.0, false",
    "192.168.1.7, 192.168.1.7, true",
    "192.168.1.7, 192.168.1.6, false",
    "192.168.1.6/31, 192.168.1.7, true",
    "0.0.0.0/0, 255.1.2.3, true",
    "0.0.0.0/0, ::1, false",
    "fd00::/8, fdff::1, true",
    "fd00::/8, fe00::1, false",
    "2001:db8:0:8000::/49, 2001:db8:0:ffff::1, true",
    "2001:db8:0:8000::/49, 2001:db8:0:7fff::1, false",
    "::1, ::1, true",
  })
  void aNetworkHoldsWhatBeginsLikeIt(String network, String address, boolean inside)
      throws Exception {
    assertThat(CidrBlock.parse(network).contains(InetAddress.getAllByName(address)[0]))
        .isEqualTo(inside);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "example.com",
        "10",
        "10.0.0",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.256",
        "10.0.0.0/8/8",
        "fd00::/129",
        "fd00:::1",
        "0x7f.0.0.1",
        "[::1]",
      })
  void whatIsNoNetworkIsRefusedAndNeverLookedUp(String text) {
    assertThatThrownBy(() -> CidrBlock.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not a network such as");
  }
}
