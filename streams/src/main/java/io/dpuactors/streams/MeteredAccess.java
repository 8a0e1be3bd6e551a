package io.dpuactors.streams;

import io.dpuactors.engine.HeapTasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** Counts the bytes of one materialization in the memory of the device. Any thread. */
final class MeteredAccess<T, R> {
  private final BufferAccess<T, R> access;
  private final LongAdder in = new LongAdder();
  private final LongAdder out = new LongAdder();

  MeteredAccess(BufferAccess<T, R> access) {
    this.access = access;
  }

  /** Returns the function that runs the task of an element. */
  Function<T, CompletionStage<R>> run(HeapTasks<?> tasks) {
    return element -> tasks.run(src -> write(element, src), dst -> read(element, dst));
  }

  private void write(T element, ByteBuffer src) {
    try {
      access.write(element, src);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    in.add(src.position());
  }

  private R read(T element, ByteBuffer dst) {
    out.add(dst.remaining());
    try {
      return access.read(element, dst);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the statistics of a flow with the bytes of this access. */
  StreamStatistics statistics(StreamStatistics end) {
    return new StreamStatistics(
        end.elementsIn(), in.sum(), end.elementsOut(), out.sum(), end.busyRetries());
  }
}
