package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DocaCompress;

/** Asks libdoca_compress what a device can do. */
final class CompressQuery {
  private CompressQuery() {}

  /** Answers SUCCESS when the kind is supported. */
  private interface Supported {
    int ask(long devinfo);
  }

  private interface MaxBytes {
    int ask(long devinfo, long[] bytes);
  }

  private interface MaxList {
    int ask(long devinfo, int[] elements);
  }

  /** The capabilities of an opened device ({@code struct doca_dev *} and its description). */
  static CompressCapabilities capabilities(long dev, long devinfo) {
    CompressCapabilities limits = limits(devinfo);
    return limits.any() ? withMaxTasks(limits, maxTasks(dev)) : limits;
  }

  /** The same without {@code maxTasks}, which only an opened device tells. */
  static CompressCapabilities limits(long devinfo) {
    return new CompressCapabilities(
        limits(
            devinfo,
            DocaCompress::doca_compress_cap_task_compress_deflate_is_supported,
            DocaCompress::doca_compress_cap_task_compress_deflate_get_max_buf_size,
            DocaCompress::doca_compress_cap_task_compress_deflate_get_max_buf_list_len),
        limits(
            devinfo,
            DocaCompress::doca_compress_cap_task_decompress_deflate_is_supported,
            DocaCompress::doca_compress_cap_task_decompress_deflate_get_max_buf_size,
            DocaCompress::doca_compress_cap_task_decompress_deflate_get_max_buf_list_len),
        limits(
            devinfo,
            DocaCompress::doca_compress_cap_task_decompress_lz4_block_is_supported,
            DocaCompress::doca_compress_cap_task_decompress_lz4_block_get_max_buf_size,
            DocaCompress::doca_compress_cap_task_decompress_lz4_block_get_max_buf_list_len),
        limits(
            devinfo,
            DocaCompress::doca_compress_cap_task_decompress_lz4_stream_is_supported,
            DocaCompress::doca_compress_cap_task_decompress_lz4_stream_get_max_buf_size,
            DocaCompress::doca_compress_cap_task_decompress_lz4_stream_get_max_buf_list_len),
        0);
  }

  /** A kind whose limits cannot be read is not usable, so it counts as not supported. */
  private static TaskLimits limits(
      long devinfo, Supported supported, MaxBytes maxBytes, MaxList maxList) {
    long[] bytes = new long[1];
    int[] elements = new int[1];
    if (supported.ask(devinfo) != 0
        || maxBytes.ask(devinfo, bytes) != 0
        || maxList.ask(devinfo, elements) != 0) {
      return TaskLimits.NONE;
    }
    return new TaskLimits(true, bytes[0] < 0 ? Long.MAX_VALUE : bytes[0], toInt(elements[0]));
  }

  private static CompressCapabilities withMaxTasks(CompressCapabilities c, int maxTasks) {
    return new CompressCapabilities(
        c.deflate(), c.inflate(), c.lz4Block(), c.lz4Stream(), maxTasks);
  }

  /** DOCA tells this of a context only, so one is created for the question. */
  private static int maxTasks(long dev) {
    long[] compress = new long[1];
    DocaException.check(
        "doca_compress_create", DocaCompress.doca_compress_create(dev, compress), "");
    int[] tasks = new int[1];
    int answer = DocaCompress.doca_compress_cap_get_max_num_tasks(compress[0], tasks);
    DocaException.check(
        "doca_compress_destroy", DocaCompress.doca_compress_destroy(compress[0]), "");
    DocaException.check("doca_compress_cap_get_max_num_tasks", answer, "");
    return toInt(tasks[0]);
  }

  private static int toInt(int unsigned) {
    return unsigned < 0 ? Integer.MAX_VALUE : unsigned;
  }
}
