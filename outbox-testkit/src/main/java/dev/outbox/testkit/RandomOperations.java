package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.store.ActionResult;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutboxStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A random life of a store, and of the model beside it. Each step asks both the same, of either of
 * two stores on the same data, and compares the answers and then what can be seen.
 *
 * <p>No email is given a time that is over: a store may look for those twice a second only. And
 * time is moved on by less than a day in all, since where a store keeps an email may follow from
 * the time in its id, which does not move.
 */
final class RandomOperations {

  /** All times of a walk are multiples of this; a walk takes much less. */
  static final Duration UNIT = Duration.ofMinutes(10);

  private static final int UNITS_AT_MOST = 120;
  private static final int CHECK_MORE_EVERY = 5;
  private static final int MANY = 12;
  private static final Instant FAR_AWAY = Instant.parse("2100-01-01T00:00:00Z");

  private final StoreFixture fixture;
  private final Random random;
  private final StoreModel model = new StoreModel();
  private final RandomEmails samples;
  private final RandomClaims claims;
  private final ModelCheck check;
  private final EmailId first;
  private final List<NewEmail> inserted = new ArrayList<>();
  private final Map<EmailId, ModelTime> sendAt = new HashMap<>();
  private final List<String> story = new ArrayList<>();
  private final Set<EmailId> touched = new LinkedHashSet<>();

  RandomOperations(StoreFixture fixture, long seed) {
    this.fixture = fixture;
    this.random = new Random(seed);
    this.samples = new RandomEmails(random);
    NewEmail anchor = samples.at(FAR_AWAY);
    this.first = anchor.id();
    this.check = new ModelCheck(model, first);
    this.claims = new RandomClaims(model, check, random);
    fixture.store().insert(List.of(anchor));
    EmailSummary stored = fixture.store().find(first).orElseThrow().summary();
    Duration away =
        Duration.between(stored.timeline().created(), Objects.requireNonNull(stored.due()));
    model.insert(anchor, any -> new ModelTime(away, -1));
  }

  void go(int steps) {
    for (int i = 1; i <= steps; i++) {
      model.nextStep();
      touched.clear();
      story.add("");
      step();
      check.surface(any());
      check.inFull(any(), touched);
      if (i % CHECK_MORE_EVERY == 0) {
        check.countsAndClaims(any());
        keys();
      }
      if (i == steps) {
        check.inFull(any(), model.emails.keySet());
      }
    }
  }

  /** Tells the steps that were made, one in a line. */
  String story() {
    return String.join(System.lineSeparator(), story);
  }

  private void step() {
    // A few emails with long lives tell more than many with short ones.
    int size = model.emails.size();
    int dice = size < 4 ? 0 : random.nextInt(100);
    if (dice < 18 && size > MANY) {
      dice += 18;
    }
    if (dice < 14) {
      insert();
    } else if (dice < 18) {
      insertJoined();
    } else if (dice < 20) {
      insertAgain();
    } else if (dice < 44) {
      claims.claim(any(), this::tell);
    } else if (dice < 52) {
      claims.proceed(any(), this::tell);
    } else if (dice < 74) {
      claims.complete(any(), this::tell);
    } else if (dice < 79) {
      claims.reap(any(), this::tell);
    } else if (dice < 82) {
      claims.beat(any(), this::tell);
    } else if (dice < 83) {
      claims.retire(any(), this::tell);
    } else if (dice < 90) {
      move();
    } else if (dice < 93) {
      query();
    } else if (dice < 95) {
      prune();
    } else {
      advance();
    }
    touched.addAll(claims.touched());
  }

  private OutboxStore any() {
    return random.nextBoolean() ? fixture.store() : fixture.another();
  }

  private void tell(String what, @Nullable Object answer) {
    story.set(story.size() - 1, "%3d %s: %s".formatted(model.now().step(), what, answer));
  }

  private List<NewEmail> fresh() {
    List<NewEmail> emails = new ArrayList<>();
    Instant start = check.start(fixture.store());
    for (int i = random.nextInt(3); i >= 0; i--) {
      ModelTime later =
          new ModelTime(model.now().moved().plus(UNIT.multipliedBy(1 + random.nextInt(3))), -1);
      boolean waits = random.nextInt(4) == 0;
      NewEmail email = samples.next(waits ? start.plus(later.moved()) : null);
      emails.add(email);
      sendAt.put(email.id(), waits ? later : model.now());
    }
    return emails;
  }

  private ModelTime due(NewEmail email) {
    return Objects.requireNonNull(sendAt.get(email.id()));
  }

  private List<InsertResult> inModel(List<NewEmail> emails) {
    emails.forEach(email -> touched.add(email.id()));
    return emails.stream().map(email -> model.insert(email, this::due)).toList();
  }

