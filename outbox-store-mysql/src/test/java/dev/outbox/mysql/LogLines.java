package dev.outbox.mysql;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Collects the log lines of one class. */
final class LogLines extends Handler implements AutoCloseable {

  private final Logger logger;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  LogLines(Class<?> source) {
    this.logger = Logger.getLogger(source.getName());
    logger.setLevel(Level.ALL);
    logger.addHandler(this);
  }

  List<String> at(Level level) {
    SimpleFormatter formatter = new SimpleFormatter();
    return records.stream()
        .filter(each -> each.getLevel().equals(level))
        .map(formatter::formatMessage)
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
  }
}
