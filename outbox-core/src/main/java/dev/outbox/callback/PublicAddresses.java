package dev.outbox.callback;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which addresses belong to everybody's internet, and not to the host's own network, its machine or
 * its cloud's metadata: after IANA's registries of special-purpose addresses.
 */
final class PublicAddresses {

  private static final List<CidrBlock> SPECIAL =
      networks(
          "0.0.0.0/8", // this host
          "10.0.0.0/8",
          "100.64.0.0/10", // behind a carrier's NAT; a metadata service too
          "127.0.0.0/8",
          "168.63.129.16", // a cloud's metadata in the midst of public addresses
          "169.254.0.0/16", // link-local, with the metadata of most clouds
          "172.16.0.0/12",
          "192.0.0.0/24",
          "192.0.2.0/24",
          "192.88.99.0/24",
          "192.168.0.0/16",
          "198.18.0.0/15",
          "198.51.100.0/24",
          "203.0.113.0/24",
          "224.0.0.0/4", // multicast
          "240.0.0.0/4", // reserved, and broadcast
          "2001::/23", // protocols, among them Teredo, which hides an IPv4 address
          "2001:db8::/32",
          "2002::/16", // 6to4, which hides an IPv4 address
          "3fff::/20");

  /** Of IPv6 only this part is given out for public use. */
  private static final CidrBlock GLOBAL_UNICAST = CidrBlock.parse("2000::/3");

  private static final CidrBlock NAT64 = CidrBlock.parse("64:ff9b::/96");
  private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

  private PublicAddresses() {}

  static boolean contain(InetAddress address) {
    return (address instanceof Inet4Address || GLOBAL_UNICAST.contains(address))
        && SPECIAL.stream().noneMatch(network -> network.contains(address));
  }

  /** Returns the IPv4 address that an IPv6 address stands for, or the address itself. */
  static InetAddress unwrapped(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length == 16
        && (NAT64.contains(address) || Arrays.equals(bytes, 0, 12, MAPPED, 0, 12))) {
      try {
        return InetAddress.getByAddress(Arrays.copyOfRange(bytes, 12, 16));
      } catch (UnknownHostException e) {
        throw new IllegalStateException("four bytes are an address", e);
      }
    }
    return address;
  }

  private static List<CidrBlock> networks(String... texts) {
    return Stream.of(texts).map(CidrBlock::parse).toList();
  }
}
