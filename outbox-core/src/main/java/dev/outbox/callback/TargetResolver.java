package dev.outbox.callback;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Which receivers may be called: everything public, and of the rest what the host has allowed.
 *
 * <p>A name is asked for once. All its addresses are judged, and the caller connects to one of
 * those that it gets here: what the name means a moment later does not matter.
 */
final class TargetResolver {

  private final NameLookup names;
  private final List<CidrBlock> allowed;

  /** How a name becomes addresses. */
  interface NameLookup {
    InetAddress[] resolve(String host) throws UnknownHostException;
  }

  TargetResolver(NameLookup names, List<CidrBlock> allowed) {
    this.names = names;
    this.allowed = List.copyOf(allowed);
  }

  /**
   * Returns the addresses that a URL may be called at.
   *
   * @throws ForbiddenTargetException if it must not be called
   */
  List<InetAddress> of(URI url) throws UnknownHostException, ForbiddenTargetException {
    String scheme = url.getScheme();
    if (!"http".equalsIgnoreCase(scheme) && !"https".equalsIgnoreCase(scheme)) {
      throw new ForbiddenTargetException("its URL is not http or https");
    }
    if (url.getRawUserInfo() != null) {
      throw new ForbiddenTargetException("its URL holds credentials");
    }
    if (url.getHost() == null) {
      throw new ForbiddenTargetException("its URL names no host");
    }
    List<InetAddress> addresses = List.of(names.resolve(host(url)));
    if (addresses.isEmpty()) {
      throw new UnknownHostException();
    }
    if (!addresses.stream().allMatch(this::isOpen)) {
      throw new ForbiddenTargetException("its address is not public, and not allowed");
    }
    return addresses;
  }

  /** Returns the host of a URL, without the brackets around an IPv6 address. */
  static String host(URI url) {
    String host = url.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private boolean isOpen(InetAddress address) {
    InetAddress meant = PublicAddresses.unwrapped(address);
    return PublicAddresses.contain(meant)
        || allowed.stream().anyMatch(network -> network.contains(meant));
  }
}
