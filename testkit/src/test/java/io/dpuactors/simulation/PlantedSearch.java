package io.dpuactors.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
  private static final Duration BUILD_LIMIT = Duration.ofMinutes(60);

  /** Time of a start on a loaded machine. */
  private static final Duration START_LIMIT = Duration.ofMinutes(5);

  /** Time of a seed of all scenarios on a loaded machine; a calm one needs a fifth. */
  private static final Duration SEED_LIMIT = Duration.ofMillis(500);

  /** What a search shows. */
  enum Kind {
    /** A run broke a promise. */
    FOUND,
    /** All seeds kept all promises. */
    NOT_FOUND,
    /** The search has no result, which says nothing about the simulation. */
    BROKEN
  }

  /** The result of a search. */
  record Result(Kind kind, String text) {
    private static final String MARK = "result ";

    static Result broken(String why) {
      return new Result(Kind.BROKEN, why);
    }

    void print() {
      System.out.println(MARK + kind + " " + text.replace('\n', ' '));
      System.out.flush();
    }

    /** Returns the printed result of a process that has ended. */
    static Result read(List<String> lines, int status) {
      return lines.stream()
          .filter(line -> line.startsWith(MARK))
          .map(line -> line.substring(MARK.length()).split(" ", 2))
          .map(parts -> new Result(Kind.valueOf(parts[0]), parts[1]))
          .findFirst()
          .orElse(broken("the process ended with status " + status));
    }

    @Override
    public String toString() {
      return kind + ": " + text;
    }
  }

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
   * Runs the seeds of each scenario with the faults, up to the first failure.
   *
   * @param name of the search, for its files
   */
  Result run(String name, List<PlantedFault> faults, long seeds)
      throws IOException, InterruptedException {
    Path output = folder.resolve(name + ".log");
    Process process =
        new ProcessBuilder(command(faults, seeds))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    Duration limit = START_LIMIT.plus(SEED_LIMIT.multipliedBy(seeds));
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly().waitFor();
      return Result.broken("no end within %d s".formatted(limit.toSeconds()));
    }
    return Result.read(Files.readAllLines(output), process.exitValue());
  }

  private List<String> command(List<PlantedFault> faults, long seeds)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    String classPath = System.getProperty("java.class.path");
    for (PlantedFault fault : faults) {
      if (fault.isJava()) {
        classPath = compiled(fault) + ":" + classPath;
      } else {
        command.add("-Ddpu.native=" + built(fault));
      }
    }
    command.addAll(List.of("-cp", classPath, PlantedSearch.class.getName(), Long.toString(seeds)));
    return command;
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
    if (!process.waitFor(BUILD_LIMIT.toMinutes(), TimeUnit.MINUTES) || process.exitValue() != 0) {
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
    search(Long.parseLong(arguments[0])).print();
    Runtime.getRuntime().halt(0); // a violated promise may leave threads that wait
  }

  /** An exception of the simulator is a defect of the search, as is a class that does not load. */
  private static Result search(long seeds) {
    try {
      Simulator simulator = Simulator.create();
      for (long seed = 1; seed <= seeds; seed++) {
        for (String scenario : Simulator.scenarios()) {
          Outcome outcome = simulator.run(scenario, seed, Reduction.NONE, null);
          if (outcome.problem().isPresent()) {
            return new Result(
                Kind.FOUND, "%s, seed %d: %s".formatted(scenario, seed, outcome.problem().get()));
          }
        }
      }
      return new Result(Kind.NOT_FOUND, "%d seeds".formatted(seeds));
    } catch (SimulationFailedError e) { // the run that precedes the seeds
      return new Result(Kind.FOUND, e.toString());
    } catch (RuntimeException | Error e) {
      return Result.broken(e.toString());
    }
  }
}
