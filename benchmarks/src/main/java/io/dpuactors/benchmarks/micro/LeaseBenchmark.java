package io.dpuactors.benchmarks.micro;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.ProgressEngine;
import io.dpuactors.bridge.internal.RegisteredPool;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Lease and release of a buffer. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LeaseBenchmark {
  private @Nullable ProgressEngine engine;
  private @Nullable Device device;
  private @Nullable BufferPool pool;
  private @Nullable LeaseScope scope;

  /** JMH calls this constructor. */
  public LeaseBenchmark() {}

  /** Opens a pool of 64 buffers. */
  @Setup(Level.Trial)
  public void open() {
    engine = ProgressEngine.create(NullDevice.load(), 64, 128);
    device = Device.openFirst(engine, d -> d.capabilities(TaskLibrary.DMA).any(), "copies");
    pool = RegisteredPool.create(engine, device, 64, 4096);
    scope = pool.scope("benchmark");
  }

  /** Without a holder. */
  @Benchmark
  public @Nullable Buffer leaseAndRelease() {
    Buffer buffer = pool.lease();
    buffer.release();
    return buffer;
  }

  /** For a holder. */
  @Benchmark
  public @Nullable Buffer leaseOfScopeAndRelease() {
    Buffer buffer = scope.lease();
    buffer.release();
    return buffer;
  }

  /** Closes everything. */
  @TearDown(Level.Trial)
  public void close() {
    pool.close();
    device.close();
    engine.close();
  }
}
