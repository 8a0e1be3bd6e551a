package io.dpuactors.benchmarks.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.dpuactors.benchmarks.measure.Child;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.benchmarks.measure.Trial;
import io.dpuactors.benchmarks.report.Json;
import io.dpuactors.benchmarks.result.Metric;
import io.dpuactors.benchmarks.result.PointResult;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Measures the compression of a file of text: {@code dpu compress} and {@code compress-c} with the
 * same blocks in flight. The rate covers the time from the opening of the input until the output is
 * complete and on disk. Both outputs must restore the input, and have almost the same size. The
 * bytes may differ: ISA-L sometimes compresses the same block to other bytes in another process.
 */
final class FileRun {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final String PARALLEL = "4";
  private static final String BLOCK = "1M";
  private static final int BUFFER_BYTES = 1 << 16;

  /** Largest difference of the sizes of both outputs, as a part of the reference. */
  private static final double SIZE_TOLERANCE = 0.01;

  private FileRun() {}

  static List<PointResult> run(Bench bench) throws RunException, IOException, InterruptedException {
    String size = bench.quick() ? "16M" : "1G";
    Path input = bench.logs().resolve("text");
    List<Trial> trials = new ArrayList<>();
    try {
      finish(
          start(
              bench,
              Side.PLAIN,
              List.of(
                  "sh",
                  "-c",
                  "exec \"$0\" \"$1\" > \"$2\"",
                  bench.programs().plain("textgen").get(0),
                  size,
                  input.toString())));
      // The first trial of both sides warms the page cache up, and does not count.
      for (int number = 0; number <= bench.trials(); number++) {
        Trial trial = trial(bench, input, number);
        if (number > 0) {
          trials.add(trial);
          bench.progress().print("file, trial %d: done".formatted(number));
        }
      }
    } finally {
      Files.deleteIfExists(input);
      for (Side side : Side.values()) {
        Files.deleteIfExists(output(bench, side));
      }
    }
    return List.of(
        PointResult.of(
            "file",
            "compress a file of " + size,
            Metric.GIBPS,
            Map.of("size", size, "parallel", PARALLEL, "block", BLOCK),
            trials));
  }

  private static Trial trial(Bench bench, Path input, int number)
      throws IOException, InterruptedException {
    Sample actors = measure(bench, Side.ACTORS, input);
    Sample plain = measure(bench, Side.PLAIN, input);
    if (actors.failure() == null && plain.failure() == null) {
      Optional<String> wrong =
          difference(input, output(bench, Side.ACTORS), output(bench, Side.PLAIN));
      if (wrong.isPresent()) {
        return new Trial(number, Sample.failed(wrong.get()), plain);
      }
    }
    return new Trial(number, actors, plain);
  }

  /** Returns why two outputs are not the same work on the input; empty: they are. */
  static Optional<String> difference(Path input, Path actors, Path plain) throws IOException {
    for (Path output : List.of(actors, plain)) {
      if (!restores(output, input)) {
        return Optional.of("%s does not restore the input".formatted(output.getFileName()));
      }
    }
    long size = Files.size(plain);
    return Math.abs(Files.size(actors) - size) > size * SIZE_TOLERANCE
        ? Optional.of(
            "the sizes of the outputs differ: %d and %d".formatted(Files.size(actors), size))
        : Optional.empty();
  }

  private static boolean restores(Path output, Path input) throws IOException {
    try (InputStream inflated = new GZIPInputStream(Files.newInputStream(output), BUFFER_BYTES);
        InputStream original = Files.newInputStream(input)) {
      byte[] is = new byte[BUFFER_BYTES];
      byte[] want = new byte[BUFFER_BYTES];
      int length;
      do {
        length = original.readNBytes(want, 0, want.length);
        int inflatedLength = inflated.readNBytes(is, 0, is.length);
        if (!Arrays.equals(is, 0, inflatedLength, want, 0, length)) {
          return false;
        }
      } while (length > 0);
      return true;
    } catch (EOFException | ZipException e) {
      return false;
    }
  }

  private static Sample measure(Bench bench, Side side, Path input) throws InterruptedException {
    List<String> command =
        side == Side.ACTORS
            ? bench.programs().dpu("compress", "--json")
            : bench.programs().plain("compress-c");
    command.addAll(List.of("--force", "--parallel", PARALLEL, "--block-size", BLOCK));
    command.addAll(List.of("-o", output(bench, side).toString(), input.toString()));
    try {
      JsonNode result = Json.MAPPER.readTree(finish(start(bench, side, command)));
      JsonNode file = side == Side.ACTORS ? result.at("/files/0") : result;
      return Sample.of(Sample.figure(file, "gibPerSecond"));
    } catch (RunException | IOException e) {
      return Sample.failed(String.valueOf(e.getMessage()));
    }
  }

  private static Path output(Bench bench, Side side) {
    return bench.logs().resolve(side.key() + ".gz");
  }

  private static Child start(Bench bench, Side side, List<String> command)
      throws RunException, InterruptedException {
    return bench.processes().start(command, side, "file-" + side.key() + ".err", Map.of());
  }

  /** Waits for the end of a program, and returns what it printed. */
  static String finish(Child child) throws RunException, InterruptedException {
    try (child) {
      StringBuilder text = new StringBuilder();
      for (Optional<String> line = child.nextLine(LIMIT);
          line.isPresent();
          line = child.nextLine(LIMIT)) {
        text.append(line.get()).append('\n');
      }
      int status = child.finish(LIMIT);
      if (status != 0) {
        throw new RunException("ended with status " + status + child.errorText());
      }
      return text.toString();
    }
  }
}
