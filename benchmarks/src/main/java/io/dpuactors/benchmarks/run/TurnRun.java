package io.dpuactors.benchmarks.run;

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
 * Measures a turn of an engine over the number of its idle connections, in two processes. The
 * engine never sleeps: each turn contains a poll of the device of 3 us, so that only differences
 * between the points count.
 */
final class TurnRun {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final List<Integer> CONNECTIONS = List.of(0, 1, 1_000, 10_000);
  private static final List<Integer> CLIENTS = List.of(0, 1, 1_000);

  /**
   * The connections stay idle, so deadlines for a first message are off. The ring has task slots
   * for 10,000 clients of one engine.
   */
  private static final List<String> SETTINGS =
      List.of(
          "-Ddpu.comch.client.first-answer-deadline=0s",
          "-Ddpu.comch.server.first-request-deadline=0s",
          "-Ddpu.engine.completion-ring=524288");

  private TurnRun() {}

  static List<PointResult> run(Bench bench) throws RunException, InterruptedException {
    List<PointResult> points = new ArrayList<>();
    for (int count : CONNECTIONS) {
      points.add(point(bench, "server", "connections of a server", count));
    }
    for (int count : CLIENTS) {
      points.add(point(bench, "clients", "clients of an engine", count));
    }
    return points;
  }

  private static PointResult point(Bench bench, String measured, String what, int count)
      throws RunException, InterruptedException {
    int wanted = bench.quick() ? Math.min(count, 1 + count / 100) : count;
    try (Child server = start(bench, "server", measured, 0)) {
      // Clients connect when their process starts: the server has its first trial before that.
      server.takeTurn(LIMIT);
      try (Child clients = start(bench, "clients", measured, wanted)) {
        int connected = clients.takeTurn(LIMIT).path("connections").asInt();
        Child program = measured.equals("server") ? server : clients;
        List<Trial> trials = new ArrayList<>();
        for (int number = 1; number <= bench.trials(); number++) {
          double value = Sample.figure(program.takeTurn(LIMIT), "ns_per_turn");
          trials.add(new Trial(number, Sample.of(value), null));
        }
        String label = "turn with %d idle %s".formatted(connected, what);
        bench.progress().print(label + ": done");
        return PointResult.of(
            "turn-" + measured + "-" + wanted,
            label,
            Metric.NS,
            Map.of("wanted", Integer.toString(wanted), "connected", Integer.toString(connected)),
            trials);
      }
    }
  }

  private static Child start(Bench bench, String role, String measured, int count)
      throws RunException, InterruptedException {
    List<String> command = bench.programs().dpu("bench-turns", "--role", role, "--paced");
    command.addAll(List.of("--count", "" + count, "--trials", "" + (bench.trials() + 1)));
    command.addAll(List.of("--seconds", bench.quick() ? "1" : "2"));
    command.addAll(SETTINGS);
    command.add("-Ddpu.engine.idle=" + (role.equals(measured) ? "busy" : "adaptive"));
    return bench
        .processes()
        .start(
            command,
            Side.ACTORS,
            "turn-%s-%s-%d.err".formatted(measured, role, count),
            Map.of("SOFTDPU_MAX_CLIENTS", "65536"));
  }
}
