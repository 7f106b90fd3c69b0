package dev.outbox.mysql;

import dev.outbox.testkit.OutboxStoreContract;
import dev.outbox.testkit.StoreFixture;
import dev.outbox.testsupport.MariaDbServer;

class MariaDbStoreTest extends OutboxStoreContract {

  @Override
  protected StoreFixture open() {
    return new SqlFixture(MariaDbServer.shared().url(), "root", "");
  }
}
