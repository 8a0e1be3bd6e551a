package io.dpuactors.benchmarks.micro;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.ProgressEngine;
import io.dpuactors.bridge.internal.RegisteredPool;
import io.dpuactors.bridge.internal.TaskFunctions;
import java.util.ArrayList;
import java.util.List;
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

/** Cost of the rings without any actor: entry, null device, record. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RingBenchmark {
  private static final TaskKind KIND = TaskKind.DMA_MEMCPY;
  private static final int WINDOW = 64;
  private static final int BUDGET = 256;
  private static final int BYTES = 64;

  private final CompletionRing.RecordHandler handler = this::onRecord;
  private List<Buffer> sources = List.of();
  private List<Buffer> destinations = List.of();
  private Parts parts = NONE;
  private long seen;

  private static final Parts NONE = new Parts(null, null, null, null, null);

  /** The batch shares its buffers with no other task. */
  private record Parts(
      ProgressEngine engine,
      Device device,
      BufferPool pool,
      DocaContext context,
      TaskBatch batch) {}

  /** JMH calls this constructor. */
  public RingBenchmark() {}

  /** Runs on the benchmark's thread, which therefore owns the engine. */
  @Setup(Level.Trial)
  public void open() {
    ProgressEngine engine = ProgressEngine.create(NullDevice.load(), 1024, 4096);
    Device device = Device.openFirst(engine, d -> d.capabilities(TaskLibrary.DMA).any(), "copies");
    BufferPool pool = RegisteredPool.create(engine, device, 4 * WINDOW, BYTES);
    DocaContext context = TaskFunctions.of(TaskLibrary.DMA).create(engine, device, 0);
    context.configure(KIND, WINDOW);
    context.queue(KIND, 1);
    context.start();
    sources = filled(pool);
    destinations = filled(pool);
    parts = new Parts(engine, device, pool, context, TaskBatch.of(filled(pool), filled(pool)));
    settle();
  }

  private static List<Buffer> filled(BufferPool pool) {
    List<Buffer> window = new ArrayList<>();
    for (int i = 0; i < WINDOW; i++) {
      Buffer buffer = Objects.requireNonNull(pool.lease());
      buffer.length(BYTES);
      window.add(buffer);
    }
    return window;
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

  /** A window of entries, one native call, one record per entry; result per task. */
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

  /** A batch of a window: one entry, one native call, one record; result per task. */
  @Benchmark
  @OperationsPerInvocation(WINDOW)
  public long roundTripOfABatch() {
    TaskBatch batch = parts.batch;
    batch.begin();
    if (!parts.engine.submissions().offerBatch(0, parts.context.handle(), KIND, batch)) {
      throw new IllegalStateException("the ring is full");
    }
    parts.engine.enter(BUDGET);
    parts.engine.completions().drain(handler, 1);
    batch.written();
    batch.end();
    return seen;
  }

  private void offer(int i) {
    if (!parts
        .engine
        .submissions()
        .offer(i, parts.context.handle(), KIND, sources.get(i), destinations.get(i), 0)) {
      throw new IllegalStateException("the ring is full");
    }
  }

  /** A native call that finds nothing to do. */
  @Benchmark
  public int enterIdle() {
    return parts.engine.enter(BUDGET);
  }

  /** Closes everything. */
  @TearDown(Level.Trial)
  public void close() {
    parts.context.stop();
    settle();
    parts.context.destroy();
    List<Buffer> ofBatch = new ArrayList<>(parts.batch.sources());
    ofBatch.addAll(parts.batch.destinations());
    parts.batch.close();
    ofBatch.forEach(Buffer::release);
    sources.forEach(Buffer::release);
    destinations.forEach(Buffer::release);
    parts.pool.close();
    parts.device.close();
    parts.engine.close();
  }
}
