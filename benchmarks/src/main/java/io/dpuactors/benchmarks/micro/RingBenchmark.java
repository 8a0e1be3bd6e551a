package io.dpuactors.benchmarks.micro;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.CompletionRing;
import io.dpuactors.bridge.Device;
import io.dpuactors.bridge.Dma;
import io.dpuactors.bridge.DocaContext;
import io.dpuactors.bridge.ProgressEngine;
import io.dpuactors.bridge.TaskKind;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What the rings cost, without any actor: an entry in, the null device, its record out. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RingBenchmark {
  private static final int WINDOW = 64;
  private static final int BUDGET = 256;
  private static final int BYTES = 64;

  private final CompletionRing.RecordHandler handler = this::onRecord;
  private final Buffer[] sources = new Buffer[WINDOW];
  private final Buffer[] destinations = new Buffer[WINDOW];
  private Parts parts = NONE;
  private long seen;

  private static final Parts NONE = new Parts(null, null, null, null);

  private record Parts(
      ProgressEngine engine, Device device, BufferPool pool, DocaContext context) {}

  /** JMH's. */
  public RingBenchmark() {}

  /** On the benchmark's thread, which thereby owns the engine. */
  @Setup(Level.Trial)
  public void open() {
    ProgressEngine engine = ProgressEngine.create(NullDevice.load(), 1024, 4096);
    Device device = Device.openFirst(engine, d -> d.dmaCapabilities().any(), "copies");
    BufferPool pool = BufferPool.create(engine, device, 2 * WINDOW, BYTES);
    DocaContext context = Dma.create(engine, device, 0);
    context.configure(TaskKind.DMA_MEMCPY, WINDOW);
    context.start();
    for (int i = 0; i < WINDOW; i++) {
      sources[i] = Objects.requireNonNull(pool.lease());
      sources[i].length(BYTES);
      destinations[i] = Objects.requireNonNull(pool.lease());
    }
    parts = new Parts(engine, device, pool, context);
    settle();
  }

  private void settle() {
    for (int turn = 0; turn < BUDGET; turn++) {
      parts.engine.enter(BUDGET);
      parts.engine.completions().drain(handler, Integer.MAX_VALUE);
    }
  }

  private void onRecord(CompletionRing record) {
    seen += record.userData();
  }

  /** One entry, one native call, one record. */
  @Benchmark
  public long roundTrip() {
    offer(0);
    parts.engine.enter(BUDGET);
    parts.engine.completions().drain(handler, WINDOW);
    return seen;
  }

  /** A window of entries, one native call, as many records; per task. */
  @Benchmark
  @OperationsPerInvocation(WINDOW)
  public long roundTripOf64() {
    for (int i = 0; i < WINDOW; i++) {
      offer(i);
    }
    parts.engine.enter(BUDGET);
    parts.engine.completions().drain(handler, WINDOW);
    return seen;
  }

  private void offer(int i) {
    if (!parts
        .engine
        .submissions()
        .offer(i, parts.context.handle(), TaskKind.DMA_MEMCPY, sources[i], destinations[i], 0)) {
      throw new IllegalStateException("the ring is full");
    }
  }

  /** A native call that finds nothing to do. */
  @Benchmark
  public int enterIdle() {
    return parts.engine.enter(BUDGET);
  }

  /** In order. */
  @TearDown(Level.Trial)
  public void close() {
    parts.context.stop();
    settle();
    parts.context.destroy();
    for (int i = 0; i < WINDOW; i++) {
      sources[i].release();
      destinations[i].release();
    }
    parts.pool.close();
    parts.device.close();
    parts.engine.close();
  }
}
