package io.dpuactors.benchmarks.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.dpuactors.benchmarks.load.Load;
import io.dpuactors.benchmarks.load.Load.Kind;
import io.dpuactors.benchmarks.load.StreamRun.Form;
import io.dpuactors.benchmarks.measure.Programs;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.result.Metric;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** All scenarios. */
public final class Scenarios {
  private static final int[] WINDOWS = {1, 4, 16, 64, 256};
  private static final int[] SIZES = {
    64, 512, 4 << 10, 32 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20
  };
  private static final int[] LIBRARY_SIZES = {4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20};
  private static final long NULL_TASKS = 512_000;
  private static final long TRIAL_BYTES = 256L << 20;
  private static final long MAX_TASKS = 50_000;

  /** Largest registered memory, sources and destinations together. */
  private static final long MAX_MEMORY = 1L << 30;

  private static final LoadPoint COPIES =
      LoadPoint.paired(new Load(Kind.DMA, 64, 4 << 10), MAX_TASKS, false);
  private static final LoadPoint BLOCKS = device(new Load(Kind.COMPRESS, 4, 1 << 20));

  private static final List<Scenario> ALL =
      List.of(
          new Scenario(
              "micro",
              "single steps (JMH): rings, turn, tell, lease, task, message",
              MicroRun::run),
          loads(
              "null-task",
              "a task that the device does at once, window 64",
              Stream.of(Kind.values()).map(kind -> none(kind, 64))),
          loads(
              "null-kinds",
              "the same of each kind beside compress, both by actors in turns",
              Stream.of(Kind.values()).map(kind -> LoadPoint.besideCompress(kind, 64, NULL_TASKS))),
          loads(
              "null-batch",
              "the same, 64 tasks in one request",
              Stream.of(Kind.DMA, Kind.COMPRESS)
                  .flatMap(kind -> Stream.of(batches(kind, 16), batches(kind, 64)))),
          loads(
              "null-window",
              "the rig itself: the null device over windows",
              Stream.of(Kind.DMA, Kind.COMPRESS)
                  .flatMap(kind -> IntStream.of(WINDOWS).mapToObj(w -> none(kind, w)))),
          loads(
              "blocks",
              "each kind of tasks with blocks of 1 MiB, window 4",
              Stream.of(Kind.values()).map(kind -> device(new Load(kind, 4, 1 << 20)))),
          loads(
              "library",
              "the software DPU beside openssl speed and ISA-L on all hardware threads",
              Stream.concat(
                  Stream.of(Kind.SHA, Kind.AES_GCM)
                      .flatMap(kind -> IntStream.of(LIBRARY_SIZES).mapToObj(b -> library(kind, b))),
                  Stream.of(library(Kind.ERASURE_CODING, 1 << 20)))),
          loads(
              "stream",
              "flows of Pekko Streams beside actors, blocks of 1 MiB, window 4",
              Stream.of(Form.values())
                  .flatMap(
                      form -> Stream.of(Kind.COMPRESS, Kind.DMA).map(one -> streamed(one, form)))),
          loads("window-dma", "copies of 4 KiB over windows", windows(Kind.DMA)),
          loads("window-compress", "deflate of 4 KiB over windows", windows(Kind.COMPRESS)),
          loads("size-dma", "copies over sizes, window 4", sizes(Kind.DMA, 4)),
          loads("size-compress", "deflate over sizes, window 4", sizes(Kind.COMPRESS, 4)),
          loads("grid-dma", "copies over all windows and sizes (long)", grid(Kind.DMA)),
          loads("grid-compress", "deflate over all windows and sizes (long)", grid(Kind.COMPRESS)),
          loads(
              "engines",
              "one engine and two, without plain C",
              Stream.of(none(Kind.DMA, 64), none(Kind.COMPRESS, 64), BLOCKS)
                  .flatMap(load -> Stream.of(load.withEngines(1), load.withEngines(2)))),
          loads(
              "latency",
              "p99 from due to done, at rates the device can bear",
              Stream.of(
                  none(Kind.DMA, 64).paced(50_000, 25_000),
                  none(Kind.DMA, 64).paced(200_000, 100_000),
                  none(Kind.DMA, 64).paced(500_000, 250_000),
                  COPIES.paced(10_000, 5_000),
                  COPIES.paced(50_000, 25_000))),
          new Scenario("file", "compression of a file of 1 GiB", FileRun::run),
          new Scenario("wall", "whole processes beside igzip and an earlier commit", WallRun::run),
          new Scenario("ping", "round trip over two processes", PingRun::run),
          Scenario.of(
              "rdma",
              "writes over RDMA, two processes, beside plain C and process_vm_writev",
              bench -> RdmaPoint.all().stream().map(point -> point.point(bench)).toList()),
          new Scenario("turn", "turns of an engine over idle connections", TurnRun::run),
          new Scenario(
              "rdma-turn", "10,000 idle RDMA connections of one listener", RdmaTurnRun::run),
          Scenario.of(
              "idle",
              "CPU of an engine that has nothing to do",
              bench -> List.of(idle(bench, "adaptive"), idle(bench, "event"))),
          Scenario.of(
              "start",
              "from java to the first completed task",
              bench -> {
                Programs brief = bench.programs().brief();
                return List.of(
                    start("start-archive", "as ./dpu starts it", brief),
                    start("start-bare", "without a class-data archive", brief.withoutArchive()));
              }));

