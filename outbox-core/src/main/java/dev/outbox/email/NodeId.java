package dev.outbox.email;

import java.util.UUID;
import java.util.regex.Pattern;

/**
 * One run of one process that works on emails: a name for people, and an incarnation that no other
 * run has. A process that is started again is another node.
 *
 * @param value both, as {@code web-1~3f2a9c51d07be648}
 */
public record NodeId(String value) {

  private static final Pattern VALUE = Pattern.compile("[\\w.:-]{1,40}~[0-9a-f]{16}");

  /** Checks the form. */
  public NodeId {
    if (!VALUE.matcher(value).matches()) {
      throw new IllegalArgumentException("node: not of the form name~incarnation: " + value);
    }
  }

  /**
   * Returns a new incarnation under a name.
   *
   * @param name up to 40 letters, digits and {@code . : _ -}, such as a host name
   */
  public static NodeId incarnate(String name) {
    return new NodeId("%s~%016x".formatted(name, UUID.randomUUID().getLeastSignificantBits()));
  }

  @Override
  public String toString() {
    return value;
  }
}
