package dev.outbox.callback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom no URL of an email makes us call; each is asserted at the socket. */
class ForbiddenTargetsTest {

  private static final String PUBLIC = "93.184.216.34";

  private final RecordingSockets sockets = new RecordingSockets();
  private final Deque<InetAddress[]> answers = new ArrayDeque<>();
  private int lookUps;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.255.255.255",
        "10.0.0.0",
        "10.255.255.255",
        "100.64.0.0",
        "100.100.100.200",
        "100.127.255.255",
        "127.0.0.0",
        "127.0.0.1",
        "127.255.255.255",
        "168.63.129.16",
        "169.254.0.0",
        "169.254.169.254",
        "169.254.170.2",
        "169.254.255.255",
        "172.16.0.0",
        "172.31.255.255",
        "192.0.0.0",
        "192.0.0.192",
        "192.0.0.255",
        "192.0.2.0",
        "192.0.2.255",
        "192.88.99.0",
        "192.88.99.255",
        "192.168.0.0",
        "192.168.255.255",
        "198.18.0.0",
        "198.19.255.255",
        "198.51.100.0",
        "198.51.100.255",
        "203.0.113.0",
        "203.0.113.255",
        "224.0.0.0",
        "239.255.255.255",
        "240.0.0.0",
        "255.255.255.255",
      })
  void anIpv4AddressThatIsNotPublicIsNotConnectedTo(String address) throws Exception {
    assertForbidden(address(address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "::",
        "::1",
        "::7f00:1",
        "::a00:1",
        "fe80::",
        "fe80::1",
        "febf:ffff::1",
        "fec0::1",
        "fc00::",
        "fd00:ec2::254",
        "fd20:ce::254",
        "fdff:ffff::1",
        "ff02::1",
        "100::1",
        "1fff::1",
        "4000::1",
        "5f00::1",
        "64:ff9b:1::a00:1",
        "2001::",
        "2001:0:a00:1::1",
        "2001:1ff:ffff::1",
        "2001:db8::",
        "2001:db8:ffff::1",
        "2002:7f00:1::",
        "2002:a00:1::1",
        "2002:5db8:d822::1",
        "3fff::",
        "3fff:fff:ffff::1",
      })
  void anIpv6AddressThatIsNotPublicIsNotConnectedTo(String address) throws Exception {
    assertForbidden(address(address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "168.63.129.15",
        "168.63.129.17",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "191.255.255.255",
        "192.0.1.0",
        "192.0.3.0",
        "192.88.98.255",
        "192.88.100.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "198.51.99.255",
        "198.51.101.0",
        "203.0.112.255",
        "203.0.114.0",
        "223.255.255.255",
        "2001:200::1",
        "2001:db7:ffff::1",
        "2001:db9::1",
        "2003::1",
        "2606:4700::1111",
        "3ffe:ffff::1",
        "3fff:1000::1",
        "64:ff9b::5db8:d822",
      })
  void thePublicNeighboursAreConnectedTo(String address) throws Exception {
    InetAddress neighbour = address(address);
    answers.add(new InetAddress[] {neighbour});

    assertThat(call("http://receiver.example.com/")).isEqualTo(acknowledged());
    assertThat(sockets.connected()).containsExactly(new InetSocketAddress(neighbour, 80));
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "192.168.1.1"})
  void anIpv4AddressInDisguiseIsNotConnectedTo(String address) throws Exception {
    for (InetAddress disguised : disguises(address)) {
      assertForbidden(disguised);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {PUBLIC, "10.20.0.1"})
  void anIpv4AddressInDisguiseIsJudgedAsWhatItIs(String address) throws Exception {
    for (InetAddress disguised : disguises(address)) {
      answers.add(new InetAddress[] {disguised});
      assertThat(allowing().call(notice(URI.create("http://disguised.example.com/"))))
          .isEqualTo(acknowledged());
    }
    assertThat(sockets.connected()).hasSize(2);
  }

  /** Returns the IPv6 addresses that stand for an IPv4 one: mapped, and by NAT64. */
  private static List<InetAddress> disguises(String address) throws UnknownHostException {
    byte[] mapped = new byte[16];
    mapped[10] = -1;
    mapped[11] = -1;
    byte[] translated = address("64:ff9b::").getAddress();
    System.arraycopy(address(address).getAddress(), 0, mapped, 12, 4);
    System.arraycopy(address(address).getAddress(), 0, translated, 12, 4);
    // With a scope the JDK leaves a mapped address as it is, instead of making an IPv4 one of it.
    return List.of(
        Inet6Address.getByAddress("mapped", mapped, 1), InetAddress.getByAddress(translated));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1/",
        "http://127.0.0.1:8080/",
        "https://127.0.0.1/",
        "http://127.1/",
        "http://127.0.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0x7f.1/",
        "http://017700000001/",
        "http://0/",
        "http://0.0.0.0/",
        "http://localhost/",
        "http://LOCALHOST/",
        "http://localhost./",
        "http://[::1]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[::]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[0:0:0:0:0:ffff:7f00:1]/",
        "http://[::127.0.0.1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2852039166/latest/meta-data/",
        "http://0xa9fea9fe/",
        "http://[::ffff:169.254.169.254]/",
        "http://[fd00:ec2::254]/",
        "http://10.0.0.1/",
        "http://167772161/",
        "http://172.16.0.1/",
        "http://192.168.0.1/",
        "http://[fe80::1]/",
        "http://[fe80::1%25lo]/",
        "http://[fc00::1]/",
      })
  void noSpellingOfAnAddressGetsThrough(String url) throws Exception {
    HttpCallback callback = HttpCallback.builder().sockets(sockets).build();

    CallbackResult result = callback.call(notice(URI.create(url)));

    assertThat(result).isNotInstanceOf(CallbackResult.Acknowledged.class);
    assertThat(sockets.connected())
        .as("where a socket went")
        .noneMatch(target -> isInside(target.getAddress()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://0177.0.0.1/", "http://0177.0.0.01/", "http://012.0.0.1/"})
  void anOctalSpellingThatJavaReadsAsDecimalLeadsToWhatWasChecked(String url) {
    HttpCallback callback = HttpCallback.builder().sockets(sockets).build();

    callback.call(notice(URI.create(url)));

    assertThat(sockets.connected()).noneMatch(target -> isInside(target.getAddress()));
  }

  @Test
  void aNameWithOnePrivateAddressAmongPublicOnesIsNotCalledAtAll() throws Exception {
    InetAddress open = address(PUBLIC);
    InetAddress inside = address("10.0.0.1");
    for (InetAddress[] answer :
        List.of(new InetAddress[] {open, inside}, new InetAddress[] {inside, open})) {
      answers.add(answer);
      assertThat(call("https://two.example.com/")).isInstanceOf(CallbackResult.Rejected.class);
    }

    assertThat(sockets.connected()).isEmpty();
  }

  @Test
  void aNameThatChangesAfterItWasCheckedIsCalledWhereItWasChecked() throws Exception {
    InetAddress open = address(PUBLIC);
    answers.add(new InetAddress[] {open});
    answers.add(new InetAddress[] {address("127.0.0.1")});

    call("http://rebinding.example.com:8080/");

    assertThat(lookUps).isEqualTo(1);
    assertThat(sockets.connected()).containsExactly(new InetSocketAddress(open, 8080));
  }

  @Test
  void anotherAddressIsTriedWhenTheFirstDoesNotAnswer() throws Exception {
    InetAddress first = address(PUBLIC);
    InetAddress second = address("2606:4700::1111");
    sockets.kill(first);
    answers.add(new InetAddress[] {first, second});

    assertThat(call("http://two.example.com/")).isEqualTo(acknowledged());
    assertThat(sockets.connected())
        .extracting(InetSocketAddress::getAddress)
        .containsExactly(first, second);
  }

  @Test
  void ofManyAddressesOnlyAFewAreTried() throws Exception {
    InetAddress[] many =
        Stream.of("1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4", "1.1.1.5", "1.1.1.6")
            .map(ForbiddenTargetsTest::address)
            .toArray(InetAddress[]::new);
    Arrays.stream(many).forEach(sockets::kill);
    answers.add(many);

    assertThat(call("http://many.example.com/")).isInstanceOf(CallbackResult.Unavailable.class);
    assertThat(sockets.connected()).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://receiver.example.com/",
        "file:///etc/passwd",
        "gopher://receiver.example.com/",
        "jar:http://receiver.example.com/a.jar!/",
        "http://user@receiver.example.com/",
        "http://user:password@receiver.example.com/",
        "https://receiver.example.com@evil.example.com/",
        "http:///path",
        "/relative",
      })
  void onlyAPlainHttpUrlIsCalled(String url) throws Exception {
    answers.add(new InetAddress[] {address(PUBLIC)});

    assertThat(call(url)).isInstanceOf(CallbackResult.Rejected.class);
    assertThat(sockets.connected()).isEmpty();
    assertThat(lookUps).as("names asked for").isZero();
  }

  @Test
  void aNameThatNobodyKnowsIsTriedAgainLater() throws Exception {
    assertThat(call("https://unknown.example.com/"))
        .isEqualTo(new CallbackResult.Unavailable(null, "no answer: UnknownHostException", null));
  }

  @Test
  void whatTheHostAllowsIsCalledAndItsNeighboursAreNot() throws Exception {
    for (String inside : List.of("10.20.0.1", "10.20.255.255", "fd00:1::1", "127.0.0.1")) {
      InetAddress address = address(inside);
      answers.add(new InetAddress[] {address});
      assertThat(allowing().call(notice(URI.create("http://inside.example.com/"))))
          .as(inside)
          .isEqualTo(acknowledged());
    }
    assertThat(sockets.connected()).hasSize(4);
    for (String other : List.of("10.21.0.0", "10.19.255.255", "fd00:2::1", "127.0.0.2", "::1")) {
      answers.add(new InetAddress[] {address(other)});
      assertThat(allowing().call(notice(URI.create("http://inside.example.com/"))))
          .as(other)
          .isInstanceOf(CallbackResult.Rejected.class);
    }
    assertThat(sockets.connected()).hasSize(4);
  }

  private HttpCallback allowing() {
    return HttpCallback.builder()
        .names(this::resolve)
        .sockets(sockets)
        .allow("10.20.0.0/16", "fd00:1::/32", "127.0.0.1")
        .build();
  }

  private void assertForbidden(InetAddress address) throws Exception {
    answers.add(new InetAddress[] {address});

    CallbackResult result = call("https://receiver.example.com/told");

    assertThat(result)
        .isEqualTo(
            new CallbackResult.Rejected(
                "the receiver was not called: its address is not public, and not allowed", null));
    assertThat(sockets.connected()).isEmpty();
  }

  private CallbackResult call(String url) {
    HttpCallback callback = HttpCallback.builder().names(this::resolve).sockets(sockets).build();
    return callback.call(notice(URI.create(url)));
  }

  private InetAddress[] resolve(String host) throws UnknownHostException {
    lookUps++;
    InetAddress[] answer = answers.poll();
    if (answer == null) {
      throw new UnknownHostException(host);
    }
    return answer;
  }

  private static CallbackResult acknowledged() {
    return new CallbackResult.Acknowledged("ok");
  }

  private static boolean isInside(InetAddress address) {
    return address == null
        || address.isLoopbackAddress()
        || address.isAnyLocalAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address instanceof Inet6Address;
  }

  private static InetAddress address(String literal) {
    try {
      return InetAddress.getAllByName(literal)[0];
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static CallbackNotice notice(URI url) {
    return new CallbackNotice(
        url, EmailId.next(), State.SENT, null, "250 ok", Instant.EPOCH, 0, 0, null);
  }
}
