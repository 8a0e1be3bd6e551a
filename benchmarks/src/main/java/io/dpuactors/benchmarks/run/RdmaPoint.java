package io.dpuactors.benchmarks.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.dpuactors.benchmarks.measure.Programs;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.benchmarks.result.Metric;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Writes into the memory of another process, by clients with one connection. Each side has a server
 * that serves all its trials.
 *
 * @param key unique in its scenario
 * @param bytes of a task
 * @param window tasks in flight
 * @param batch tasks of a request of the actors; 1: no batches
 * @param count tasks of a trial
 * @param metric of the values: GIBPS, TASKS, or NS for the median time of a task
 * @param idle idle strategy of both clients
 * @param isBare whether the other side is {@code process_vm_writev} instead of plain C
 */
record RdmaPoint(
    String key,
    int bytes,
    int window,
    int batch,
    long count,
    Metric metric,
    String idle,
    boolean isBare) {
  /** Trials of each process that do not count: the JVM compiles the path of a task meanwhile. */
  private static final int WARM_UPS = 4;

  /** Fraction of the tasks in a quick run. */
  private static final int QUICK = 10;

  /** Returns the points of the project's targets. */
  static List<RdmaPoint> all() {
    return List.of(
        new RdmaPoint("write-1048576-w4", 1 << 20, 4, 1, 1000, Metric.GIBPS, "adaptive", false),
        new RdmaPoint("write-64-w64", 64, 64, 1, 192_000, Metric.TASKS, "adaptive", false),
        new RdmaPoint("write-64-b64", 64, 128, 64, 640_000, Metric.TASKS, "adaptive", false),
        new RdmaPoint("write-64-w1", 64, 1, 1, 50_000, Metric.NS, "busy", false),
        new RdmaPoint("write-64-bare", 64, 1, 1, 50_000, Metric.NS, "busy", true));
  }

  Point point(Bench bench) {
    long tasks = bench.quick() ? Math.max(2L * window, count / QUICK) : count;
    Programs programs = bench.programs();
    Map<Side, List<String>> servers = new EnumMap<>(Side.class);
    servers.put(Side.ACTORS, programs.dpu("serve", "rdma"));
    if (!isBare) {
      servers.put(Side.PLAIN, programs.plain("rdma-c", "serve"));
    }
    return new Point(
        key,
        label(),
        metric,
        Map.of(
            "size",
            "" + bytes,
            "window",
            "" + window,
            "batch",
            "" + batch,
            "count",
            "" + tasks,
            "idle",
            idle,
            "device",
            execution()),
        metric == Metric.GIBPS ? (double) tasks * bytes / (1L << 30) : 0,
        Map.of("SOFTDPU_EXECUTION", execution()),
        WARM_UPS,
        false,
        this::read,
        actors(programs, tasks, bench.trials() + WARM_UPS),
        plain(programs, tasks, bench.trials() + WARM_UPS),
        servers);
  }

  /**
   * Returns how the device executes tasks. A single write is one system call of the client's
   * thread; a thread of the device would add the time of its wake-up.
   */
  String execution() {
    return window == 1 ? "inline" : "threads";
  }

  private String label() {
    String size = bytes < 1 << 20 ? bytes + " B" : (bytes >> 20) + " MiB";
    return "write, %s, %d in flight%s, %s, %s%s"
        .formatted(
            size,
            window,
            batch == 1 ? "" : ", " + batch + " in one request",
            idle,
            execution(),
            isBare ? "; bare process_vm_writev" : "");
  }

  /** Returns a paced client of the actors. */
  List<String> actors(Programs programs, long tasks, int trials) {
    List<String> words = programs.dpu("client", "rdma", "--json");
    words.addAll(geometry(tasks, trials));
    words.addAll(List.of("--parallel", "" + window, "--batch", "" + batch));
    words.add("-Ddpu.engine.idle=" + idle);
    return words;
  }

  /** Returns the other side, with the same geometry. */
  List<String> plain(Programs programs, long tasks, int trials) {
    List<String> words =
        isBare
            ? programs.plain("bare-c", "--kind", "process-vm")
            : programs.plain("rdma-c", "client", "--parallel", "" + window);
    words.addAll(geometry(tasks, trials));
    words.addAll(List.of("--idle", idle));
    return words;
  }

  private List<String> geometry(long tasks, int trials) {
    List<String> words = new ArrayList<>(List.of("--size", "" + bytes, "--count", "" + tasks));
    words.addAll(List.of("--trials", "" + trials, "--paced"));
    return words;
  }

  private Sample read(JsonNode line, double seconds) throws RunException {
    return Sample.of(
        Sample.figure(
            line,
            switch (metric) {
              case GIBPS -> "data_rate_gibps";
              case TASKS -> "tasks_per_second";
              default -> "p50_ns";
            }));
  }
}
