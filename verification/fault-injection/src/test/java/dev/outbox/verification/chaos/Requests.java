package dev.outbox.verification.chaos;

import dev.outbox.CancelResult;
import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.Receipt;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The mixture of requests that a producer makes, each written down before and after. */
final class Requests {

  private static final int GROUP = 15;
  private static final int LARGE_SQL = 12 << 10;
  private static final int LARGE_DYNAMODB = 450_000;

  private final NodeSettings settings;
  private final Map<Line, Place> places;
  private final Map<Line, Outbox> outboxes;
  private final WatchedSends sends;
  private final Journal journal;
  private final CountDownLatch never = new CountDownLatch(1);
  private int counter;

  Requests(
      NodeSettings settings,
      Map<Line, Place> places,
      Map<Line, Outbox> outboxes,
      WatchedSends sends,
      Journal journal) {
    this.settings = settings;
    this.places = places;
    this.outboxes = outboxes;
    this.sends = sends;
    this.journal = journal;
  }

  void next(Random random) throws Exception {
    Line line = random.nextInt(3) == 0 ? Line.HOLD : Line.RESEND;
    int kind = random.nextInt(100);
    if (kind < 50) {
      send(line, request(random));
    } else if (kind < 60) {
      sendAll(line, random);
    } else if (kind < 68) {
      twice(line, request(random));
    } else if (kind < 78) {
      join(line, request(random), random.nextBoolean());
    } else if (kind < 85) {
      cancel(line, send(line, request(random)), random);
    } else if (kind < 92) {
      cancelAndRequeue(line, send(line, request(random)), random);
    } else {
      erase(line, send(line, request(random)), random);
    }
  }

  private Request request(Random random) {
    Request request = Request.plain(settings.name() + "-" + counter++);
    int kind = random.nextInt(100);
    if (kind < 25) {
      request = request.callback(callback(random.nextInt(12) == 0 ? "never" : "told"));
    } else if (kind < 29) {
      request = request.fate(Request.Fate.REFUSED);
    } else if (kind < 30) {
      request = request.fate(Request.Fate.PUT_OFF);
    } else if (kind < 32) {
      request = request.withWrongData();
    } else if (kind < (settings.store() == StoreKind.DYNAMODB ? 34 : 44)) {
      request =
          request.padding(settings.store() == StoreKind.DYNAMODB ? LARGE_DYNAMODB : LARGE_SQL);
    }
    return request;
  }

  private URI callback(String path) {
    return URI.create("http://127.0.0.1:" + settings.callbacks() + "/" + path);
  }

  private EmailId send(Line line, Request request) {
    journal.write(JournalVerb.ASKING, line, request.name());
    return accepted(line, request, sends.send(line, request.email()));
  }

  private EmailId accepted(Line line, Request request, Receipt receipt) {
    journal.write(
        JournalVerb.ACCEPTED,
        line,
        request.name(),
        receipt.id(),
        receipt.created(),
        Objects.requireNonNullElse(request.key(), "-"));
    return receipt.id();
  }

  private void sendAll(Line line, Random random) {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < GROUP; i++) {
      requests.add(request(random));
    }
    requests.forEach(request -> journal.write(JournalVerb.ASKING, line, request.name()));
    List<Receipt> receipts = sends.sendAll(line, requests.stream().map(Request::email).toList());
    for (int i = 0; i < GROUP; i++) {
      accepted(line, requests.get(i), receipts.get(i));
    }
  }

  /** The same request by somebody who did not hear the answer, a moment later and again. */
  private void twice(Line line, Request request) throws InterruptedException {
    Request keyed = request.key("own-" + request.name());
    for (int i = 0; i < 3; i++) {
      send(line, keyed);
      pause(30);
    }
  }

  private void join(Line line, Request request, boolean commits) throws Exception {
    if (commits) {
      journal.write(JournalVerb.ASKING, line, request.name());
    }
    Objects.requireNonNull(places.get(line))
        .join(
            outbox(line),
            request.email(),
            commits,
            receipt -> {
              if (commits) {
                accepted(line, request, receipt);
              } else {
                journal.write(JournalVerb.ROLLED_BACK, line, request.name(), receipt.id());
              }
            });
  }

  private void cancel(Line line, EmailId id, Random random) throws InterruptedException {
    pause(random.nextInt(40));
    journal.write(JournalVerb.CANCELLING, line, id);
    if (outbox(line).cancel(id) == CancelResult.CANCELLED) {
      journal.write(JournalVerb.CANCELLED, line, id);
    }
  }

  private void cancelAndRequeue(Line line, EmailId id, Random random) throws InterruptedException {
    cancel(line, id, random);
    journal.write(JournalVerb.REQUEUEING, line, id);
    if (outbox(line).requeue(id)) {
      journal.write(JournalVerb.REQUEUED, line, id);
    }
  }

  private void erase(Line line, EmailId id, Random random) throws InterruptedException {
    pause(random.nextInt(80));
    journal.write(JournalVerb.ERASING, line, id);
    if (outbox(line).erase(id)) {
      journal.write(JournalVerb.ERASED, line, id);
    }
  }

  private void pause(int millis) throws InterruptedException {
    never.await(millis, TimeUnit.MILLISECONDS);
  }

  private Outbox outbox(Line line) {
    return Objects.requireNonNull(outboxes.get(line));
  }
}
