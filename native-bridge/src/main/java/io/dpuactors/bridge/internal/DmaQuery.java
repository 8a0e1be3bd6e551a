package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DmaCapabilities;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.jna.DocaDma;

/** Reads the DMA capabilities of a device. */
public final class DmaQuery {
  private DmaQuery() {}

  /**
   * Returns the capabilities of an opened device ({@code struct doca_dev *} and its description).
   */
  public static DmaCapabilities capabilities(long dev, long devinfo) {
    DmaCapabilities limits = limits(devinfo);
    return limits.any() ? new DmaCapabilities(limits.memcpy(), maxTasks(dev)) : limits;
  }

  /** Returns the same without {@code maxTasks}, which needs an opened device. */
  public static DmaCapabilities limits(long devinfo) {
    TaskLimits memcpy =
        LimitsQuery.ask(
            devinfo,
            DocaDma::doca_dma_cap_task_memcpy_is_supported,
            DocaDma::doca_dma_cap_task_memcpy_get_max_buf_size,
            DocaDma::doca_dma_cap_task_memcpy_get_max_buf_list_len);
    return memcpy.supported() ? new DmaCapabilities(memcpy, 0) : DmaCapabilities.NONE;
  }

  /** DOCA reports this number for a context only, so this method creates one. */
  private static int maxTasks(long dev) {
    long[] dma = new long[1];
    DocaException.check("doca_dma_create", DocaDma.doca_dma_create(dev, dma), "");
    int[] tasks = new int[1];
    int answer = DocaDma.doca_dma_cap_get_max_num_tasks(dma[0], tasks);
    DocaException.check("doca_dma_destroy", DocaDma.doca_dma_destroy(dma[0]), "");
    DocaException.check("doca_dma_cap_get_max_num_tasks", answer, "");
    return LimitsQuery.clamp(tasks[0]);
  }
}
