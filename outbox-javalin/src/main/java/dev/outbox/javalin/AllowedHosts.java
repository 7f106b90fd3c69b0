package dev.outbox.javalin;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that a request may name in its {@code Host} header. A page of another site whose name
 * was pointed to this server's address (DNS rebinding) sends its own name there.
 *
 * @param hosts the hosts; empty if every request is allowed
 */
record AllowedHosts(List<HostAndPort> hosts) {

  static final AllowedHosts ANY = new AllowedHosts(List.of());

  private static final Pattern FORM =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(?::(\\d{1,5}))?");
  private static final Pattern BARE_IPV6 =
      Pattern.compile("[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*");

  AllowedHosts {
    hosts = List.copyOf(hosts);
  }

  /**
   * A host, with its port if one was given.
   *
   * @param name in lower case; an IPv6 address in its full form, without brackets
   * @param port null if none was given
   */
  record HostAndPort(String name, @Nullable Integer port) {

    /** Returns whether this entry of the setting allows a host that a request names. */
    boolean allows(HostAndPort requested) {
      return name.equals(requested.name)
          && (port == null
              || port.equals(requested.port)
              || (requested.port == null && (port == 80 || port == 443)));
    }
  }

  /**
   * Reads the setting.
   *
   * @throws IllegalArgumentException naming a value that is no host
   */
  static AllowedHosts of(String... hosts) {
    return new AllowedHosts(Arrays.stream(hosts).map(AllowedHosts::setting).toList());
  }

  private static HostAndPort setting(String text) {
    HostAndPort host = parse(BARE_IPV6.matcher(text).matches() ? "[" + text + "]" : text);
    if (host == null) {
      throw new IllegalArgumentException(
          "allowedHosts: not a host such as example.com, example.com:8080 or [::1]: " + text);
    }
    return host;
  }

  /** Returns whether a request with this {@code Host} header, or without one, is allowed. */
  boolean allow(@Nullable String header) {
    if (hosts.isEmpty()) {
      return true;
    }
    HostAndPort requested = header == null ? null : parse(header);
    return requested != null && hosts.stream().anyMatch(each -> each.allows(requested));
  }

  private static @Nullable HostAndPort parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    String name = name(parts.group(1));
    String port = parts.group(2);
    return name == null ? null : new HostAndPort(name, port == null ? null : Integer.valueOf(port));
  }

  private static @Nullable String name(String text) {
    if (!text.startsWith("[")) {
      String lower = text.toLowerCase(Locale.ROOT);
      return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
    try {
      // An address in brackets is parsed and never looked up.
      return InetAddress.getByName(text).getHostAddress();
    } catch (UnknownHostException e) {
      return null;
    }
  }
}
