package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DocaDma;

/** Asks libdoca_dma what a device can do. */
final class DmaQuery {
  private DmaQuery() {}

  /** The capabilities of an opened device ({@code struct doca_dev *} and its description). */
  static DmaCapabilities capabilities(long dev, long devinfo) {
    DmaCapabilities limits = limits(devinfo);
    return limits.any() ? new DmaCapabilities(limits.memcpy(), maxTasks(dev)) : limits;
  }

  /** The same without {@code maxTasks}, which only an opened device tells. */
  static DmaCapabilities limits(long devinfo) {
    TaskLimits memcpy =
        LimitsQuery.ask(
            devinfo,
            DocaDma::doca_dma_cap_task_memcpy_is_supported,
            DocaDma::doca_dma_cap_task_memcpy_get_max_buf_size,
            DocaDma::doca_dma_cap_task_memcpy_get_max_buf_list_len);
    return memcpy.supported() ? new DmaCapabilities(memcpy, 0) : DmaCapabilities.NONE;
  }

  /** DOCA tells this of a context only, so one is created for the question. */
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
