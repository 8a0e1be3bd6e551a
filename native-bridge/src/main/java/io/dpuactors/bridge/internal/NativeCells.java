package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.jna.DpuBridge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Equal cells of memory outside of the Java heap, for outgoing messages and immediate data. The
 * cells are registered with no device and belong to no engine.
 *
 * <p>The memory is valid as long as this object or one of its views is reachable. A caller that
 * passes an {@link #address} to the device keeps one of them until the record arrives.
 *
 * <p>Thread: any; each cell has one user at a time.
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
   * @throws IllegalArgumentException for other values, or if all cells together exceed 2 GiB
   * @throws OutOfMemoryError if the machine, or the JVM's limit, has no such memory
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

  /** Returns the number of cells. */
  public int count() {
    return views.length;
  }

  /** Returns the size of each cell. */
  public int bytesPerCell() {
    return views[0].capacity();
  }

  /**
   * Returns the address of a cell.
   *
   * @throws IndexOutOfBoundsException if there is no such cell
   */
  public long address(int cell) {
    Objects.checkIndex(cell, views.length);
    return address + (long) cell * stride;
  }

  /**
   * Returns the view of a cell, in native byte order. The caller may change position and limit.
   *
   * @throws IndexOutOfBoundsException if there is no such cell
   */
  public ByteBuffer view(int cell) {
    return views[Objects.checkIndex(cell, views.length)];
  }
}
