package dev.outbox.smtp;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Everything that is logged or printed in this JVM until it is closed: every logger is at ALL,
 * those created meanwhile included. SLF4J writes to java.util.logging here.
 */
final class LogCapture implements AutoCloseable {

  private final Logger root = Logger.getLogger("");
  private final Map<Logger, Level> levels = new HashMap<>();
  private final List<LogRecord> records = Collections.synchronizedList(new ArrayList<>());
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          records.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private LogCapture() {}

  static LogCapture start() {
    LogCapture capture = new LogCapture();
    LogManager manager = LogManager.getLogManager();
    for (String name : Collections.list(manager.getLoggerNames())) {
      Logger logger = manager.getLogger(name);
      if (logger != null) {
        capture.levels.put(logger, logger.getLevel());
      }
    }
    capture.levels.keySet().forEach(logger -> logger.setLevel(Level.ALL));
    capture.root.setLevel(Level.ALL);
    capture.handler.setLevel(Level.ALL);
    capture.root.addHandler(capture.handler);
    PrintStream stream = new PrintStream(capture.printed, true, StandardCharsets.UTF_8);
    System.setOut(stream);
    System.setErr(stream);
    return capture;
  }

  /** Returns all of it, with messages, parameters and stack traces. */
  String text() {
    StringBuilder text = new StringBuilder(printed.toString(StandardCharsets.UTF_8));
    for (LogRecord line : List.copyOf(records)) {
      text.append(line.getLoggerName()).append(' ').append(line.getMessage()).append(' ');
      text.append(new SimpleFormatter().format(line)).append('\n');
    }
    return text.toString();
  }

  @Override
  public void close() {
    System.setOut(out);
    System.setErr(err);
    root.removeHandler(handler);
    levels.forEach(Logger::setLevel);
  }
}
