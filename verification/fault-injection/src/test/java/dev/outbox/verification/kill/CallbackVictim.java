package dev.outbox.verification.kill;

import dev.outbox.Outbox;
import dev.outbox.callback.CallbackResult;
import dev.outbox.callback.HttpCallback;
import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.testkit.RecordingTransport;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * A process that sends one email, calls its receiver, and stands still once it has the answer: the
 * moment before the commit, for as long as it takes to be killed.
 */
final class CallbackVictim {

  static final String SECRET = "a secret that both processes know";

  private CallbackVictim() {}

  static HttpCallback http() {
    return HttpCallback.builder().secrets(SECRET).allow("127.0.0.1").build();
  }

  public static void main(String[] args) {
    HttpCallback http = http();
    Outbox outbox =
        Outbox.builder(MySqlStore.embedded(Path.of(args[0])))
            .transport(new RecordingTransport())
            .defaultFrom("shop@example.com")
            .callbackUrl(URI.create(args[1]))
            .callback(notice -> standStill(http.call(notice)))
            .build()
            .start();
    Receipt receipt =
        outbox.send(Email.to("ada@example.com").subject("Hello").text("Hello").build());
    say("stored " + receipt.id());
  }

  private static CallbackResult standStill(CallbackResult answer) {
    say("answered " + answer);
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return answer;
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
