package io.dpuactors.testkit;

import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.Pages;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.PoolMemory;
import io.dpuactors.bridge.RemoteMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;

/**
 * Memory of a pool in the Java heap. Addresses are offsets into the memory, and the pointer of a
 * buffer is its index plus 1. Thread: any.
 */
final class HeapMemory implements PoolMemory {
  private static final int PAGE_BYTES = 4096;

  private final Census census = new Census();
  private final int count;
  private final int bufferBytes;
  private final ByteBuffer memory;

  /** Content bytes of each buffer in a chain. */
  private final long[] content;

  private HeapMemory(int count, int bufferBytes) {
    this.count = count;
    this.bufferBytes = bufferBytes;
    this.memory = ByteBuffer.allocate(Math.multiplyExact(count, bufferBytes));
    this.content = new long[count];
  }

  static HeapMemory create(int count, int bufferBytes) {
    if (count <= 0 || bufferBytes <= 0) {
      throw new IllegalArgumentException(
          "a buffer pool of %d x %d bytes".formatted(count, bufferBytes));
    }
    return new HeapMemory(count, bufferBytes);
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public int bufferBytes() {
    return bufferBytes;
  }

  @Override
  public ByteBuffer view(int index) {
    return memory.slice(index * bufferBytes, bufferBytes).order(ByteOrder.nativeOrder());
  }

  @Override
  public long address(int index) {
    return (long) index * bufferBytes;
  }

  @Override
  public long pointer(int index) {
    return index + 1L;
  }

  @Override
  public long bytes() {
    return memory.capacity();
  }

  @Override
  public long replace(int index, long address, long bytes) {
    throw new IllegalStateException("replace: buffers in the heap have fixed windows");
  }

  /** Does nothing: the buffers of a chain are known to its head. */
  @Override
  public void chain(long head, long next, String about) {}

  /** Does nothing, as {@link #chain}. */
  @Override
  public void unchain(long before, long next, String about) {}

  @Override
  public void content(long pointer, long address, long bytes, String about) {
    content[(int) pointer - 1] = bytes;
  }

  @Override
  public long contentBytes(long pointer, String about) {
    return content[(int) pointer - 1];
  }

  @Override
  public Pages pages() {
    return new Pages(Pages.Kind.FOREIGN, PAGE_BYTES, "memory of the Java heap");
  }

  @Override
  public MemoryExport export() {
    throw notPermitted("doca_mmap_export_pci");
  }

  @Override
  public RemoteMemory exportToPeers() {
    throw notPermitted("doca_mmap_export_rdma");
  }

  @Override
  public Set<Permission> grantedByPeer() {
    return Set.of();
  }

  private static DocaException notPermitted(String operation) {
    return new DocaException(
        DocaError.of(
            operation,
            DocaCode.NOT_PERMITTED.value(),
            "no device can access memory of the Java heap"));
  }

  @Override
  public Census census() {
    return census;
  }

  /** Allows every thread. */
  @Override
  public void checkThread(String operation) {}

  /** Does nothing: the garbage collector frees the memory. */
  @Override
  public void close(boolean keepsMapped) {}
}
