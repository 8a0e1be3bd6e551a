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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures the compression of a file of text: {@code dpu compress} and {@code compress-c} with the
 * same blocks in flight. The rate covers the time from the opening of the input until the output is
 * complete and on disk. Both outputs must be equal.
 */
final class FileRun {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final String PARALLEL = "4";
  private static final String BLOCK = "1M";

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
    boolean isComplete = actors.failure() == null && plain.failure() == null;
    return isComplete && Files.mismatch(output(bench, Side.ACTORS), output(bench, Side.PLAIN)) >= 0
        ? new Trial(number, Sample.failed("the outputs differ"), plain)
        : new Trial(number, actors, plain);
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
