package io.dpuactors.apps;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line that starts this program again. */
final class SelfCommand {
  private SelfCommand() {}

  /**
   * Returns the words up to the program's arguments, with the options of this JVM.
   *
   * @param more further options of the JVM; they override those of this JVM
   */
  static List<String> withJvm(List<String> more) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    words.addAll(more);
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), Dpu.class.getName()));
    return words;
  }
}
