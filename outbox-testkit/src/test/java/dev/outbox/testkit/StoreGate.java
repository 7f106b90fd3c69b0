package dev.outbox.testkit;

import dev.outbox.store.OutboxStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** A store that throws, at the methods a test names, instead of doing what it is asked. */
final class StoreGate {

  private final Map<String, Supplier<? extends Throwable>> failures = new ConcurrentHashMap<>();
  private final OutboxStore store;

  StoreGate(OutboxStore behind) {
    this.store =
        (OutboxStore)
            Proxy.newProxyInstance(
                StoreGate.class.getClassLoader(),
                new Class<?>[] {OutboxStore.class},
                (proxy, method, args) -> {
                  Supplier<? extends Throwable> failure = failures.get(method.getName());
                  if (failure != null) {
                    throw failure.get();
                  }
                  try {
                    return method.invoke(behind, args);
                  } catch (InvocationTargetException e) {
                    throw e.getTargetException();
                  }
                });
  }

  OutboxStore store() {
    return store;
  }

  void fail(String method, Supplier<? extends Throwable> failure) {
    failures.put(method, failure);
  }

  void heal() {
    failures.clear();
  }
}
