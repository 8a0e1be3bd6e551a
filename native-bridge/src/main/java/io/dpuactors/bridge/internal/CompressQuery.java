package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.CompressCapabilities;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.jna.DocaCompress;

/** Reads the compression capabilities of a device. */
public final class CompressQuery {
  private CompressQuery() {}

  /**
   * Returns the capabilities of an opened device ({@code struct doca_dev *} and its description).
   */
  public static CompressCapabilities capabilities(long dev, long devinfo) {
    CompressCapabilities limits = limits(devinfo);
    return limits.any() ? withMaxTasks(limits, maxTasks(dev)) : limits;
  }

  /** Returns the same without {@code maxTasks}, which needs an opened device. */
  public static CompressCapabilities limits(long devinfo) {
    return new CompressCapabilities(
        LimitsQuery.ask(
            devinfo,
            DocaCompress::doca_compress_cap_task_compress_deflate_is_supported,
            DocaCompress::doca_compress_cap_task_compress_deflate_get_max_buf_size,
            DocaCompress::doca_compress_cap_task_compress_deflate_get_max_buf_list_len),
        LimitsQuery.ask(
            devinfo,
            DocaCompress::doca_compress_cap_task_decompress_deflate_is_supported,
            DocaCompress::doca_compress_cap_task_decompress_deflate_get_max_buf_size,
            DocaCompress::doca_compress_cap_task_decompress_deflate_get_max_buf_list_len),
        LimitsQuery.ask(
            devinfo,
            DocaCompress::doca_compress_cap_task_decompress_lz4_block_is_supported,
            DocaCompress::doca_compress_cap_task_decompress_lz4_block_get_max_buf_size,
            DocaCompress::doca_compress_cap_task_decompress_lz4_block_get_max_buf_list_len),
        LimitsQuery.ask(
            devinfo,
            DocaCompress::doca_compress_cap_task_decompress_lz4_stream_is_supported,
            DocaCompress::doca_compress_cap_task_decompress_lz4_stream_get_max_buf_size,
            DocaCompress::doca_compress_cap_task_decompress_lz4_stream_get_max_buf_list_len),
        0);
  }

  private static CompressCapabilities withMaxTasks(CompressCapabilities c, int maxTasks) {
    return new CompressCapabilities(
        c.deflate(), c.inflate(), c.lz4Block(), c.lz4Stream(), maxTasks);
  }

  /** DOCA reports this number for a context only, so this method creates one. */
  private static int maxTasks(long dev) {
    long[] compress = new long[1];
    DocaException.check(
        "doca_compress_create", DocaCompress.doca_compress_create(dev, compress), "");
    int[] tasks = new int[1];
    int answer = DocaCompress.doca_compress_cap_get_max_num_tasks(compress[0], tasks);
    DocaException.check(
        "doca_compress_destroy", DocaCompress.doca_compress_destroy(compress[0]), "");
    DocaException.check("doca_compress_cap_get_max_num_tasks", answer, "");
    return LimitsQuery.clamp(tasks[0]);
  }
}
