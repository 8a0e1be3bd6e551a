package io.dpuactors.bridge.jna;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * libdpubridge, directly mapped. Names and signatures are those of {@code dpubridge.h}, which
 * documents each function. Pointers are {@code long}.
 *
 * <p>Thread: the engine's for every function that takes a bridge, except {@link #dpubridge_wake},
 * {@link #dpubridge_memory} and {@link #dpubridge_memory_bytes}. Call {@link #register} first.
 */
@SuppressWarnings("MemberName") // names as in C
public final class DpuBridge {
  private DpuBridge() {}

  /**
   * Binds this class to the library in a file. Idempotent.
   *
   * @param path absolute path of the library, or a name that the dynamic linker finds
   */
  public static synchronized void register(String path) {
    if (!Native.registered(DpuBridge.class)) {
      Native.register(DpuBridge.class, NativeLibrary.getInstance(path));
    }
  }

  /**
   * Returns a view of native memory in native byte order. The view neither owns the memory nor
   * keeps it: access after the memory is freed is undefined.
   *
   * @param bytes at most {@link Integer#MAX_VALUE}
   */
  public static ByteBuffer view(long address, long bytes) {
    return new Pointer(address).getByteBuffer(0, bytes).order(ByteOrder.nativeOrder());
  }

  /** Returns the address of a direct buffer's memory; valid while the buffer is reachable. */
  public static long address(ByteBuffer direct) {
    return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
  }

  public static native int dpubridge_layout(int[] values, int count);

  public static native int dpubridge_load(String path);

  public static native String dpubridge_error();

  public static native long dpubridge_create(
      long pe, int submissionCapacity, int completionCapacity, int messageCells, int messageBytes);

  public static native long dpubridge_memory(long bridge);

  public static native long dpubridge_memory_bytes(long bridge);

  public static native int dpubridge_destroy(long bridge);

  public static native int dpubridge_context_attach(
      long bridge, long ctx, long object, long userData, int[] handle);

  public static native int dpubridge_context_configure(
      long bridge, int handle, short kind, int numTasks);

  public static native int dpubridge_context_queue(
      long bridge, int handle, short kind, int numWaiting);

  public static native int dpubridge_context_withdraw(
      long bridge, int handle, long userData, int status);

  public static native int dpubridge_context_reclaim(long bridge, int handle, long userData);

  public static native void dpubridge_context_drain(long bridge, int handle);

  public static native int dpubridge_context_inflight(long bridge, int handle);

  public static native int dpubridge_context_detach(long bridge, int handle);

  public static native int dpubridge_comch_configure(long bridge, int handle, int role);

  public static native int dpubridge_comch_connection(
      long bridge, int clientHandle, int[] connection);

  public static native int dpubridge_comch_disconnect(
      long bridge, int serverHandle, int connection);

  public static native long dpubridge_connection_pointer(long bridge, int connection);

  public static native int dpubridge_rdma_configure(long bridge, int handle);

  public static native int dpubridge_rdma_adopt(
      long bridge, int handle, long pointer, int[] connection);

  public static native int dpubridge_rdma_connect(
      long bridge, int handle, long addr, int[] connection);

  public static native int dpubridge_rdma_disconnect(long bridge, int handle, int connection);

  public static native int dpubridge_enter(long bridge, int budget);

  public static native int dpubridge_poll(long bridge, int budget, long pollNs);

  public static native long dpubridge_retry_ns(long bridge);

  public static native int dpubridge_wait(
      long bridge, long timeoutNs, long quietNs, long spinNs, int budget);

  public static native void dpubridge_wake(long bridge);
}
