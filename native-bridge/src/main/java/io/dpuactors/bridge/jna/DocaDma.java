package io.dpuactors.bridge.jna;

import java.util.Set;

/**
 * libdoca_dma, directly mapped: copies of memory by the device. Names and arguments are those of
 * DOCA; the package describes how their types map to Java.
 *
 * <p>An installation may lack this library, or a library may lack functions. A missing function
 * returns NOT_SUPPORTED. A library without its {@link #REQUIRED} functions counts as missing.
 *
 * <p>Usable once {@link NativeLibraries} has bound it. Thread: the engine's of the object; any for
 * functions that take a device's description.
 */
public final class DocaDma {
  /** Functions without which the library counts as missing. */
  static final Set<String> REQUIRED =
      Set.of("doca_dma_as_ctx", "doca_dma_create", "doca_dma_destroy");

  private DocaDma() {}

  // ---- The context ----

  /** Returns the context of a DMA object. */
  public static native long doca_dma_as_ctx(long dma);

  /** Returns the maximum number of tasks of one context. */
  public static native int doca_dma_cap_get_max_num_tasks(long dma, int[] maxNumTasks);

  /** Creates an idle DMA context on an opened device. */
  public static native int doca_dma_create(long dev, long[] dma);

  /** Destroys an idle context; IN_USE when it is not idle or tasks are in use. */
  public static native int doca_dma_destroy(long dma);

  /** Returns the handle for a data path on a GPU. */
  public static native int doca_dma_get_gpu_handle(long dma, long[] gpuDma);

  /** Sets whether tasks complete in the order of their submission, 1 or 0; idle contexts only. */
  public static native int doca_dma_set_ordered_completions(long dma, byte flag);

  // ---- Memory to memory ----

  /** Copies: returns the maximum number of elements of a list; 1 means no lists. */
  public static native int doca_dma_cap_task_memcpy_get_max_buf_list_len(
      long devinfo, int[] maxBufListLen);

  /** Copies: returns the maximum number of bytes of one task. */
  public static native int doca_dma_cap_task_memcpy_get_max_buf_size(long devinfo, long[] bufSize);

  /** Copies: returns SUCCESS when the device supports it, else NOT_SUPPORTED. */
  public static native int doca_dma_cap_task_memcpy_is_supported(long devinfo);

  /** Allocates a task; NO_MEMORY when all are in use. */
  public static native int doca_dma_task_memcpy_alloc_init(
      long dma, long src, long dst, long userData, long[] task);

  /** Returns the general task of a copy. */
  public static native long doca_dma_task_memcpy_as_task(long task);

  /** Returns the destination of a task. */
  public static native long doca_dma_task_memcpy_get_dst(long task);

  /** Returns the source of a task. */
  public static native long doca_dma_task_memcpy_get_src(long task);

  /** Sets the number of tasks and the C callbacks of success and failure. */
  public static native int doca_dma_task_memcpy_set_conf(
      long dma, long taskCompletionCb, long taskErrorCb, int numMemcpyTasks);

  /** Sets the destination of a task that is not submitted. */
  public static native void doca_dma_task_memcpy_set_dst(long task, long dst);

  /** Sets the source of a task that is not submitted. */
  public static native void doca_dma_task_memcpy_set_src(long task, long src);
}
