package io.dpuactors.benchmarks.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.benchmarks.result.Metric;
import io.dpuactors.benchmarks.result.PointResult;
import io.dpuactors.benchmarks.result.Sample;
import io.dpuactors.benchmarks.result.Trial;
import io.dpuactors.experiments.run.Child;
import io.dpuactors.experiments.run.RunException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures a turn of an engine over the number of its idle connections, in two processes. The
 * engine never sleeps: each turn contains a look at the device of 3 us, so that only differences
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
          "-Ddpu.library=softdpu",
          "-Ddpu.comch.client.first-answer-deadline=0s",
          "-Ddpu.comch.server.first-request-deadline=0s",
          "-Ddpu.engine.completion-ring=524288");

  private final Bench bench;
  private final Map<String, String> environment;

  private TurnRun(Bench bench, Path folder) {
    this.bench = bench;
    this.environment = Map.of("SOFTDPU_DIR", folder.toString(), "SOFTDPU_MAX_CLIENTS", "65536");
  }

  static List<PointResult> run(Bench bench) throws RunException, InterruptedException {
    TurnRun run = new TurnRun(bench, folder());
    List<PointResult> points = new ArrayList<>();
    for (int count : CONNECTIONS) {
      points.add(run.point("server", "connections of a server", run.scaled(count)));
    }
    for (int count : CLIENTS) {
      points.add(run.point("clients", "clients of an engine", run.scaled(count)));
    }
    return points;
  }

  private static Path folder() throws RunException {
    try {
      return Files.createTempDirectory("dpu-turns");
    } catch (IOException e) {
      throw new RunException("no folder for the processes to meet in: " + e.getMessage(), e);
    }
  }

  private int scaled(int count) {
    return bench.quick() ? Math.min(count, 1 + count / 100) : count;
  }

  private PointResult point(String measured, String what, int wanted)
      throws RunException, InterruptedException {
    try (Child server = started("server", measured, 0);
        Child clients = start("clients", measured, wanted)) {
      int connected = turn(clients).path("connections").asInt();
      List<Trial> trials = new ArrayList<>();
      for (int number = 1; number <= bench.trials(); number++) {
        JsonNode told = turn(measured.equals("server") ? server : clients);
        trials.add(new Trial(number, Sample.of(told.path("ns_per_turn").asDouble()), null));
      }
      String label = "turn with %d idle %s".formatted(connected, what);
      bench.observer().told(label + ": done");
      return new PointResult(
          "turn-" + measured + "-" + wanted,
          label,
          Metric.NS,
          Map.of("wanted", Integer.toString(wanted), "connected", Integer.toString(connected)),
          trials,
          0,
          null,
          null);
    }
  }

  /** Clients connect when their process starts: the server has its first trial before that. */
  private Child started(String role, String measured, int count)
      throws RunException, InterruptedException {
    Child child = start(role, measured, count);
    try {
      turn(child);
      return child;
    } catch (RunException | InterruptedException e) {
      child.close();
      throw e;
    }
  }

  private Child start(String role, String measured, int count) throws RunException {
    List<String> command = new ArrayList<>(bench.programs().dpu());
    command.addAll(List.of("bench-turns", "--role", role, "--count", Integer.toString(count)));
    command.addAll(List.of("--paced", "--trials", Integer.toString(bench.trials() + 1)));
    command.addAll(List.of("--seconds", bench.quick() ? "1" : "2"));
    command.addAll(SETTINGS);
    command.add("-Ddpu.engine.idle=" + (role.equals(measured) ? "busy" : "adaptive"));
    Path errors = bench.logs().resolve("turn-%s-%s-%d.err".formatted(measured, role, count));
    return Child.start(command, environment, errors);
  }

  private static JsonNode turn(Child child) throws RunException, InterruptedException {
    child.giveTurn();
    for (Optional<String> line = child.nextLine(LIMIT);
        line.isPresent();
        line = child.nextLine(LIMIT)) {
      if (line.get().startsWith("{")) {
        try {
          return new ObjectMapper().readTree(line.get());
        } catch (JsonProcessingException e) {
          throw new RunException("printed no JSON: " + line.get(), e);
        }
      }
    }
    throw new RunException("ended without a result" + child.complaint());
  }
}
