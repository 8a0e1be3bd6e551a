package io.dpuactors.benchmarks.run;

import io.dpuactors.benchmarks.load.Load;
import io.dpuactors.benchmarks.load.Load.Kind;
import io.dpuactors.benchmarks.result.PointResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All scenarios. */
public final class Scenarios {
  private static final int[] WINDOWS = {1, 4, 16, 64, 256};
  private static final int[] SIZES = {
    64, 512, 4 << 10, 32 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20
  };
  private static final int NULL_BYTES = 64;
  private static final long NULL_TASKS = 512_000;

  /** The second compiler of the JVM counts messages, and batches need few of them. */
  private static final long BATCHED_NULL_TASKS = 8 * NULL_TASKS;

  private static final long TRIAL_BYTES = 256L << 20;
  private static final long MOST_TASKS = 50_000;

  /** Largest registered memory, sources and destinations together. */
  private static final long MOST_MEMORY = 1L << 30;

  private static final List<Scenario> ALL =
      List.of(
          new Scenario(
              "micro",
              "single steps (JMH): rings, turn, tell, lease, task, message",
              MicroRun::run),
          points("null-task", "a task that the device does at once, window 64", nullTasks()),
          points("null-batch", "the same, 64 tasks in one request", nullBatches()),
          points("null-window", "the rig itself: the null device over windows", nullWindows()),
          points("window-dma", "copies of 4 KiB over windows", windows(Kind.DMA)),
          points("window-compress", "deflate of 4 KiB over windows", windows(Kind.COMPRESS)),
          points("size-dma", "copies over sizes, window 4", sizes(Kind.DMA, 4)),
          points("size-compress", "deflate over sizes, window 4", sizes(Kind.COMPRESS, 4)),
          points("grid-dma", "copies over all windows and sizes (long)", grid(Kind.DMA)),
          points("grid-compress", "deflate over all windows and sizes (long)", grid(Kind.COMPRESS)),
          points("engines", "one engine and two, without plain C", engines()),
          points("latency", "p99 from due to done, at rates the device can bear", latencies()),
          new Scenario("ping", "round trip over two processes", PingRun::run),
          new Scenario("turn", "turns of an engine over idle connections", TurnRun::run),
          new Scenario("idle", "CPU of an engine that has nothing to do", StandRun::idle),
          new Scenario("start", "from java to the first completed task", StandRun::start));

  private Scenarios() {}

  /** Returns all scenarios in the order of the list. */
  public static List<Scenario> all() {
    return ALL;
  }

  /** Returns the scenario of a name. */
  public static Optional<Scenario> find(String name) {
    return ALL.stream().filter(scenario -> scenario.name().equals(name)).findFirst();
  }

  private static Scenario points(String name, String title, List<Point> points) {
    return new Scenario(name, title, bench -> run(bench, points));
  }

  private static List<PointResult> run(Bench bench, List<Point> points)
      throws InterruptedException {
    PointRun run = new PointRun(bench.programs(), bench.logs(), bench.observer());
    List<PointResult> results = new ArrayList<>();
    for (Point point : points) {
      results.add(run.run(bench.quick() ? point.shortened() : point, bench.trials()));
    }
    return results;
  }

  private static List<Point> nullTasks() {
    return List.of(
        Point.paired(new Load(Kind.DMA, 64, NULL_BYTES), NULL_TASKS, true),
        Point.paired(new Load(Kind.COMPRESS, 64, NULL_BYTES), NULL_TASKS, true));
  }

  private static List<Point> nullBatches() {
    List<Point> points = new ArrayList<>();
    for (Kind kind : List.of(Kind.DMA, Kind.COMPRESS)) {
      points.add(Point.paired(new Load(kind, 64, NULL_BYTES, 16), BATCHED_NULL_TASKS, true));
      points.add(Point.paired(new Load(kind, 64, NULL_BYTES, 64), BATCHED_NULL_TASKS, true));
    }
    return points;
  }

  private static List<Point> nullWindows() {
    List<Point> points = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (int window : WINDOWS) {
        points.add(Point.paired(new Load(kind, window, NULL_BYTES), NULL_TASKS, true));
      }
    }
    return points;
  }

  private static List<Point> windows(Kind kind) {
    return fitting(Arrays.stream(WINDOWS).mapToObj(window -> new Load(kind, window, 4 << 10)));
  }

  private static List<Point> sizes(Kind kind, int window) {
    List<Load> loads = new ArrayList<>();
    for (int bytes : SIZES) {
      loads.add(new Load(kind, window, bytes));
    }
    return fitting(loads.stream());
  }

  private static List<Point> grid(Kind kind) {
    List<Point> points = new ArrayList<>();
    for (int window : WINDOWS) {
      points.addAll(sizes(kind, window));
    }
    return points;
  }

  /** Removes loads that need more memory than a small machine has. */
  private static List<Point> fitting(Stream<Load> loads) {
    return loads
        .filter(load -> 2L * load.window() * load.bytes() <= MOST_MEMORY)
        .map(load -> Point.paired(load, count(load), false))
        .toList();
  }

  private static long count(Load load) {
    return Math.max(2L * load.window(), Math.min(MOST_TASKS, TRIAL_BYTES / load.bytes()));
  }

  private static List<Point> engines() {
    List<Point> points = new ArrayList<>();
    for (Load load :
        List.of(new Load(Kind.DMA, 64, NULL_BYTES), new Load(Kind.COMPRESS, 64, NULL_BYTES))) {
      points.add(Point.paired(load, NULL_TASKS, true).withEngines(1));
      points.add(Point.paired(load, NULL_TASKS, true).withEngines(2));
    }
    Load blocks = new Load(Kind.COMPRESS, 4, 1 << 20);
    points.add(Point.paired(blocks, count(blocks), false).withEngines(1));
    points.add(Point.paired(blocks, count(blocks), false).withEngines(2));
    return points;
  }

  private static List<Point> latencies() {
    Point null64 = Point.paired(new Load(Kind.DMA, 64, NULL_BYTES), NULL_TASKS, true);
    Point copies = Point.paired(new Load(Kind.DMA, 64, 4 << 10), MOST_TASKS, false);
    return List.of(
        null64.paced(50_000, 25_000),
        null64.paced(200_000, 100_000),
        null64.paced(500_000, 250_000),
        copies.paced(10_000, 5_000),
        copies.paced(50_000, 25_000));
  }
}
