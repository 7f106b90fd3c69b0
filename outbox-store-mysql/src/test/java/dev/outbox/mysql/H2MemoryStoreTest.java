package dev.outbox.mysql;

import dev.outbox.testkit.OutboxStoreContract;
import dev.outbox.testkit.StoreFixture;

class H2MemoryStoreTest extends OutboxStoreContract {

  @Override
  protected StoreFixture open() {
    return new SqlFixture(H2Settings.in("jdbc:h2:mem:contract"), "sa", "");
  }
}
