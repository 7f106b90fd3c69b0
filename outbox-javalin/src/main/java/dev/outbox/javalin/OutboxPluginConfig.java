package dev.outbox.javalin;

import io.javalin.http.Context;
import java.time.Duration;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an {@link OutboxPlugin}. Every one has a default, and the default access rule
 * lets nobody in. Not for use by several threads at once.
 */
public final class OutboxPluginConfig {

  private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._~-]+)+");

  String path = "/outbox";
  Function<Context, AccessRole> access = context -> AccessRole.DENIED;
  AllowedHosts allowedHosts = AllowedHosts.ANY;
  Function<Context, @Nullable String> caller = context -> null;
  int eventStreamsPerCaller = 10;
  @Nullable DevelopmentInbox inbox;
  int bodyLimit = 16 << 20;
  Duration backlogAlarm = Duration.ofMinutes(15);
  boolean runsOutbox = true;

  OutboxPluginConfig() {}

  /**
   * Sets where the page is, with the API below it. Default: {@code /outbox}.
   *
   * @throws IllegalArgumentException if it is not of the form {@code /mail/outbox}
   */
  public OutboxPluginConfig path(String path) {
    if (!PATH.matcher(path).matches()) {
      throw new IllegalArgumentException("path: not of the form /mail/outbox: " + path);
    }
    this.path = path;
    return this;
  }

  /**
   * Sets who may do what, asked for each request. It may also throw one of Javalin's {@code
   * HttpResponseException}s, to send people to a login. Default: nobody may do anything.
   */
  public OutboxPluginConfig access(Function<Context, AccessRole> rule) {
    this.access = rule;
    return this;
  }

  /**
   * Sets the hosts that the {@code Host} header of a request may name, against DNS rebinding:
   * {@code "outbox.example.com"}, {@code "127.0.0.1"}, {@code "[::1]"}. A host without a port
   * allows every port; upper and lower case are the same. Every other request is answered with 421.
   * Recommended wherever the access rule lets a caller in without a login. Default, and with no
   * host given: every request is allowed.
   *
   * @throws IllegalArgumentException if one is not a host, with or without a port
   */
  public OutboxPluginConfig allowedHosts(String... hosts) {
    this.allowedHosts = AllowedHosts.of(hosts);
    return this;
  }

  /**
   * Sets the identity of a caller, such as the name of the logged-in user; limits hold for each
   * identity. It is asked after the access rule, and is neither logged nor shown. Default, and
   * wherever it answers null: the remote address. Set it behind a reverse proxy, where all callers
   * have the proxy's address.
   */
  public OutboxPluginConfig caller(Function<Context, @Nullable String> identity) {
    this.caller = identity;
    return this;
  }

  /**
   * Sets how many event streams one caller may have open; one more is answered with 429. All
   * callers together may have 100. Default: 10.
   */
  public OutboxPluginConfig eventStreamsPerCaller(int streams) {
    if (streams < 1) {
      throw new IllegalArgumentException("eventStreamsPerCaller: must be positive, is " + streams);
    }
    this.eventStreamsPerCaller = streams;
    return this;
  }

  /** Shows what a development inbox has caught. Default: there is none. */
  public OutboxPluginConfig inbox(DevelopmentInbox inbox) {
    this.inbox = inbox;
    return this;
  }

  /**
   * Sets how many bytes the body of a request may have. Default: 16 MiB, which is enough for the
   * attachments that an email may have by default.
   */
  public OutboxPluginConfig bodyLimit(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bodyLimit: must be positive, is " + bytes);
    }
    this.bodyLimit = bytes;
    return this;
  }

  /**
   * Sets from which age of the longest-waiting email on the health route answers 503. Default: 15
   * minutes.
   */
  public OutboxPluginConfig backlogAlarm(Duration age) {
    if (age.isNegative() || age.isZero()) {
      throw new IllegalArgumentException("backlogAlarm: must be positive, is " + age);
    }
    this.backlogAlarm = age;
    return this;
  }

  /**
   * Sets whether the outbox is started and closed together with the application. Default: it is. An
   * outbox without a transport cannot be started and needs {@code false} here.
   */
  public OutboxPluginConfig runsOutbox(boolean runs) {
    this.runsOutbox = runs;
    return this;
  }
}
