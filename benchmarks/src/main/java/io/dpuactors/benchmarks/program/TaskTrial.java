package io.dpuactors.benchmarks.program;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import io.dpuactors.benchmarks.load.Load;
import io.dpuactors.benchmarks.load.LoadSystem;
import io.dpuactors.benchmarks.load.LoopRun;
import io.dpuactors.benchmarks.load.Outcome;
import io.dpuactors.benchmarks.load.StreamRun;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;

/** Trials of one load; a trial becomes a line of JSON. For one thread. */
final class TaskTrial {
  private static final double GIB = 1L << 30;
  private static final long MAX_NS = 60_000_000_000L;
  private static final int DIGITS = 3;

  private final String library;
  private final Load load;
  private final List<LoopRun> loops = new ArrayList<>();
  private final List<LongFunction<Outcome>> runs = new ArrayList<>();
  private final double rate;
  private final int idleSeconds;

  private TaskTrial(String library, Load load, double rate, int idleSeconds) {
    this.library = library;
    this.load = load;
    this.rate = rate;
    this.idleSeconds = idleSeconds;
  }

  /** Opens trials of a flow of Pekko Streams. */
  static TaskTrial stream(LoadSystem system, Load load, StreamRun.Form form) {
    TaskTrial trial = new TaskTrial(system.library(), load, 0, 0);
    trial.runs.add(system.stream(load, form)::run);
    return trial;
  }

  static TaskTrial open(LoadSystem system, Load load, int engines, double rate, int idleSeconds) {
    TaskTrial trial = new TaskTrial(system.library(), load, rate, idleSeconds);
    for (int i = 0; i < engines; i++) {
      LoopRun loop = system.loop(i, load);
      trial.loops.add(loop);
      trial.runs.add(loop::run);
    }
    return trial;
  }

  /**
   * Runs a trial.
   *
   * @throws IllegalStateException when a task failed
   */
  String run(long count) {
    ObjectNode line = new ObjectMapper().createObjectNode();
    line.put("program", "tasks").put("device", library);
    line.put("kind", load.kind().key())
        .put("window", load.window())
        .put("size", load.bytes())
        .put("batch", load.batch())
        .put("engines", runs.size())
        .put("count", count);
    if (idleSeconds > 0) {
      line.put("core_percent", idle());
    } else if (rate > 0) {
      Histogram histogram = new Histogram(MAX_NS, DIGITS);
      LongConsumer record = ns -> histogram.recordValue(Math.max(0, Math.min(MAX_NS, ns)));
      put(line, List.of(loops.get(0).runPaced(count, rate, record)));
      put(line, histogram);
    } else {
      put(line, runLoops(count));
    }
    return line.toString();
  }

  private List<Outcome> runLoops(long count) {
    long each = count / runs.size();
    List<CompletableFuture<Outcome>> others =
        runs.stream()
            .skip(1)
            .map(run -> CompletableFuture.supplyAsync(() -> run.apply(each)))
            .toList();
    List<Outcome> all = new ArrayList<>();
    all.add(runs.get(0).apply(count - each * (runs.size() - 1)));
    others.forEach(other -> all.add(other.join()));
    return all;
  }

  /** Adds the figures of all engines. The slowest engine ends the trial. */
  private void put(ObjectNode line, List<Outcome> outcomes) {
    long count = 0;
    long elapsedNs = 1;
    long bytes = 0;
    boolean isKnown = true;
    for (Outcome outcome : outcomes) {
      Outcome.Done done = outcome.orThrow();
      count += done.count();
      elapsedNs = Math.max(elapsedNs, done.elapsedNs());
      bytes += done.allocatedBytes();
      isKnown &= done.isAllocationKnown();
    }
    line.put("elapsed_us", elapsedNs / 1e3)
        .put("data_rate_gibps", count * load.bytes() / GIB / (elapsedNs / 1e9))
        .put("ns_per_task", (double) elapsedNs / count)
        .put("tasks_per_s", count / (elapsedNs / 1e9));
    if (isKnown) {
      line.put("allocated_bytes_per_task", (double) bytes / count);
    }
  }

  private static void put(ObjectNode line, Histogram histogram) {
    line.put("p50_ns", histogram.getValueAtPercentile(50))
        .put("p90_ns", histogram.getValueAtPercentile(90))
        .put("p99_ns", histogram.getValueAtPercentile(99))
        .put("p999_ns", histogram.getValueAtPercentile(99.9))
        .put("max_ns", histogram.getMaxValue());
  }

  /** CPU time of the process over real time, in percent. */
  private double idle() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long beginNs = System.nanoTime();
    long beginCpuNs = system.getProcessCpuTime();
    try {
      Thread.sleep(idleSeconds * 1000L);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while idle", e);
    }
    return 100.0
        * (system.getProcessCpuTime() - beginCpuNs)
        / Math.max(1, System.nanoTime() - beginNs);
  }
}
