package dev.outbox.testsupport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/** Collects log lines until it is closed. SLF4J has to write to java.util.logging. */
public final class LogLines extends Handler implements AutoCloseable {

  private final Logger logger;
  private final @Nullable Level level;
  private final boolean parentHandlers;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  /** Collects all that the library logs; nothing of it is printed meanwhile. */
  public LogLines() {
    this(Logger.getLogger("dev.outbox"));
    logger.setUseParentHandlers(false);
  }

  /** Collects what one class logs, which other handlers get too. */
  public LogLines(Class<?> source) {
    this(Logger.getLogger(source.getName()));
  }

  private LogLines(Logger logger) {
    this.logger = logger;
    this.level = logger.getLevel();
    this.parentHandlers = logger.getUseParentHandlers();
    logger.setLevel(Level.ALL);
    logger.addHandler(this);
  }

  /** Returns all lines as they would be written, with what was thrown. */
  public List<String> all() {
    return records.stream().map(new SimpleFormatter()::format).toList();
  }

  /** Returns the lines of a level as they would be written, with what was thrown. */
  public List<String> of(Level wanted) {
    return records.stream()
        .filter(line -> line.getLevel().equals(wanted))
        .map(new SimpleFormatter()::format)
        .toList();
  }

  /** Returns the messages of a level, without time, source and what was thrown. */
  public List<String> messages(Level wanted) {
    return records.stream()
        .filter(line -> line.getLevel().equals(wanted))
        .map(new SimpleFormatter()::formatMessage)
        .toList();
  }

  @Override
  public void publish(LogRecord line) {
    records.add(line);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(parentHandlers);
    logger.setLevel(level);
  }
}
