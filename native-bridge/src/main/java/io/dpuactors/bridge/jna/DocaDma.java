package io.dpuactors.bridge.jna;

import java.util.Set;

/**
 * libdoca_dma, directly mapped: copies between memories by the device. Names and arguments are
 * those of DOCA; the package says how their kinds show in Java.
 *
 * <p>An installation may lack this library: every function answers NOT_SUPPORTED then, as one does
 * that the library lacks. A library without those that are {@link #REQUIRED} counts as missing.
 *
 * <p>Usable once {@link NativeLibraries} has bound it. Thread: the engine's that the object belongs
 * to; any for functions that take a device's description.
 */
public final class DocaDma {
  /** A library that lacks one of these is of no use. */
  static final Set<String> REQUIRED =
      Set.of("doca_dma_as_ctx", "doca_dma_create", "doca_dma_destroy");

  private DocaDma() {}

  // ---- The context ----

  /** The context of a DMA object. */
  public static native long doca_dma_as_ctx(long dma);

  /** Most tasks of one context. */
  public static native int doca_dma_cap_get_max_num_tasks(long dma, int[] maxNumTasks);

  /** Creates an idle DMA context on an opened device. */
  public static native int doca_dma_create(long dev, long[] dma);

  /** Destroys an idle context; IN_USE when it is not idle or tasks are out. */
  public static native int doca_dma_destroy(long dma);

  /** Handle for a data path on a GPU. */
  public static native int doca_dma_get_gpu_handle(long dma, long[] gpuDma);

  /** Whether tasks are reported in the order of their submission, 1 or 0; idle contexts only. */
  public static native int doca_dma_set_ordered_completions(long dma, byte flag);

  // ---- Memory to memory ----

  /** Copies: most elements of a list; 1 means no lists. */
  public static native int doca_dma_cap_task_memcpy_get_max_buf_list_len(
      long devinfo, int[] maxBufListLen);

  /** Copies: most bytes of one task. */
  public static native int doca_dma_cap_task_memcpy_get_max_buf_size(long devinfo, long[] bufSize);

  /** Copies: SUCCESS when the device can do it, else NOT_SUPPORTED. */
  public static native int doca_dma_cap_task_memcpy_is_supported(long devinfo);

  /** Takes a task; NO_MEMORY when all are out. */
  public static native int doca_dma_task_memcpy_alloc_init(
      long dma, long src, long dst, long userData, long[] task);

  /** The general task of a copy. */
  public static native long doca_dma_task_memcpy_as_task(long task);

  /** Destination of a task. */
  public static native long doca_dma_task_memcpy_get_dst(long task);

  /** Source of a task. */
  public static native long doca_dma_task_memcpy_get_src(long task);

  /** Asks for tasks and says which C functions are called on success and on failure. */
  public static native int doca_dma_task_memcpy_set_conf(
      long dma, long taskCompletionCb, long taskErrorCb, int numMemcpyTasks);

  /** Sets the destination of a task that is not submitted. */
  public static native void doca_dma_task_memcpy_set_dst(long task, long dst);

  /** Sets the source of a task that is not submitted. */
  public static native void doca_dma_task_memcpy_set_src(long task, long src);
}
