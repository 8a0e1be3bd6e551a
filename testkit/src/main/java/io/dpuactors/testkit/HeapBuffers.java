package io.dpuactors.testkit;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskBuffers.Part;
import io.dpuactors.protocol.BufferOptions;
import java.util.List;

/**
 * Pools of buffers in the Java heap, for tests without native libraries. The pools behave like the
 * pools of an engine: leases, waiting, chains, batches, and errors. Devices cannot access them; a
 * {@link ScriptedContext} can.
 *
 * <p>Thread: any. {@link BufferPool#close} fails while buffers are leased.
 */
public final class HeapBuffers {
  private HeapBuffers() {}

  /**
   * Creates a pool.
   *
   * @param count number of buffers, more than 0
   * @param bufferBytes size of each buffer, more than 0
   * @throws ArithmeticException if the pool has 2 GiB or more
   */
  public static BufferPool pool(int count, int bufferBytes) {
    return BufferPool.of(HeapMemory.create(count, bufferBytes));
  }

  /** Creates pairs of buffers, as {@code OpenBuffers} does. */
  public static TaskBuffers pairs(BufferOptions options) {
    Part part =
        new Part(
            pool(options.pairs(), options.sourceBytes()),
            pool(options.pairs(), options.destinationBytes()));
    return TaskBuffers.of(List.of(part), options.maxWaiting());
  }
}
