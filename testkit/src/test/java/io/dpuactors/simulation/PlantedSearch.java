package io.dpuactors.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Compiles a planted fault and searches for it with the simulation, in another process. */
final class PlantedSearch {
  private static final Path NATIVE = PlantedFault.ROOT.resolve("native-bridge");
  private static final List<String> SOURCES =
      List.of("CMakeLists.txt", "api", "bridge", "cmake", "softdpu");
  private static final int MAX_MINUTES = 60;

  private final Path folder;

  /**
   * Creates a search.
   *
   * @param folder for copies of sources and for classes
   */
  PlantedSearch(Path folder) {
    this.folder = folder;
  }

  /**
   * Runs the seeds of each scenario, up to the first failure. Returns one line about the result.
   */
  String run(PlantedFault fault, long seeds) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-cp"));
    String classPath = System.getProperty("java.class.path");
    if (fault.isJava()) {
      command.add(compiled(fault) + ":" + classPath);
    } else {
      command.add(classPath);
      command.add(1, "-Ddpu.native=" + built(fault));
    }
    command.addAll(List.of(PlantedSearch.class.getName(), Long.toString(seeds)));
    Path output = folder.resolve(fault.name() + ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(MAX_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly().waitFor();
      return "found: the process does not end";
    }
    return Files.readString(output, StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith("found: ") || line.startsWith("not found"))
        .findFirst()
        .orElse("found: the process ended with status " + process.exitValue());
  }

  private Path compiled(PlantedFault fault) throws IOException {
    Path classes = Files.createDirectories(folder.resolve(fault.name()));
    Path source = classes.resolve(fault.path().getFileName());
    Files.writeString(source, fault.source());
    String path = System.getProperty("java.class.path");
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-nowarn",
                "-cp",
                path,
                "-d",
                classes.toString(),
                source.toString());
    if (status != 0) {
      throw new IllegalStateException(fault + " does not compile");
    }
    return classes;
  }

  /** Builds the libraries, each time in the same folder: only the changed file is compiled. */
  private Path built(PlantedFault fault) throws IOException, InterruptedException {
    Path copy = folder.resolve("native");
    if (Files.notExists(copy)) {
      for (String source : SOURCES) {
        copy(NATIVE.resolve(source), copy.resolve(source));
      }
      call("cmake", "-G", "Ninja", "-S", copy.toString(), "-B", copy + "/build");
    }
    Path file = copy.resolve(NATIVE.relativize(fault.path()));
    try {
      Files.writeString(file, fault.source());
      call("cmake", "--build", copy + "/build");
    } finally {
      Files.copy(fault.path(), file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }
    return copy.resolve("build/lib");
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      files.forEach(
          file -> {
            try {
              Path target = to.resolve(from.relativize(file).toString());
              Files.createDirectories(target.getParent());
              if (Files.isRegularFile(file)) {
                Files.copy(file, target);
              }
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }

  private static void call(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(MAX_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException(String.join(" ", command) + " failed");
    }
  }

  /**
   * Runs seeds, the same seed of all scenarios before the next one.
   *
   * @param arguments number of seeds
   */
  public static void main(String[] arguments) {
    long seeds = Long.parseLong(arguments[0]);
    System.out.println(search(seeds));
    System.out.flush();
    Runtime.getRuntime().halt(0); // a violated promise may leave threads that wait
  }

  private static String search(long seeds) {
    try {
      Simulator simulator = Simulator.create();
      for (long seed = 1; seed <= seeds; seed++) {
        for (String scenario : Simulator.scenarios()) {
          Outcome outcome = simulator.run(scenario, seed, Reduction.NONE, null);
          if (outcome.problem().isPresent()) {
            return "found: %s, seed %d: %s".formatted(scenario, seed, outcome.problem().get());
          }
        }
      }
      return "not found in %d seeds".formatted(seeds);
    } catch (RuntimeException | Error e) {
      return "found: " + e;
    }
  }
}
