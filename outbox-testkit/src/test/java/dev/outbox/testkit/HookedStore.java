package dev.outbox.testkit;

import dev.outbox.store.OutboxStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A store that runs an action of a test before or after the calls of a method. */
final class HookedStore {

  private final OutboxStore store;
  private final Map<String, Hook> before = new ConcurrentHashMap<>();
  private final Map<String, Hook> after = new ConcurrentHashMap<>();
  private final List<Call> calls = new CopyOnWriteArrayList<>();

  /** An action with the arguments of a call; what it throws is thrown to the caller. */
  interface Hook {
    void run(List<?> arguments) throws Throwable;
  }

  /** A call of the store. */
  record Call(String method, List<?> arguments) {}

  HookedStore(OutboxStore store) {
    this.store = store;
  }

  OutboxStore store() {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) -> call(method, arguments));
  }

  void before(String method, Hook hook) {
    before.put(method, hook);
  }

  void after(String method, Hook hook) {
    after.put(method, hook);
  }

  void clear() {
    before.clear();
    after.clear();
  }

  /** Returns the arguments of all calls of a method so far. */
  List<List<?>> callsOf(String method) {
    return calls.stream()
        .filter(call -> call.method().equals(method))
        .<List<?>>map(Call::arguments)
        .toList();
  }

  private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    List<?> list =
        arguments == null
            ? List.of()
            : Collections.unmodifiableList(Arrays.asList(arguments.clone()));
    calls.add(new Call(method.getName(), list));
    run(before.get(method.getName()), list);
    try {
      Object answer = method.invoke(store, arguments);
      run(after.get(method.getName()), list);
      return answer;
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static void run(@Nullable Hook hook, List<?> arguments) throws Throwable {
    if (hook != null) {
      hook.run(arguments);
    }
  }
}
