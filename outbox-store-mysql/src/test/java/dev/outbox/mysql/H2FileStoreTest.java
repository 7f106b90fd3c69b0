package dev.outbox.mysql;

import dev.outbox.testkit.OutboxStoreContract;
import dev.outbox.testkit.StoreFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class H2FileStoreTest extends OutboxStoreContract {

  @TempDir static Path folder;

  @Override
  protected StoreFixture open() {
    return new SqlFixture(H2Settings.in("jdbc:h2:file:" + folder.resolve("outbox")), "sa", "");
  }
}
