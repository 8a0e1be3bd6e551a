package io.dpuactors.apps.cli;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line that starts this program again. */
public final class SelfCommand {
  /** The class {@code Dpu}, which depends on this package. */
  private static final String MAIN_CLASS = "io.dpuactors.apps.Dpu";

  private SelfCommand() {}

  /** Returns the name under which the user started this program, for hints. */
  public static String name() {
    return System.getProperty("dpu.program", "./dpu");
  }

  /**
   * Returns the words up to the program's arguments, with the options of this JVM.
   *
   * @param more further options of the JVM; they override those of this JVM
   */
  public static List<String> withJvm(List<String> more) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    words.addAll(more);
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN_CLASS));
    return words;
  }
}
