package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.store.OutboxStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Listens to every log line of every level, those of drivers and pool down to DEBUG, to every
 * exception that our code makes, and to those with their causes that leave a store of the contract,
 * during all tests of this module; fails the class in which something personal was said. JUnit
 * finds it by itself.
 */
public final class Overheard implements BeforeAllCallback, AfterAllCallback {

  /** What the tests use as addresses, subjects and data, or parts of it. */
  private static final List<String> PERSONAL =
      List.of(
          "@example.com",
          "@example.org",
          "@private.example",
          "ada@",
          "lovelace",
          "Analytical",
          "Your order",
          "Thank you",
          "secret subject",
          "secret payload",
          "secret reply",
          "{\"order\"",
          "0x7b226f72646572",
          "7b226f72646572");

  private static final ExtensionContext.Namespace HERE =
      ExtensionContext.Namespace.create(Overheard.class);

  private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();
  private static final AtomicLong LINES = new AtomicLong();
  private static final AtomicLong EXCEPTIONS = new AtomicLong();

  private static final Handler EAR =
      new Handler() {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord line) {
          LINES.incrementAndGet();
          hear(formatter.format(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** Strong references; the log manager has only weak ones. */
  private static final List<Logger> LOGGERS =
      List.of(
          Logger.getLogger("dev.outbox"),
          Logger.getLogger("com.zaxxer"),
          Logger.getLogger("org.jdbi"),
          Logger.getLogger("org.mariadb"),
          Logger.getLogger("com.mysql"),
          Logger.getLogger("MySQL"),
          Logger.getLogger("h2database"));

  static {
    for (Logger logger : LOGGERS) {
      // At their finest, drivers show the bytes on the wire; that is for whoever asks for it.
      boolean driver = !logger.getName().startsWith("dev.outbox");
      logger.setLevel(driver ? Level.FINE : Level.ALL);
      logger.addHandler(EAR);
    }
  }

  /** Returns a store whose exceptions are heard. */
  static OutboxStore store(OutboxStore store) {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                hear(e.getTargetException());
                throw e.getTargetException();
              }
            });
  }

  static void hear(Throwable thrown) {
    EXCEPTIONS.incrementAndGet();
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text, true));
    // Stack frames name our own test methods.
    text.toString().lines().filter(line -> !line.startsWith("\tat ")).forEach(Overheard::hear);
  }

  private static void hear(String text) {
    for (String word : PERSONAL) {
      if (text.contains(word)) {
        LEAKS.add(word + " in: " + text);
      }
    }
  }

  static long lines() {
    return LINES.get();
  }

  static long exceptions() {
    return EXCEPTIONS.get();
  }

  static List<String> leaks() {
    return List.copyOf(LEAKS);
  }

  static void forget() {
    LEAKS.clear();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    LEAKS.clear();
    context.getStore(HERE).put(context.getUniqueId(), new ThrownTexts());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    try (ThrownTexts thrown =
        Objects.requireNonNull(
            context.getStore(HERE).remove(context.getUniqueId(), ThrownTexts.class))) {
      thrown.end().forEach(Overheard::hear);
    }
    assertThat(LEAKS).as("personal data in logs and exceptions").isEmpty();
  }
}
