package io.dpuactors.benchmarks.run;

import io.dpuactors.benchmarks.measure.Child;
import io.dpuactors.benchmarks.measure.Processes;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.benchmarks.measure.Trial;
import io.dpuactors.benchmarks.result.Metric;
import io.dpuactors.benchmarks.result.PointResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Measures round trips between two processes. One ping is in flight at a time, so that a slow round
 * trip cannot hide others. Each trial has a new server and a new client; its value is the median of
 * the client's last rounds. All processes poll without sleep.
 */
final class PingRun {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int BYTES = 64;

  /** Rounds of a client that do not count: the JVM compiles the path of a message meanwhile. */
  private static final int WARM_UPS = 4;

  private static final int COUNTED = 5;

  private PingRun() {}

  static List<PointResult> run(Bench bench) throws InterruptedException {
    String count = bench.quick() ? "1000" : "100000";
    List<Trial> trials = new ArrayList<>();
    for (int number = 1; number <= bench.trials(); number++) {
      Sample actors = measure(bench, Side.ACTORS, count);
      trials.add(new Trial(number, actors, measure(bench, Side.PLAIN, count)));
      bench.progress().print("ping, trial %d: done".formatted(number));
    }
    return List.of(
        PointResult.of(
            "ping-busy",
            "ping, 64 B, two processes, busy; median round trip",
            Metric.US,
            Map.of("count", count, "size", Integer.toString(BYTES), "idle", "busy"),
            trials));
  }

  private static Sample measure(Bench bench, Side side, String count) throws InterruptedException {
    Processes processes = bench.processes();
    try {
      processes.requireServer(command(bench, side, "serve"), side);
      List<String> client = command(bench, side, "client");
      client.addAll(List.of("--count", count, "--size", Integer.toString(BYTES)));
      client.addAll(List.of("--trials", Integer.toString(WARM_UPS + COUNTED)));
      if (side == Side.ACTORS) {
        client.add("--json");
      }
      String log = "ping-" + side.key() + ".err";
      try (Child child = processes.start(client, side, log, Map.of())) {
        return Sample.of(medianUs(child));
      }
    } catch (RunException e) {
      return Sample.failed(String.valueOf(e.getMessage()));
    } finally {
      processes.endServers();
    }
  }

  private static double medianUs(Child child) throws RunException, InterruptedException {
    double[] rounds = new double[COUNTED];
    for (int i = -WARM_UPS; i < COUNTED; i++) {
      double roundTripNs = Sample.figure(child.nextJson(LIMIT), "p50_ns");
      if (i >= 0) {
        rounds[i] = roundTripNs / 1e3;
      }
    }
    int status = child.finish(LIMIT);
    if (status != 0) {
      throw new RunException("the client ended with status " + status + child.errorText());
    }
    Arrays.sort(rounds);
    return rounds[COUNTED / 2];
  }

  private static List<String> command(Bench bench, Side side, String role) {
    return side == Side.ACTORS
        ? bench.programs().dpu(role, "ping", "-Ddpu.engine.idle=busy")
        : bench.programs().plain("ping-c", role, "--idle", "busy");
  }
}
