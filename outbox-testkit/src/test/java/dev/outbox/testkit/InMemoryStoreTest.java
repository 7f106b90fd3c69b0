package dev.outbox.testkit;

import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoreWriter;
import java.time.Duration;

class InMemoryStoreTest extends OutboxStoreContract {

  @Override
  protected StoreFixture open() {
    return new Fixture(new InMemoryStore());
  }

  private record Fixture(InMemoryStore store) implements StoreFixture {

    @Override
    public OutboxStore another() {
      return store;
    }

    @Override
    public void advance(Duration time) {
      store.advance(time);
    }

    @Override
    public JoinedTransaction begin() {
      return new Joined(store.begin());
    }

    @Override
    public void close() {
      store.close();
    }
  }

  private record Joined(InMemoryTransaction transaction) implements StoreFixture.JoinedTransaction {

    @Override
    public StoreWriter writer() {
      return transaction;
    }

    @Override
    public void commit() {
      transaction.commit();
    }

    @Override
    public void rollback() {
      transaction.rollback();
    }
  }
}
