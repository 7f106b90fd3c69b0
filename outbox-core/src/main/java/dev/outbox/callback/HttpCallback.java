package dev.outbox.callback;

import dev.outbox.settings.CallbackSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells hosts over HTTP: a POST of JSON, signed, to public addresses unless others are allowed.
 *
 * <pre>{@code
 * Outbox.builder(store)
 *     .callback(HttpCallback.builder().secrets("from your vault").build())
 *     .callbackUrl(URI.create("https://shop.example.com/mail-events"))
 * }</pre>
 *
 * <p>2xx is success. 409, 429, 5xx and a receiver that cannot be reached are tried again, as the
 * outbox's {@link CallbackSettings} says. Everything else is for an operator; redirects are not
 * followed. {@code docs/callbacks.md} has the whole story. Safe for many threads; there is nothing
 * to close.
 */
public final class HttpCallback implements Callback {

  private final TargetResolver targets;
  private final HttpPost exchange;
  private final CallbackPayload payload;
  private final List<CallbackSigner> secrets;
  private final Clock clock;

  HttpCallback(
      TargetResolver targets,
      HttpPost exchange,
      CallbackPayload payload,
      List<CallbackSigner> secrets,
      Clock clock) {
    this.targets = targets;
    this.exchange = exchange;
    this.payload = payload;
    this.secrets = List.copyOf(secrets);
    this.clock = clock;
  }

  /** Begins to put one together; every setting has a default. */
  public static HttpCallbackBuilder builder() {
    return new HttpCallbackBuilder();
  }

  @Override
  public CallbackResult call(CallbackNotice notice) {
    byte[] body = payload.json(notice).getBytes(StandardCharsets.UTF_8);
    try {
      List<InetAddress> addresses = targets.of(notice.url());
      return classify(exchange.post(notice.url(), addresses, headers(notice, body), body));
    } catch (ForbiddenTargetException e) {
      return new CallbackResult.Rejected("the receiver was not called: " + e.why(), null);
    } catch (IOException e) {
      // The text of an exception may quote what a stranger sent.
      String kind = e.getClass().getSimpleName();
      return new CallbackResult.Unavailable(null, "no answer: " + kind, null);
    }
  }

  private CallbackResult classify(HttpResponse answer) {
    int status = answer.status();
    String reason = "HTTP " + status;
    if (status < 300) {
      return new CallbackResult.Acknowledged(answer.body());
    }
    if (status == 409 || status == 429 || status >= 500) {
      return new CallbackResult.Unavailable(answer.retryAfter(clock), reason, answer.body());
    }
    return new CallbackResult.Rejected(
        status < 400 ? reason + ": redirects are not followed" : reason, answer.body());
  }

  private Map<String, String> headers(CallbackNotice notice, byte[] body) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "application/json");
    headers.put("User-Agent", "outbox");
    String key =
        "%s-%s-%d".formatted(notice.id(), notice.outcome().wireName(), notice.generation());
    headers.put(CallbackSigner.KEY_HEADER, key);
    if (!secrets.isEmpty()) {
      long seconds = clock.instant().getEpochSecond();
      StringBuilder signatures = new StringBuilder("t=").append(seconds);
      secrets.forEach(secret -> signatures.append(",v1=").append(secret.sign(key, seconds, body)));
      headers.put(CallbackSigner.HEADER, signatures.toString());
    }
    return headers;
  }
}
