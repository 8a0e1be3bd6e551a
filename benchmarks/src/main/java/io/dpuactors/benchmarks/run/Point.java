package io.dpuactors.benchmarks.run;

import io.dpuactors.benchmarks.load.Load;
import io.dpuactors.benchmarks.result.Metric;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A load that both sides run.
 *
 * @param load of each engine
 * @param count tasks of a trial, over all engines
 * @param engines number of engines of the actors
 * @param isNull whether the device completes tasks at once and does nothing
 * @param isPaired whether plain C runs the same load
 * @param latency source of latencies, instead of the time per task
 * @param idle strategy of both sides: {@code busy}, {@code adaptive}, {@code event}
 */
record Point(
    Load load,
    long count,
    int engines,
    boolean isNull,
    boolean isPaired,
    Latency latency,
    String idle) {
  /** Source of latencies. */
  sealed interface Latency {}

  /** No latencies. */
  record None() implements Latency {}

  /** Tasks become due at a fixed rate, independently of the device. */
  record Paced(double perSecond) implements Latency {}

  /**
   * The waiting side sleeps: a spinning one would take its half of a core where two hardware
   * threads share one.
   */
  static Point paired(Load load, long count, boolean isNull) {
    return new Point(load, count, 1, isNull, true, new None(), "adaptive");
  }

  Point withEngines(int number) {
    return new Point(load, count, number, isNull, false, latency, idle);
  }

  Point paced(double perSecond, long tasks) {
    return new Point(load, tasks, engines, isNull, false, new Paced(perSecond), idle);
  }

  /** Returns a point with a tenth of the tasks. */
  Point shortened() {
    long tasks = Math.max(2L * load.window() * engines, count / 10);
    return new Point(load, tasks, engines, isNull, isPaired, latency, idle);
  }

  String kind() {
    return load.kind() == Load.Kind.COMPRESS ? "compress" : "dma";
  }

  String key() {
    String key = "%s-w%d-%d".formatted(kind(), load.window(), load.bytes());
    if (load.batch() > 0) {
      key += "-b" + load.batch();
    }
    if (engines > 1) {
      key += "-e" + engines;
    }
    return latency instanceof Paced paced ? key + "-r" + Math.round(paced.perSecond()) : key;
  }

  String label() {
    String label = "%s, window %d, %s".formatted(kind(), load.window(), size(load.bytes()));
    if (load.batch() > 0) {
      label += ", batches of " + load.batch();
    }
    if (engines > 1) {
      label += ", " + engines + " engines";
    }
    return latency instanceof Paced paced
        ? label + ", %d/s".formatted(Math.round(paced.perSecond()))
        : label;
  }

  private static String size(int bytes) {
    if (bytes % (1 << 20) == 0) {
      return (bytes >> 20) + " MiB";
    }
    return bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : bytes + " B";
  }

  /** Returns time for small tasks, and rate for large ones. */
  Metric metric() {
    if (latency instanceof Paced) {
      return Metric.US;
    }
    return isNull || load.bytes() < 4096 ? Metric.NS : Metric.GIBPS;
  }

  double gib() {
    return isNull ? 0 : (double) count * load.bytes() / (1L << 30);
  }

  Map<String, String> parameters() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("kind", kind());
    all.put("window", Integer.toString(load.window()));
    all.put("size", Integer.toString(load.bytes()));
    all.put("batch", Integer.toString(load.batch()));
    all.put("count", Long.toString(count));
    all.put("engines", Integer.toString(engines));
    all.put("idle", idle);
    all.put("device", isNull ? "null, inline" : "threads");
    if (latency instanceof Paced paced) {
      all.put("tasks per second", Double.toString(paced.perSecond()));
    }
    return all;
  }

  /** Returns the settings of both sides' devices. */
  Map<String, String> environment() {
    return isNull
        ? Map.of("SOFTDPU_NULL", "1", "SOFTDPU_EXECUTION", "inline")
        : Map.of("SOFTDPU_NULL", "0", "SOFTDPU_EXECUTION", "threads");
  }
}
