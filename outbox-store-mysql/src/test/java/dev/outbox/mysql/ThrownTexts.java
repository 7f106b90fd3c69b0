package dev.outbox.mysql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * The texts of all exceptions that our own code has made since this began, as Java's flight
 * recorder saw them: also of those that a test expects, or that nobody ever sees.
 */
final class ThrownTexts implements AutoCloseable {

  private static final String THROWN = "jdk.JavaExceptionThrow";

  private final Recording recording = new Recording();

  ThrownTexts() {
    recording.enable(THROWN).withStackTrace().with("throttle", "off");
    recording.start();
  }

  /** Ends the recording and returns what was said. */
  List<String> end() {
    recording.stop();
    try {
      Path file = Files.createTempFile("thrown", ".jfr");
      try {
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals(THROWN))
            .filter(event -> event.getString("message") != null)
            .filter(ThrownTexts::isOurs)
            .map(event -> event.getClass("thrownClass").getName() + ": " + text(event))
            .toList();
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(RecordedEvent event) {
    return Objects.requireNonNull(event.getString("message"));
  }

  /** What tests throw themselves may say what they like. */
  private static boolean isOurs(RecordedEvent event) {
    return thrower(event.getStackTrace())
        .filter(name -> name.startsWith("dev.outbox."))
        .filter(name -> !isTest(name))
        .isPresent();
  }

  /** Returns the class that made the exception, below its own constructors. */
  private static Optional<String> thrower(RecordedStackTrace trace) {
    return trace == null
        ? Optional.empty()
        : trace.getFrames().stream()
            .filter(RecordedFrame::isJavaFrame)
            .map(RecordedFrame::getMethod)
            .filter(method -> !method.getName().equals("<init>"))
            .map(method -> method.getType().getName())
            .filter(name -> !name.startsWith("jdk."))
            .findFirst();
  }

  /** Whether the class was compiled with the tests of this module. */
  private static boolean isTest(String name) {
    try {
      return place(Class.forName(name, false, ThrownTexts.class.getClassLoader()))
          .equals(place(ThrownTexts.class));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static String place(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation().toString();
  }

  @Override
  public void close() {
    recording.close();
  }
}
