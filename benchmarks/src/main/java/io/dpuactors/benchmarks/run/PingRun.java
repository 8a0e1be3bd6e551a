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

  static List<PointResult> run(Bench bench) throws RunException, IOException, InterruptedException {
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
    try (Child script = bench.processes().start(command, Side.ACTORS, "ping.err", Map.of())) {
      for (Optional<String> line = script.nextLine(LINE_LIMIT);
          line.isPresent();
          line = script.nextLine(LINE_LIMIT)) {
        bench.progress().print(line.get());
      }
      int status = script.finish(LINE_LIMIT);
      if (status > 1) {
        throw new RunException("pair-ratio ended with status " + status + script.errorText());
      }
    }
    JsonNode result = Json.MAPPER.readTree(json.toFile());
    List<Trial> trials = new ArrayList<>();
    for (JsonNode pair : result.path("pairs")) {
      trials.add(
          new Trial(pair.path("pair").asInt(), sample(pair, "actors"), sample(pair, "plainC")));
    }
    return List.of(
        PointResult.of(
            "ping-busy",
            "ping, 64 B, two processes, busy; median round trip",
            Metric.US,
            Map.of("count", count, "size", result.path("size").asText(), "idle", "busy"),
            trials));
  }

  private static Sample sample(JsonNode pair, String side) {
    if (pair.path("failed").asBoolean()) {
      return Sample.failed("pair-ratio: failed");
    }
    JsonNode of = pair.path(side);
    double cpuSeconds = of.path("cpuSeconds").asDouble();
    return new Sample(of.path("value").asDouble(), null, cpuSeconds, null, null);
  }
}
