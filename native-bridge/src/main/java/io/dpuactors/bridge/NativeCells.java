package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DpuBridge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Equal cells of memory outside of the Java heap, for outgoing messages and immediate data. They
 * are registered with no device and belong to no engine.
 *
 * <p>The memory lives as long as this object or one of its views can be reached. Whoever gives the
 * device an {@link #address} keeps one of them until the record has come.
 *
 * <p>Thread: any; a cell belongs to whoever uses it.
 */
public final class NativeCells {
  private static final int CACHE_LINE = 64;

  private final ByteBuffer[] views;
  private final long address;
  private final int stride;

  private NativeCells(ByteBuffer memory, int count, int bytesPerCell, int stride) {
    this.address = DpuBridge.address(memory);
    this.stride = stride;
    this.views = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      views[i] = memory.slice(i * stride, bytesPerCell).order(ByteOrder.nativeOrder());
    }
  }

  /**
   * Allocates zeroed cells that share no cache line.
   *
   * @param count more than 0
   * @param bytesPerCell more than 0
   * @throws IllegalArgumentException when one is not, or all cells together exceed 2 GiB
   * @throws OutOfMemoryError when the machine, or the JVM's bound of such memory, has no more
   */
  public static NativeCells allocate(int count, int bytesPerCell) {
    long stride = ((long) bytesPerCell + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    if (count <= 0 || bytesPerCell <= 0 || count * stride > Integer.MAX_VALUE - CACHE_LINE) {
      throw new IllegalArgumentException(count + " cells of " + bytesPerCell + " bytes");
    }
    int bytes = (int) (count * stride);
    ByteBuffer memory = ByteBuffer.allocateDirect(bytes + CACHE_LINE).alignedSlice(CACHE_LINE);
    return new NativeCells(memory, count, bytesPerCell, (int) stride);
  }

  /** How many there are. */
  public int count() {
    return views.length;
  }

  /** Size of each. */
  public int bytesPerCell() {
    return views[0].capacity();
  }

  /**
   * Where a cell begins.
   *
   * @throws IndexOutOfBoundsException when there is no such cell
   */
  public long address(int cell) {
    Objects.checkIndex(cell, views.length);
    return address + (long) cell * stride;
  }

  /**
   * A cell's one view, in native byte order. Position and limit are the user's.
   *
   * @throws IndexOutOfBoundsException when there is no such cell
   */
  public ByteBuffer view(int cell) {
    return views[Objects.checkIndex(cell, views.length)];
  }
}
