package io.dpuactors.node;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.internal.Device;
import java.util.Set;

/**
 * The registered memory of an RDMA context. Engine's thread.
 *
 * @param receives for the messages of peers
 * @param numbers for the numbers of tasks on events, one per task on the device
 */
public record RdmaMemory(BufferPool receives, BufferPool numbers) {
  /**
   * Registers memory.
   *
   * @param receives number of receives
   * @param receiveBytes size of each
   * @param tasks number of tasks on the device at once
   * @throws DocaException if the registration fails; nothing is left then
   * @throws OutOfMemoryError if the machine has no such memory; nothing is left then
   */
  public static RdmaMemory open(
      EnginePools pools, Device device, int receives, int receiveBytes, int tasks) {
    Set<Permission> local = Set.of(Permission.LOCAL_READ_WRITE);
    BufferPool messages = pools.open(device, receives, receiveBytes, local);
    try {
      return new RdmaMemory(messages, pools.open(device, tasks, Long.BYTES, local));
    } catch (DocaException | OutOfMemoryError e) {
      pools.close(messages);
      throw e;
    }
  }

  /** Closes the memory. Throws if tasks use it. */
  public void close(EnginePools pools) {
    pools.close(receives);
    pools.close(numbers);
  }
}
