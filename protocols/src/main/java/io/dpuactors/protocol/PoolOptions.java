package io.dpuactors.protocol;

import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.Permission;
import java.util.Optional;
import java.util.Set;

/**
 * Options of a pool that the engine allocates.
 *
 * @param count number of buffers
 * @param bufferBytes size of each buffer in bytes
 * @param device PCI address, long or short form; empty: the device that the engine opened first
 * @param memory kind of memory; {@link MemoryProtocol.ExportPool} needs a PCI permission. {@code
 *     pool.memory().pages()} reports whether requested huge pages were available
 */
public record PoolOptions(
    int count, int bufferBytes, Optional<String> device, MemoryOptions memory) {

  /** Returns options for ordinary memory of this process only, on the engine's first device. */
  public static PoolOptions of(int count, int bufferBytes) {
    return new PoolOptions(count, bufferBytes, Optional.empty(), MemoryOptions.defaults());
  }

  /** Returns these options for one device. */
  public PoolOptions onDevice(String pciAddress) {
    return new PoolOptions(count, bufferBytes, Optional.of(pciAddress), memory);
  }

  /** Returns these options with another kind of memory. */
  public PoolOptions withMemory(MemoryOptions kind) {
    return new PoolOptions(count, bufferBytes, device, kind);
  }

  /** Returns these options with other accesses that devices may make. */
  public PoolOptions withPermissions(Set<Permission> allowed) {
    return withMemory(memory.withPermissions(allowed));
  }
}