  private void insert() {
    List<NewEmail> emails = fresh();
    inserted.addAll(emails);
    List<InsertResult> answers = any().insert(emails);
    tell("insert " + emails, answers);
    assertThat(answers).as("answers of an insert").isEqualTo(inModel(emails));
  }

  private void insertJoined() {
    List<NewEmail> emails = fresh();
    boolean commits = random.nextBoolean();
    StoreFixture.JoinedTransaction transaction = fixture.begin();
    AtomicInteger told = new AtomicInteger();
    List<InsertResult> answers = transaction.writer().insert(emails);
    transaction.writer().afterCommit(told::incrementAndGet);
    tell((commits ? "committed" : "rolled back") + " insert " + emails, answers);
    assertThat(told).as("told before the commit").hasValue(0);
    if (commits) {
      transaction.commit();
      assertThat(answers).as("answers of a joined insert").isEqualTo(inModel(emails));
    } else {
      transaction.rollback();
      emails.forEach(email -> touched.add(email.id()));
    }
    assertThat(told).as("told of the commit").hasValue(commits ? 1 : 0);
  }

  /** Repeats an insert whose answer was lost; callers do so while its email is in the queue. */
  private void insertAgain() {
    List<NewEmail> waiting =
        inserted.stream()
            .filter(email -> model.emails.containsKey(email.id()))
            .filter(email -> !model.email(email.id()).archived)
            .toList();
    if (!waiting.isEmpty()) {
      List<NewEmail> emails = List.of(waiting.get(random.nextInt(waiting.size())));
      List<InsertResult> answers = any().insert(emails);
      tell("insert again " + emails, answers);
      assertThat(answers).as("answers of a repeated insert").isEqualTo(inModel(emails));
    }
  }

  private void move() {
    List<EmailId> ids = new ArrayList<>(model.emails.keySet());
    ids.remove(first);
    Collections.shuffle(ids, random);
    List<EmailId> some =
        new ArrayList<>(ids.subList(0, Math.min(ids.size(), 1 + random.nextInt(3))));
    if (random.nextInt(5) == 0) {
      some.add(samples.next(null).id());
    }
    if (random.nextInt(5) == 0 && !ids.isEmpty()) {
      some.add(ids.get(0));
    }
    // Erasing ends more lives than it tells about.
    OperatorAction move =
        random.nextInt(6) == 0
            ? OperatorAction.ERASE
            : random.nextInt(3) == 0 ? OperatorAction.CANCEL : OperatorAction.REQUEUE;
    List<ActionResult> answers = any().apply(move, some);
    tell(move + " " + some, answers);
    touched.addAll(some);
    assertThat(answers)
        .as("answers of %s", move)
        .isEqualTo(some.stream().map(id -> model.move(move, id)).toList());
  }

  private void query() {
    Instant start = check.start(fixture.store());
    RandomQuery wanted = RandomQuery.next(random, model.now());
    EmailQuery query = wanted.at(start);
    List<EmailId> expected = new ArrayList<>();
    for (ModelEmail email : model.emails.values()) {
      if (wanted.matches(email)) {
        expected.add(0, email.request.id());
      }
    }
    int limit = 1 + random.nextInt(5);
    tell("query " + query + " by " + limit, expected);
    OutboxStore store = any();
    List<EmailId> found = new ArrayList<>();
    EmailId after = null;
    do {
      EmailPage page = store.query(query, after, limit);
      assertThat(page.emails()).as("emails on a page").hasSizeBetween(0, limit);
      page.emails().forEach(email -> found.add(email.id()));
      after = page.next();
    } while (after != null && found.size() <= expected.size());
    assertThat(found).as("what a query finds").isEqualTo(expected);
  }

  private void prune() {
    RandomPruning pruning = RandomPruning.next(random);
    touched.addAll(pruning.prune(any(), model, this::tell));
  }

  private void advance() {
    Duration time = UNIT.multipliedBy(1 + random.nextInt(random.nextInt(4) == 0 ? 20 : 4));
    if (model.now().moved().plus(time).compareTo(UNIT.multipliedBy(UNITS_AT_MOST)) <= 0) {
      fixture.advance(time);
      model.advance(time);
      tell("advance", time);
    }
  }

  /** Asks after every key, in a transaction that is rolled back. */
  private void keys() {
    List<NewEmail> questions = samples.oneForEachKey();
    StoreFixture.JoinedTransaction transaction = fixture.begin();
    List<InsertResult> answers = transaction.writer().insert(questions);
    transaction.rollback();
    assertThat(answers)
        .as("who has each key")
        .isEqualTo(questions.stream().map(model::answer).toList());
  }
}
