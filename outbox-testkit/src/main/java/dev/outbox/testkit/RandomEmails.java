package dev.outbox.testkit;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.Priority;
import dev.outbox.store.NewEmail;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The emails of a random walk: few kinds, so that they often have something in common. */
final class RandomEmails {

  static final String[] RECIPIENTS = {"ada@example.com", "grace@example.com", "alan@example.com"};
  static final String[] TEMPLATES = {"welcome", "goodbye"};
  static final String[] TAGS = {"vip", "orders"};

  private static final String[] KEYS = {"one", "two", "three", "four"};
  private static final String[] CONTENTS = {"this", "that"};

  private final Random random;
  private final long start = System.currentTimeMillis();
  private int made;

  RandomEmails(Random random) {
    this.random = random;
  }

  NewEmail next(@Nullable Instant sendAt) {
    SampleEmail sample =
        SampleEmail.email()
            .id(nextId())
            .to(one(RECIPIENTS))
            .template(random.nextInt(4) == 0 ? null : one(TEMPLATES))
            .subject(random.nextInt(3) == 0 ? null : "Hello " + made)
            .priority(one(Priority.values()))
            .lifetime(Duration.ofHours(1 + random.nextInt(48)))
            .payload(Bytes.owned(new byte[1 + random.nextInt(200)]));
    if (random.nextBoolean()) {
      sample.callback();
    }
    if (random.nextInt(3) == 0) {
      sample.cc(one(RECIPIENTS));
    }
    if (random.nextInt(3) == 0) {
      sample.tags(one(TAGS));
    }
    if (random.nextInt(3) == 0) {
      sample.requestId("request-" + made);
    }
    if (random.nextInt(5) < 2) {
      sample.key(one(KEYS), one(CONTENTS));
    }
    if (sendAt != null) {
      sample.sendAt(sendAt);
    }
    return sample.build();
  }

  /** Returns a plain email for a time. */
  NewEmail at(Instant sendAt) {
    return SampleEmail.email().id(nextId()).sendAt(sendAt).build();
  }

  List<NewEmail> oneForEachKey() {
    List<NewEmail> emails = new ArrayList<>();
    for (String key : KEYS) {
      emails.add(SampleEmail.email().key(key, CONTENTS[0]).build());
    }
    return emails;
  }

  /** Returns ids in order, of which only the time is another when a seed is played again. */
  private EmailId nextId() {
    long high = (start + made++) << 16 | 0x7000 | random.nextInt(0x1000);
    return new EmailId(new UUID(high, random.nextLong() >>> 2 | Long.MIN_VALUE));
  }

  private <T> T one(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
