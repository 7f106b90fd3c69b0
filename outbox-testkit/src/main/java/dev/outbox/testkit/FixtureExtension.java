package dev.outbox.testkit;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Opens a fixture for each test, by asking the store's own test class, and closes it after. */
final class FixtureExtension implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == StoreFixture.class;
  }

  @Override
  public StoreFixture resolveParameter(ParameterContext parameter, ExtensionContext test) {
    StoreFixture fixture =
        test.getRequiredTestInstances()
            .findInstance(OutboxStoreContract.class)
            .orElseThrow(() -> new IllegalStateException("not inside an OutboxStoreContract"))
            .open();
    // What is put here is closed when the test has ended.
    test.getStore(Namespace.create(FixtureExtension.class)).put(test.getUniqueId(), fixture);
    return fixture;
  }
}
