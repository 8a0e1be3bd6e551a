package io.dpuactors.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.testing.Modules;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a program of a user, compiled and started as a separate process: on the class path, and on
 * the module path.
 */
class ModulePathTest {
  private static final Path SOURCES =
      Path.of(System.getProperty("dpu.root", ".."), "actors/src/test/modules/hello");
  private static final long TIMEOUT_S = 45;

  /** The modules on the path of a user's program. */
  private static final Set<String> MODULES =
      Set.of(
          "io.dpuactors.bridge",
          "io.dpuactors.protocol",
          "io.dpuactors.core",
          "com.sun.jna",
          "org.jctools.core",
          "org.jspecify",
          "org.slf4j",
          "pekko.actor",
          "pekko.actor.typed",
          "pekko.slf4j",
          "scala.library",
          "typesafe.config");

  @TempDir static Path folder;
  private static String libraries;

  @BeforeAll
  static void compile() {
    libraries = Modules.path(MODULES);
    assertThat(
            javac(
                folder.resolve("hello"),
                SOURCES.resolve("module-info.java"),
                SOURCES.resolve("hello/Hello.java")))
        .isEmpty();
  }

  @Test
  void aProgramRunsOnTheClassPath() throws Exception {
    assertThat(run("-cp", path(), "hello.Hello")).containsExactly("null Completed true empty");
  }

  @Test
  void aProgramRunsOnTheModulePath() throws Exception {
    assertThat(run("--module-path", path(), "-m", "hello/hello.Hello"))
        .containsExactly("io.dpuactors.core Completed true empty");
  }

  @Test
  void aModuleCannotUseTheInternals() throws IOException {
    Path other = Files.createDirectories(folder.resolve("other"));
    Path info =
        Files.writeString(
            other.resolve("module-info.java"), "module other { requires io.dpuactors.core; }");
    Path source =
        Files.writeString(
            other.resolve("Other.java"),
            "package other; class Other { io.dpuactors.bridge.internal.ProgressEngine engine; }");
    assertThat(javac(other, info, source))
        .contains("io.dpuactors.bridge.internal", "does not export it");
  }

  private static String path() {
    return folder.resolve("hello") + File.pathSeparator + libraries;
  }

  /** Compiles the sources of a module into a folder; returns the errors. */
  private static String javac(Path classes, Path... sources) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-proc:none",
                "--class-path",
                folder.resolve("none").toString(),
                "--module-path",
                libraries,
                "-d",
                classes.toString()));
    Stream.of(sources).map(Path::toString).forEach(arguments::add);
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    ToolProvider.getSystemJavaCompiler().run(null, null, errors, arguments.toArray(String[]::new));
    return errors.toString(StandardCharsets.UTF_8);
  }

  /** Runs a program to its end; returns the lines of its standard output. */
  private static List<String> run(String... arguments) throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "out", "");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Ddpu.library=softdpu",
            "-Ddpu.engine.stall-warning=1h",
            "-Dpekko.loglevel=ERROR",
            "-Dslf4j.internal.verbosity=ERROR"));
    command.addAll(List.of(arguments));
    Process program =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(program.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).as("the program ends").isTrue();
    } finally {
      program.destroyForcibly();
    }
    assertThat(program.exitValue()).isZero();
    return Files.readAllLines(out);
  }
}
