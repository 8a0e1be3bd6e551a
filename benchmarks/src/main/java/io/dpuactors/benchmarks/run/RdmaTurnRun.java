package io.dpuactors.benchmarks.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.dpuactors.benchmarks.measure.Child;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.benchmarks.measure.Trial;
import io.dpuactors.benchmarks.result.Metric;
import io.dpuactors.benchmarks.result.PointResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Measures idle RDMA connections of one listener, in two processes. Values: the turn of the
 * listener's engine, and memory and descriptors of a connection on each side. Memory and
 * descriptors are differences between a run with many connections and a run with one.
 */
final class RdmaTurnRun {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final int MANY = 10_000;
  private static final int QUICK = 100;

  /**
   * All of the heap is resident from the begin. Resident memory then grows by native memory only.
   */
  private static final List<String> FIXED_HEAP =
      List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");

  private RdmaTurnRun() {}

  /**
   * The last lines of both programs.
   *
   * @param turns trials of the listener's engine
   */
  record Run(JsonNode listener, JsonNode clients, List<Trial> turns) {
    int connections() {
      return clients.path("connections").asInt();
    }

    private PointResult point() {
      String count = Integer.toString(connections());
      return PointResult.of(
          "turn-" + count,
          "turn with %s idle RDMA connections".formatted(count),
          Metric.NS,
          Map.of("connected", count),
          turns);
    }
  }

  static List<PointResult> run(Bench bench) throws RunException, InterruptedException {
    Run one = run(bench, 1);
    Run many = run(bench, bench.quick() ? QUICK : MANY);
    List<PointResult> points = new ArrayList<>(List.of(one.point(), many.point()));
    points.addAll(connection("listener", one.listener(), many.listener()));
    points.addAll(connection("client", one.clients(), many.clients()));
    return points;
  }

  /** Returns memory and descriptors of a connection on one side. */
  static List<PointResult> connection(String side, JsonNode one, JsonNode many)
      throws RunException {
    double kib = difference(one, many, "heap_kib") + difference(one, many, "rss_kib");
    double descriptors = difference(one, many, "descriptors");
    double more = difference(one, many, "connections");
    if (more <= 0) {
      throw new RunException("%s: no more than one connection: %s".formatted(side, many));
    }
    return List.of(
        point("memory-" + side, "memory of a connection, " + side, Metric.KIB, kib / more, more),
        point(
            "descriptors-" + side,
            "descriptors of a connection, " + side,
            Metric.DESCRIPTORS,
            descriptors / more,
            more));
  }

  private static double difference(JsonNode one, JsonNode many, String key) {
    return many.path(key).asDouble() - one.path(key).asDouble();
  }

  private static PointResult point(
      String key, String label, Metric metric, double value, double connections) {
    Map<String, String> parameters = Map.of("connections", Long.toString(Math.round(connections)));
    return PointResult.of(
        key, label, metric, parameters, List.of(new Trial(1, Sample.of(value), null)));
  }

  private static Run run(Bench bench, int count) throws RunException, InterruptedException {
    try (Child listener = start(bench, "server", 0)) {
      // Clients connect when their process starts: the listener has its first trial before that.
      listener.takeTurn(LIMIT);
      try (Child clients = start(bench, "clients", count)) {
        JsonNode last = clients.takeTurn(LIMIT);
        List<Trial> turns = new ArrayList<>();
        JsonNode line = listener.takeTurn(LIMIT);
        for (int number = 1; number <= bench.trials(); number++) {
          turns.add(new Trial(number, Sample.of(Sample.figure(line, "ns_per_turn")), null));
          if (number < bench.trials()) {
            line = listener.takeTurn(LIMIT);
          }
        }
        bench
            .progress()
            .print("%d of %d connections: done".formatted(last.path("connections").asInt(), count));
        return new Run(line, last, turns);
      }
    }
  }

  /** Adds the options of the heap behind those of the launcher: the JVM uses the last ones. */
  static List<String> withFixedHeap(List<String> command) {
    List<String> words = new ArrayList<>(command);
    words.addAll(command.indexOf("-cp"), FIXED_HEAP);
    return words;
  }

  private static Child start(Bench bench, String role, int count)
      throws RunException, InterruptedException {
    List<String> command =
        withFixedHeap(bench.programs().dpu("bench-turns", "--rdma", "--role", role, "--paced"));
    command.addAll(List.of("--count", "" + count, "--trials", "" + (bench.trials() + 1)));
    command.addAll(List.of("--seconds", bench.quick() ? "1" : "2"));
    command.add("-Ddpu.engine.idle=" + (role.equals("server") ? "busy" : "adaptive"));
    String log = "rdma-turn-%s-%d.err".formatted(role, count);
    return bench.processes().start(command, Side.ACTORS, log, Map.of());
  }
}
