package dev.outbox.javalin;

import dev.outbox.store.OutboxStore;
import dev.outbox.testkit.InMemoryStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store that remembers what it was asked. */
final class CountingStore {

  private final InMemoryStore store = new InMemoryStore();
  private final List<String> questions = new ArrayList<>();
  private @Nullable RuntimeException failure;

  /** Returns the store to be asked. */
  OutboxStore store() {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, this::ask);
  }

  private @Nullable Object ask(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    synchronized (questions) {
      questions.add(
          method.getName().equals("query") && arguments != null
              ? "query " + arguments[2]
              : method.getName());
    }
    RuntimeException thrown = failure;
    if (thrown != null) {
      throw thrown;
    }
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  void fail(@Nullable RuntimeException thrown) {
    failure = thrown;
  }

  void advance(Duration duration) {
    store.advance(duration);
  }

  void forget() {
    synchronized (questions) {
      questions.clear();
    }
  }

  List<String> questions() {
    synchronized (questions) {
      return List.copyOf(questions);
    }
  }
}
