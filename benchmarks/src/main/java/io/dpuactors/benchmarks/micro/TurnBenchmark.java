package io.dpuactors.benchmarks.micro;

import com.typesafe.config.Config;
import io.dpuactors.loop.EngineSettings;
import io.dpuactors.node.EngineCore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Measures a turn of an engine's loop without work. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TurnBenchmark {
  private EngineCore core;

  /** JMH's. */
  public TurnBenchmark() {}

  /** On the benchmark's thread, which thereby owns the engine. */
  @Setup(Level.Trial)
  public void open() {
    Config config = NullDevice.config();
    core = EngineCore.open(NullDevice.load(), EngineSettings.from(config), System::nanoTime);
  }

  /** The device's part of a turn: one native call, no records, deadlines. */
  @Benchmark
  public int turn() {
    return core.turn(System.nanoTime(), 0);
  }

  /** In order. */
  @TearDown(Level.Trial)
  public void close() {
    String left = core.close();
    if (left != null) {
      throw new IllegalStateException(left);
    }
  }
}
