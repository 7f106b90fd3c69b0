package dev.outbox.testsupport;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of another JVM with the Java and the class path of this one. */
public final class JavaCommand {

  private JavaCommand() {}

  /**
   * Returns the command that runs a program.
   *
   * @param options options of the JVM
   * @param main the class with the program's {@code main}
   * @param arguments its arguments
   */
  public static List<String> of(List<String> options, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
