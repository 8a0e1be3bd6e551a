package io.dpuactors.benchmarks.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.dpuactors.benchmarks.load.Load;
import io.dpuactors.benchmarks.load.Load.Kind;
import io.dpuactors.benchmarks.load.StreamRun.Form;
import io.dpuactors.benchmarks.measure.Programs;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.result.Metric;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A load that both sides run.
 *
 * @param load of each engine
 * @param count tasks of a trial, over all engines
 * @param engines number of engines of the actors
 * @param isNull whether the device completes tasks at once and does nothing
 * @param program of {@code benchmarks/c} that runs the same load; empty: none
 * @param rate tasks that become due per second, independently of the device; the value is then a
 *     latency. 0: no rate, and the value is the time per task or the data rate
 * @param stream form of a stream, whose other side is the same load by actors; empty: no stream
 */
record LoadPoint(
    Load load,
    long count,
    int engines,
    boolean isNull,
    String program,
    double rate,
    Optional<Form> stream) {
  /** Trials of each process that do not count. */
  private static final int WARM_UPS = 4;

  /** Smallest blocks whose tasks take the device far longer than their messages. */
  private static final int BLOCK_BYTES = 64 << 10;

  /**
   * Idle strategy of both sides. The waiting side sleeps: a spinning one would take its half of a
   * core where two hardware threads share one.
   */
  private static final String IDLE = "adaptive";

  /** The program of the actors. */
  private static final String ACTORS = "bench-tasks";

  static LoadPoint paired(Load load, long count, boolean isNull) {
    return new LoadPoint(load, count, 1, isNull, "tasks-c", 0, Optional.empty());
  }

  /** Returns a flow of Pekko Streams beside actors with the same load. */
  static LoadPoint streamed(Load load, long count, Form form) {
    return new LoadPoint(load, count, 1, false, ACTORS, 0, Optional.of(form));
  }

  /** Returns tasks without work beside those of compress, both by actors. */
  static LoadPoint besideCompress(Kind kind, int window, long count) {
    Load load = new Load(kind, window, kind.smallest());
    return new LoadPoint(load, count, 1, true, ACTORS, 0, Optional.empty());
  }

  /** Returns a load beside the library that does the work of the software DPU. */
  static LoadPoint besideLibrary(Load load, long count) {
    return new LoadPoint(load, count, 1, false, "bare-c", 0, Optional.empty());
  }

  LoadPoint withEngines(int number) {
    return new LoadPoint(load, count, number, isNull, "", rate, Optional.empty());
  }

  LoadPoint paced(double perSecond, long tasks) {
    return new LoadPoint(load, tasks, engines, isNull, "", perSecond, Optional.empty());
  }

  /** Returns the programs of both sides. Each runs all trials in one process. */
  Point point(Bench bench) {
    int turns = bench.trials() + WARM_UPS;
    LoadPoint point = bench.quick() ? shortened() : this;
    Programs programs = isOfBlocks() ? bench.programs().brief() : bench.programs();
    return new Point(
        key(),
        label(),
        metric(),
        point.parameters(),
        isNull ? 0 : (double) point.count * load.bytes() / (1L << 30),
        Map.of("SOFTDPU_NULL", isNull ? "1" : "0", "SOFTDPU_EXECUTION", execution()),
        WARM_UPS,
        false,
        this::read,
        point.actors(programs, turns),
        program.isEmpty() ? null : point.plain(programs, turns),
        Map.of());
  }

  /**
   * Returns whether the actors run with the JVM options of {@code ./dpu} for programs that move
   * blocks. A second compiler would work through all trials, on the processors of the device.
   */
  boolean isOfBlocks() {
    return !isNull && rate == 0 && stream.isEmpty() && load.bytes() >= BLOCK_BYTES;
  }

  /** Returns a point with a tenth of the tasks. */
  private LoadPoint shortened() {
    long tasks = Math.max(2L * load.window() * engines, count / 10);
    return new LoadPoint(load, tasks, engines, isNull, program, rate, stream);
  }

  private String execution() {
    return isNull ? "inline" : "threads";
  }

  private String key() {
    return "%s-w%d-%d".formatted(load.kind().key(), load.window(), load.bytes())
        + (load.batch() > 0 ? "-b" + load.batch() : "")
        + (engines > 1 ? "-e" + engines : "")
        + (rate > 0 ? "-r" + Math.round(rate) : "")
        + stream.map(form -> "-" + form.key()).orElse("");
  }

  private String label() {
    return "%s, window %d, %s".formatted(load.kind().key(), load.window(), size(load.bytes()))
        + stream.map(form -> ", stream " + form.key()).orElse("")
        + (load.batch() > 0 ? ", batches of " + load.batch() : "")
        + (engines > 1 ? ", " + engines + " engines" : "")
        + (rate > 0 ? ", %d/s".formatted(Math.round(rate)) : "");
  }

  private static String size(int bytes) {
    if (bytes % (1 << 20) == 0) {
      return (bytes >> 20) + " MiB";
    }
    return bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : bytes + " B";
  }

  /** Returns time for small tasks, and rate for large ones. */
  private Metric metric() {
    if (rate > 0) {
      return Metric.US;
    }
    return isNull || load.bytes() < 4096 ? Metric.NS : Metric.GIBPS;
  }

  /** Returns a paced program of the actors. */
  List<String> actors(Programs programs, int trials) {
    List<String> words = programs.dpu(ACTORS);
    words.addAll(options(trials));
    stream.ifPresent(form -> words.addAll(List.of("--stream", form.key())));
    words.addAll(List.of("--engines", "" + engines, "--batch", "" + load.batch()));
    if (rate > 0) {
      words.addAll(List.of("--rate", "" + rate));
    }
    words.add("-Ddpu.engine.idle=" + IDLE);
    return words;
  }

  /** Returns the other side: the same in plain C, or actors. */
  List<String> plain(Programs programs, int trials) {
    if (program.equals(ACTORS)) {
      return reference().actors(programs, trials);
    }
    List<String> words = programs.plain(program);
    words.addAll(options(trials));
    words.addAll(List.of("--idle", IDLE));
    return words;
  }

  /** Returns the same load without a stream; for a load that is no stream, that of compress. */
  private LoadPoint reference() {
    Load other =
        stream.isPresent()
            ? load
            : new Load(Kind.COMPRESS, load.window(), Kind.COMPRESS.smallest());
    return new LoadPoint(other, count, engines, isNull, "", rate, Optional.empty());
  }

  private List<String> options(int trials) {
    return List.of(
        "--kind %s --window %d --size %d --count %d --trials %d --paced"
            .formatted(load.kind().key(), load.window(), load.bytes(), count, trials)
            .split(" ", -1));
  }

  private Sample read(JsonNode line, double seconds) throws RunException {
    double value =
        switch (metric()) {
          case GIBPS -> Sample.figure(line, "data_rate_gibps");
          case US -> Sample.figure(line, "p99_ns") / 1000;
          default -> Sample.figure(line, "ns_per_task");
        };
    JsonNode bytes = line.get("allocated_bytes_per_task");
    return new Sample(value, null, null, bytes == null ? null : bytes.asDouble(), null);
  }

  private Map<String, String> parameters() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("kind", load.kind().key());
    all.put("window", "" + load.window());
    all.put("size", "" + load.bytes());
    all.put("batch", "" + load.batch());
    all.put("count", "" + count);
    all.put("engines", "" + engines);
    all.put("idle", IDLE);
    all.put("device", isNull ? "null, inline" : "threads");
    if (rate > 0) {
      all.put("tasks per second", "" + rate);
    }
    return all;
  }
}
