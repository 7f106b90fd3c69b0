package dev.outbox.callback;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** A range of addresses that begin alike, as {@code 10.0.0.0/8} or {@code fd00::/8}. */
final class CidrBlock {

  private static final Pattern IPV4 = Pattern.compile("(\\d{1,3}\\.){3}\\d{1,3}");

  private final byte[] prefix;
  private final int bits;

  private CidrBlock(byte[] prefix, int bits) {
    this.prefix = prefix;
    this.bits = bits;
  }

  /**
   * Reads a network, or a single address; never asks for a name.
   *
   * @throws IllegalArgumentException if it is neither
   */
  static CidrBlock parse(String text) {
    int slash = text.indexOf('/');
    byte[] address = literal(slash < 0 ? text : text.substring(0, slash), text);
    int all = address.length * 8;
    int bits = slash < 0 ? all : bits(text.substring(slash + 1), text);
    if (bits > all) {
      throw refused(text);
    }
    return new CidrBlock(address, bits);
  }

  boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length != prefix.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit += 8) {
      int mask = bits - bit >= 8 ? 0xff : 0xff << (8 - (bits - bit));
      if (((bytes[bit / 8] ^ prefix[bit / 8]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }

  private static byte[] literal(String address, String text) {
    boolean isIpv6 = address.indexOf(':') >= 0;
    if (!isIpv6 && !IPV4.matcher(address).matches()) {
      throw refused(text);
    }
    try {
      // In brackets it can only be an address; what is wrong is not looked up as a name.
      return InetAddress.getByName(isIpv6 ? "[" + address + "]" : address).getAddress();
    } catch (UnknownHostException e) {
      throw refused(text);
    }
  }

  private static int bits(String digits, String text) {
    if (!digits.matches("\\d{1,3}")) {
      throw refused(text);
    }
    return Integer.parseInt(digits);
  }

  private static IllegalArgumentException refused(String text) {
    return new IllegalArgumentException(
        "not a network such as 10.0.0.0/8 or fd00::/8, nor an address: " + text);
  }
}
