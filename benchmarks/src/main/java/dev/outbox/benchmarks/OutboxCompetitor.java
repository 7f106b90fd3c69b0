package dev.outbox.benchmarks;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** This library with everything at its default, on one node or several. */
final class OutboxCompetitor implements Competitor {

  private static final int CHUNK = 1_000;

  private final String name;
  private final List<MySqlStore> stores;
  private final List<Outbox> running = new ArrayList<>();
  private final Supplier<Transport> transport;
  private final List<Email> batch = SampleOrder.emails(0, CHUNK);

  OutboxCompetitor(String name, DatabaseServer server, Supplier<Transport> transport, int nodes) {
    this(name, Stream.generate(server::store).limit(nodes).toList(), transport);
  }

  /** Lets a node work on each of the stores. */
  OutboxCompetitor(String name, List<MySqlStore> stores, Supplier<Transport> transport) {
    this.name = name;
    this.stores = stores;
    this.transport = transport;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void fill(int emails) {
    try (Outbox outbox = Outbox.builder(stores.get(0)).templates(SampleOrder.TEMPLATES).build()) {
      for (int i = 0; i < emails; i += CHUNK) {
        outbox.sendAll(batch.subList(0, Math.min(CHUNK, emails - i)));
      }
    }
  }

  @Override
  public void drain(int emails) {
    SentCounter counter = new SentCounter();
    for (MySqlStore store : stores) {
      running.add(
          Outbox.builder(store)
              .nodeName("node-" + running.size())
              .metrics(counter)
              .transport(transport.get())
              .templates(SampleOrder.TEMPLATES)
              .build()
              .start());
    }
    counter.awaitSent(emails);
  }

  @Override
  public void rest() {
    running.forEach(Outbox::close);
    running.clear();
  }
}
