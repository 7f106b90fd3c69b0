package dev.outbox.testkit;

import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoreException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What stands between an outbox and its store, and can be in the way. */
final class Faults implements InvocationHandler {

  private final OutboxStore store;
  private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
  private final Set<String> losingAnswers = ConcurrentHashMap.newKeySet();
  private final Map<String, Predicate<Object>> rejected = new ConcurrentHashMap<>();
  private final Map<String, Runnable> before = new ConcurrentHashMap<>();
  private final Map<String, Consumer<List<?>>> after = new ConcurrentHashMap<>();
  private volatile boolean down;
  private boolean frozen;

  Faults(OutboxStore store) {
    this.store = store;
  }

  /** Returns the store as seen through these faults. */
  OutboxStore seen() {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, this);
  }

  /** Makes every call fail, before it reaches the store. */
  void down(boolean on) {
    down = on;
  }

  boolean isDown() {
    return down;
  }

  /** Lets calls of a method reach the store, and fail on their way back. */
  void loseAnswersOf(String method) {
    losingAnswers.add(method);
  }

  void loseNoAnswers() {
    losingAnswers.clear();
  }

  /**
   * Makes calls of a method fail with {@code REJECTED_DATA}, as if the store could not keep one of
   * the emails.
   *
   * @param bad says which claims or completions the store rejects
   */
  void reject(String method, Predicate<Object> bad) {
    rejected.put(method, bad);
  }

  void rejectNothing() {
    rejected.clear();
  }

  /** Does something before each call of a method reaches the store; it may throw. */
  void before(String method, Runnable action) {
    before.put(method, action);
  }

  /** Does something with the claims or completions of each call of a method that succeeded. */
  void after(String method, Consumer<List<?>> action) {
    after.put(method, action);
  }

  void beforeNothing() {
    before.clear();
  }

  /** Holds every call back, as if the process stood still. */
  synchronized void freeze() {
    frozen = true;
  }

  /** Lets all calls go that were held back. */
  synchronized void thaw() {
    frozen = false;
    notifyAll();
  }

  private synchronized void awaitThaw() throws InterruptedException {
    while (frozen) {
      wait();
    }
  }

  int callsOf(String method) {
    AtomicInteger count = calls.get(method);
    return count == null ? 0 : count.get();
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    calls.computeIfAbsent(method.getName(), name -> new AtomicInteger()).incrementAndGet();
    awaitThaw();
    if (down) {
      throw new StoreException(StoreException.Reason.UNAVAILABLE, "what the fault says", null);
    }
    before.getOrDefault(method.getName(), () -> {}).run();
    if (isRejected(method.getName(), arguments)) {
      throw new StoreException(StoreException.Reason.REJECTED_DATA, "data too long", null);
    }
    try {
      Object answer = method.invoke(store, arguments);
      if (losingAnswers.contains(method.getName())) {
        throw new StoreException(StoreException.Reason.UNAVAILABLE, "answer lost", null);
      }
      Consumer<List<?>> action = after.get(method.getName());
      if (action != null && arguments != null) {
        action.accept((List<?>) arguments[0]);
      }
      return answer;
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private boolean isRejected(String method, Object @Nullable [] arguments) {
    Predicate<Object> bad = rejected.get(method);
    return bad != null
        && arguments != null
        && arguments[0] instanceof List<?> list
        && list.stream().anyMatch(bad);
  }
}
