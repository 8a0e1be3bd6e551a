package io.dpuactors.apps;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;

/**
 * The class path of the programs that tests start, and an archive of their classes. With the
 * archive a program needs two thirds of the processor time until it runs. An archive requires a
 * class path of jars only. The tests of one virtual machine share both.
 */
final class ProgramClasses {
  private static final int MOST_SECONDS = 120;
  private static final List<String> OPTIONS = create();

  private ProgramClasses() {}

  /** Returns the options of the JVM. */
  static List<String> options() {
    return OPTIONS;
  }

  private static List<String> create() {
    try {
      Path folder = Files.createTempDirectory("dpu-program-classes");
      String classPath = jars(folder);
      Path archive = folder.resolve("classes.jsa");
      record(folder, archive, classPath);
      delete(folder);
      // The JVM's log would report an unsuitable archive on stdout.
      return List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:disable", "-cp", classPath);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Returns the class path of the tests without their classes. Packs folders into jars. */
  private static String jars(Path folder) throws IOException {
    List<String> jars = new ArrayList<>();
    for (String element : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(element);
      if (Files.isRegularFile(path)) {
        jars.add(element);
      } else if (path.endsWith("classes")) {
        jars.add(jar(folder.resolve(jars.size() + ".jar"), element).toString());
      }
    }
    return String.join(File.pathSeparator, jars);
  }

  private static Path jar(Path jar, String folder) {
    int status =
        ToolProvider.findFirst("jar")
            .orElseThrow()
            .run(System.out, System.err, "--create", "--file", jar.toString(), "-C", folder, ".");
    if (status != 0) {
      throw new AssertionError("jar of " + folder + ": status " + status);
    }
    return jar;
  }

  /** Compresses a file, and records the classes that were loaded. */
  private static void record(Path folder, Path archive, String classPath)
      throws IOException, InterruptedException {
    Path input = Files.writeString(folder.resolve("in"), "text");
    Path log = folder.resolve("log");
    List<String> command = new ArrayList<>(Program.JAVA);
    command.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, "-cp", classPath));
    command.addAll(List.of(Dpu.class.getName(), "compress", "-q", input.toString()));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new AssertionError("no archive: " + Files.readString(log));
    }
  }

  private static void delete(Path folder) throws IOException {
    folder.toFile().deleteOnExit();
    try (var files = Files.list(folder)) {
      files.forEach(file -> file.toFile().deleteOnExit());
    }
  }
}
