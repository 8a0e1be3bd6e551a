package io.dpuactors.benchmarks.micro;

import io.dpuactors.benchmarks.load.Load;
import io.dpuactors.benchmarks.load.LoadSystem;
import io.dpuactors.benchmarks.load.LoopRun;
import io.dpuactors.benchmarks.load.Outcome;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Time and allocation per task, from request to reply, through a context on the null device. An
 * actor on the engine's thread keeps a window of tasks in flight.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TaskBenchmark {
  private static final int TASKS = 100_000;
  private static final int BYTES = 64;

  /** Kind of the tasks. */
  @Param({"COMPRESS", "DMA"})
  private Load.Kind kind = Load.Kind.DMA;

  /** Number of tasks in flight. */
  @Param({"1", "64"})
  private int window = 1;

  private LoadSystem system;
  private LoopRun loop;
  private LoopRun batches;

  /** JMH calls this constructor. */
  public TaskBenchmark() {}

  /** Starts an engine that never sleeps. */
  @Setup(Level.Trial)
  public void open() {
    NullDevice.load();
    system = LoadSystem.start(NullDevice.config(), 1);
    loop = system.loop(0, new Load(kind, window, BYTES));
    batches = system.loop(0, new Load(kind, window, BYTES, window));
  }

  /** One message per task. */
  @Benchmark
  @OperationsPerInvocation(TASKS)
  public Outcome task() {
    return loop.run(TASKS).orThrow();
  }

  /** A complete window of tasks in one message. */
  @Benchmark
  @OperationsPerInvocation(TASKS)
  public Outcome batch() {
    return batches.run(TASKS).orThrow();
  }

  /** In order. */
  @TearDown(Level.Trial)
  public void close() {
    system.close();
  }
}
