package io.dpuactors.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs programs in separate processes, with the environment and class path of the tests. */
public final class SecondJvm {
  private SecondJvm() {}

  /**
   * Returns a builder that starts a main class. The standard error of the process is that of the
   * tests.
   */
  public static ProcessBuilder of(List<String> options, Class<?> program, Object... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
  }
}
