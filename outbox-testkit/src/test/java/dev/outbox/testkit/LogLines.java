package dev.outbox.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Every line that the outbox logs, as it would be written, with what was thrown. */
final class LogLines extends Handler implements AutoCloseable {

  private final Logger logger = Logger.getLogger("dev.outbox");
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  /** Listens from now on. */
  LogLines() {
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  List<String> all() {
    return records.stream().map(new SimpleFormatter()::format).toList();
  }

  List<String> of(Level level) {
    return records.stream()
        .filter(record -> record.getLevel().equals(level))
        .map(new SimpleFormatter()::format)
        .toList();
  }

  @Override
  public void publish(LogRecord record) {
    records.add(record);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }
}
