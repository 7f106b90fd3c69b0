package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.email.Timeline;
import dev.outbox.store.ClaimRef;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.StateCount;
import dev.outbox.store.StoredContent;
import dev.outbox.store.StoredEmail;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares a store with the model. Times are counted from when the first email was stored, by the
 * store's own clock; as they are whole units of the walk in the model, a store may be late by half
 * a unit and not be mistaken.
 */
final class ModelCheck {

  private static final Duration SLACK = RandomOperations.UNIT.dividedBy(2);
  private static final int ALL = 10_000;

  private final StoreModel model;
  private final EmailId first;

  ModelCheck(StoreModel model, EmailId first) {
    this.model = model;
    this.first = first;
  }

  /** Returns what time it was, by the store's clock as it is now, when the walk began. */
  Instant start(OutboxStore store) {
    return store.find(first).orElseThrow().summary().timeline().created();
  }

  /** Compares all that can be seen at little cost. */
  void surface(OutboxStore store) {
    List<EmailSummary> found = store.query(EmailQuery.all(), null, ALL).emails();
    List<EmailId> ids = new ArrayList<>(model.emails.keySet());
    Collections.reverse(ids);
    assertThat(found).as("all emails").extracting(EmailSummary::id).isEqualTo(ids);
    Instant start = found.get(found.size() - 1).timeline().created();
    found.forEach(email -> same(email, start));
  }

  /** Compares what is counted, and what each node holds. */
  void countsAndClaims(OutboxStore store) {
    stats(store.stats());
    model.nodes.keySet().forEach(node -> held(store, node));
  }

  /** Compares some emails with all that is stored about them. */
  void inFull(OutboxStore store, Collection<EmailId> ids) {
    Instant start = ids.isEmpty() ? Instant.EPOCH : start(store);
    for (EmailId id : ids) {
      ModelEmail email = model.emails.get(id);
      if (email == null) {
        assertThat(store.find(id)).as("an email that is gone").isEmpty();
        assertThat(store.history(id)).as("history of an email that is gone").isEmpty();
        continue;
      }
      StoredEmail found = store.find(id).orElseThrow();
      same(found.summary(), start);
      assertThat(found.content()).as("content of %s", email.state).isEqualTo(content(email));
      history(store.history(id), email, start);
    }
  }

  static @Nullable StoredContent content(ModelEmail email) {
    return email.payload == null ? null : new StoredContent(email.payload, email.composed);
  }

  void same(EmailSummary found, Instant start) {
    ModelEmail email = model.email(found.id());
    assertThat(found.state()).as("state").isEqualTo(email.state);
    String where = " of an email that is " + email.state;
    assertThat(found.archived()).as("archived" + where).isEqualTo(email.archived);
    assertThat(found.addressesAndSubject()).as("headline" + where).isEqualTo(headline(email));
    assertThat(found.priority()).as("priority" + where).isEqualTo(email.request.priority());
    assertThat(found.template()).as("template" + where).isEqualTo(email.request.template());
    assertThat(found.tags()).as("tags" + where).isEqualTo(email.request.tags());
    assertThat(found.requestId()).as("request" + where).isEqualTo(email.request.requestId());
    assertThat(found.callbackUrl()).as("callback" + where).isEqualTo(email.request.callbackUrl());
    assertThat(found.progress()).as("progress" + where).isEqualTo(email.progress);
    assertThat(found.owner()).as("owner" + where).isEqualTo(email.owner);
    assertThat(found.worker()).as("worker" + where).isEqualTo(email.worker);
    assertThat(found.code()).as("code" + where).isEqualTo(email.code);
    words("reason" + where, found.reason(), email.reason);
    words("response" + where, found.response(), email.response);
    assertThat(found.recipients()).as("recipients" + where).isEqualTo(email.recipients);
    Timeline times = found.timeline();
    time("created" + where, start, times.created(), email.created);
    time("preparing" + where, start, times.preparing(), email.preparing);
    time("prepared" + where, start, times.prepared(), email.prepared);
    time("sending" + where, start, times.sending(), email.sending);
    time("sent" + where, start, times.sent(), email.sent);
    time("settled" + where, start, times.settled(), email.settled);
    time("updated" + where, start, times.updated(), email.updated);
    time("due" + where, start, found.due(), email.due);
    time("deadline" + where, start, found.deadline(), email.deadline);
  }