  private Scenarios() {}

  /** Returns all scenarios in the order of the list. */
  public static List<Scenario> all() {
    return ALL;
  }

  /** Returns the scenario of a name. */
  public static Optional<Scenario> find(String name) {
    return ALL.stream().filter(scenario -> scenario.name().equals(name)).findFirst();
  }

  private static Scenario loads(String name, String title, Stream<LoadPoint> points) {
    List<LoadPoint> all = points.toList();
    return Scenario.of(
        name, title, bench -> all.stream().map(point -> point.point(bench)).toList());
  }

  private static LoadPoint none(Kind kind, int window) {
    return LoadPoint.paired(new Load(kind, window, kind.smallest()), NULL_TASKS, true);
  }

  /** The second compiler of the JVM counts messages, and batches need few of them. */
  private static LoadPoint batches(Kind kind, int batch) {
    return LoadPoint.paired(new Load(kind, 64, kind.smallest(), batch), 8 * NULL_TASKS, true);
  }

  private static Stream<LoadPoint> windows(Kind kind) {
    return fitting(IntStream.of(WINDOWS).mapToObj(window -> new Load(kind, window, 4 << 10)));
  }

  private static Stream<LoadPoint> sizes(Kind kind, int window) {
    return fitting(IntStream.of(SIZES).mapToObj(bytes -> new Load(kind, window, bytes)));
  }

  private static Stream<LoadPoint> grid(Kind kind) {
    return IntStream.of(WINDOWS).boxed().flatMap(window -> sizes(kind, window));
  }

  /** Removes loads that need more memory than a small machine has. */
  private static Stream<LoadPoint> fitting(Stream<Load> loads) {
    return loads
        .filter(load -> 2L * load.window() * load.bytes() <= MAX_MEMORY)
        .map(Scenarios::device);
  }

  private static LoadPoint device(Load load) {
    return LoadPoint.paired(load, tasks(load), false);
  }

  private static LoadPoint streamed(Kind kind, Form form) {
    Load load = new Load(kind, 4, 1 << 20);
    return LoadPoint.streamed(load, 8 * tasks(load), form); // each trial also opens the buffers
  }

  private static LoadPoint library(Kind kind, int bytes) {
    Load load = new Load(kind, 16, bytes);
    return LoadPoint.besideLibrary(load, tasks(load));
  }

  private static long tasks(Load load) {
    return Math.max(2L * load.window(), Math.min(MAX_TASKS, TRIAL_BYTES / load.bytes()));
  }

  /** Returns an engine with an open context under an idle strategy. */
  private static Point idle(Bench bench, String strategy) {
    List<String> command = oneTask(bench.programs(), bench.trials() + 1);
    command.addAll(List.of("--paced", "--idle-seconds", bench.quick() ? "1" : "5"));
    command.add("-Ddpu.engine.idle=" + strategy);
    return new Point(
        "idle-" + strategy,
        "idle, " + strategy,
        Metric.CORE_PERCENT,
        Map.of(),
        0,
        Map.of(),
        1,
        false,
        (line, seconds) -> Sample.of(Sample.figure(line, "core_percent")),
        command,
        null,
        Map.of());
  }

  /**
   * Returns one DMA task of a new process. The first process, which reads files into memory, does
   * not count.
   */
  private static Point start(String key, String label, Programs programs) {
    return new Point(
        key,
        label,
        Metric.SECONDS,
        Map.of(),
        0,
        Map.of(),
        1,
        true,
        Scenarios::seconds,
        oneTask(programs, 1),
        null,
        Map.of());
  }

  private static Sample seconds(JsonNode line, double seconds) throws RunException {
    Sample.figure(line, "ns_per_task");
    return Sample.of(seconds);
  }

  private static List<String> oneTask(Programs programs, int trials) {
    return programs.dpu("bench-tasks", "--count", "1", "--window", "1", "--trials", "" + trials);
  }
}
