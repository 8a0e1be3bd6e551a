package io.dpuactors.streams;

import io.dpuactors.engine.HeapTasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;

/** Elements in the memory of the device: a {@link BufferAccess} writes and reads them there. */
final class AccessedElements<T, R> implements Elements<T, R> {
  private final BufferAccess<T, R> access;
  private final Executor executor;
  private final LongAdder in = new LongAdder();
  private final LongAdder out = new LongAdder();

  AccessedElements(BufferAccess<T, R> access, Executor executor) {
    this.access = access;
    this.executor = executor;
  }

  @Override
  public CompletionStage<R> run(HeapTasks<?> tasks, byte[] head, T element, int skip) {
    return tasks.run(
        src -> write(element, src.put(head)), dst -> read(element, dst.position(skip)), executor);
  }

  private void write(T element, ByteBuffer src) {
    ByteBuffer input = src.slice();
    try {
      access.write(element, input);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    in.add(input.position());
    src.position(src.position() + input.position());
  }

  private R read(T element, ByteBuffer dst) {
    out.add(dst.remaining());
    try {
      return access.read(element, dst.slice());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns 0: {@link #complete} adds the bytes. */
  @Override
  public int inputBytes(T element) {
    return 0;
  }

  @Override
  public int outputBytes(R result) {
    return 0;
  }

  @Override
  public StreamStatistics complete(StreamStatistics end) {
    return new StreamStatistics(
        end.elementsIn(), in.sum(), end.elementsOut(), out.sum(), end.busyRetries());
  }
}