  private static @Nullable AddressesAndSubject headline(ModelEmail email) {
    AddressesAndSubject given = email.request.addressesAndSubject();
    return email.erased
        ? null
        : new AddressesAndSubject(given.from(), given.recipients(), email.subject);
  }

  private static void words(String what, @Nullable String found, @Nullable String wanted) {
    if (ModelEmail.OWN_WORDS.equals(wanted)) {
      assertThat(found).as(what).isNotBlank();
    } else {
      assertThat(found).as(what).isEqualTo(wanted);
    }
  }

  private static void time(
      String what, Instant start, @Nullable Instant found, @Nullable ModelTime wanted) {
    if (found == null || wanted == null) {
      assertThat(found).as(what).isNull();
      assertThat(wanted).as("the model's " + what).isNull();
    } else {
      age(what, Duration.between(start, found), wanted.moved());
    }
  }

  /** Compares two durations; the store's may be a little longer. */
  static void age(String what, Duration found, Duration wanted) {
    assertThat(found).as(what).isBetween(wanted, wanted.plus(SLACK));
  }

  private static void history(List<HistoryRecord> rows, ModelEmail email, Instant start) {
    String where = " in the history of an email that is " + email.state;
    assertThat(rows)
        .as("states reached" + where)
        .extracting(HistoryRecord::to)
        .isEqualTo(email.history.stream().map(ModelHistoryEntry::to).toList());
    for (int i = 0; i < rows.size(); i++) {
      HistoryRecord row = rows.get(i);
      ModelHistoryEntry step = email.history.get(i);
      assertThat(row.from()).as("from" + where).isEqualTo(step.from());
      time("at" + where, start, row.at(), step.at());
      time("preparing" + where, start, row.preparing(), step.preparing());
      time("sending" + where, start, row.sending(), step.sending());
      assertThat(row.generation()).as("generation" + where).isEqualTo(step.generation());
      assertThat(row.attempt()).as("attempt" + where).isEqualTo(step.attempt());
      assertThat(row.node()).as("node" + where).isEqualTo(step.node());
      assertThat(row.code()).as("code" + where).isEqualTo(step.code());
      words("reason" + where, row.reason(), step.reason());
      words("detail" + where, row.detail(), step.detail());
    }
  }

  private void stats(Map<State, StateCount> counts) {
    Map<State, List<ModelEmail>> byState = new EnumMap<>(State.class);
    model.emails.values().stream()
        .filter(email -> !email.archived)
        .forEach(email -> byState.computeIfAbsent(email.state, s -> new ArrayList<>()).add(email));
    assertThat(counts.keySet()).as("states that are counted").isEqualTo(byState.keySet());
    byState.forEach(
        (state, emails) -> {
          StateCount count = Objects.requireNonNull(counts.get(state));
          assertThat(count.count()).as("emails in %s", state).isEqualTo(emails.size());
          ModelTime oldest = Collections.min(emails.stream().map(email -> email.created).toList());
          age("age of " + state, count.oldest(), since(oldest));
          Duration overdue =
              emails.stream()
                  .flatMap(email -> Stream.ofNullable(email.due))
                  .filter(due -> due.isReachedBy(model.now()))
                  .map(this::since)
                  .max(Duration::compareTo)
                  .orElse(Duration.ZERO);
          age("overdue in " + state, count.overdue(), overdue);
        });
  }

  private Duration since(ModelTime past) {
    return model.now().moved().minus(past.moved());
  }

  private void held(OutboxStore store, NodeId node) {
    List<ClaimRef> expected =
        model.heldBy(node).stream()
            .map(
                email ->
                    new ClaimRef(
                        email.request.id(), Objects.requireNonNull(email.standing), email.state))
            .toList();
    assertThat(store.claimsOf(node, ALL))
        .as("what a node holds")
        .containsExactlyInAnyOrderElementsOf(expected);
  }
}
