package io.dpuactors.benchmarks.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.benchmarks.result.Metric;
import io.dpuactors.benchmarks.result.PointResult;
import io.dpuactors.benchmarks.result.Sample;
import io.dpuactors.benchmarks.result.Trial;
import io.dpuactors.experiments.run.Child;
import io.dpuactors.experiments.run.RunException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures round trips between two processes with {@code benchmarks/pair-ratio}, which starts and
 * stops servers and clients of both sides in turns. One ping is in flight at a time, so that a slow
 * round trip cannot hide others.
 */
final class PingRun {
  private static final Duration LINE_LIMIT = Duration.ofMinutes(5);

  private PingRun() {}

  static List<PointResult> run(Bench bench) throws RunException, InterruptedException {
    Path json = bench.logs().resolve("ping.json");
    String count = bench.quick() ? "1000" : "100000";
    List<String> command =
        List.of(
            bench.root().resolve("benchmarks/pair-ratio").toString(),
            "ping",
            "--pairs",
            Integer.toString(bench.trials()),
            "--count",
            count,
            "--json",
            json.toString());
    try (Child script = Child.start(command, Map.of(), bench.logs().resolve("ping.err"))) {
      for (Optional<String> line = script.nextLine(LINE_LIMIT);
          line.isPresent();
          line = script.nextLine(LINE_LIMIT)) {
        bench.observer().told(line.get());
      }
      int status = script.finish(LINE_LIMIT);
      if (status > 1) {
        throw new RunException("pair-ratio ended with status " + status + script.complaint());
      }
    }
    return List.of(point(read(json), count));
  }

  private static JsonNode read(Path json) throws RunException {
    try {
      return new ObjectMapper().readTree(json.toFile());
    } catch (IOException e) {
      throw new RunException("pair-ratio told nothing: " + e.getMessage(), e);
    }
  }

  private static PointResult point(JsonNode told, String count) {
    List<Trial> trials = new ArrayList<>();
    for (JsonNode pair : told.path("pairs")) {
      boolean failed = pair.path("failed").asBoolean();
      trials.add(
          new Trial(
              pair.path("pair").asInt(),
              failed ? Sample.failed("pair-ratio: failed") : sample(pair.path("actors")),
              failed ? Sample.failed("pair-ratio: failed") : sample(pair.path("plainC"))));
    }
    return new PointResult(
        "ping-busy",
        "ping, 64 B, two processes, busy; median round trip",
        Metric.US,
        Map.of("count", count, "size", told.path("size").asText(), "idle", "busy"),
        trials,
        0,
        null,
        null);
  }

  private static Sample sample(JsonNode side) {
    double cpu = side.path("cpuSeconds").asDouble();
    return new Sample(side.path("value").asDouble(), cpu, null, null);
  }
}
