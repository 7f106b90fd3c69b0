package dev.outbox.testkit;

import dev.outbox.callback.Callback;
import dev.outbox.callback.CallbackNotice;
import dev.outbox.callback.CallbackResult;
import dev.outbox.email.EmailBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A host that is told what became of its emails, and answers as a test wants. */
final class FakeHost implements Callback {

  static final URI URL = URI.create("https://host.example.com/told");

  private final List<CallbackNotice> notices = new CopyOnWriteArrayList<>();
  private volatile Function<CallbackNotice, CallbackResult> answer =
      notice -> new CallbackResult.Acknowledged("thanks, says the host");

  @Override
  public CallbackResult call(CallbackNotice notice) {
    notices.add(notice);
    return answer.apply(notice);
  }

  void answer(Function<CallbackNotice, CallbackResult> how) {
    answer = how;
  }

  void beDown() {
    beDown(null);
  }

  void beDown(@Nullable Duration retryAfter) {
    answer(
        notice -> new CallbackResult.Unavailable(retryAfter, "HTTP 503", "the host's own words"));
  }

  List<CallbackNotice> notices() {
    return List.copyOf(notices);
  }

  static EmailBuilder email() {
    return Mails.to("ada@example.com").callbackUrl(URL);
  }
}
