package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.jna.DocaCompress;
import io.dpuactors.bridge.jna.DocaDma;
import io.dpuactors.bridge.jna.NamedFunctions;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The functions of each {@link TaskLibrary}: those of its objects, and the capability functions of
 * its kinds of tasks.
 */
public final class TaskFunctions {
  /** Number of {@code enum doca_sha_algorithm}. */
  private static final int SHA_ALGORITHMS = 3;

  private static final TaskFunctions COMPRESS =
      new TaskFunctions(
          TaskLibrary.COMPRESS,
          DocaCompress::doca_compress_create,
          DocaCompress::doca_compress_as_ctx,
          DocaCompress::doca_compress_cap_get_max_num_tasks,
          DocaCompress::doca_compress_destroy,
          Map.of(
              TaskKind.COMPRESS_DEFLATE,
              new Limits(
                  DocaCompress::doca_compress_cap_task_compress_deflate_is_supported,
                  DocaCompress::doca_compress_cap_task_compress_deflate_get_max_buf_size,
                  DocaCompress::doca_compress_cap_task_compress_deflate_get_max_buf_list_len),
              TaskKind.DECOMPRESS_DEFLATE,
              new Limits(
                  DocaCompress::doca_compress_cap_task_decompress_deflate_is_supported,
                  DocaCompress::doca_compress_cap_task_decompress_deflate_get_max_buf_size,
                  DocaCompress::doca_compress_cap_task_decompress_deflate_get_max_buf_list_len),
              TaskKind.DECOMPRESS_LZ4_BLOCK,
              new Limits(
                  DocaCompress::doca_compress_cap_task_decompress_lz4_block_is_supported,
                  DocaCompress::doca_compress_cap_task_decompress_lz4_block_get_max_buf_size,
                  DocaCompress::doca_compress_cap_task_decompress_lz4_block_get_max_buf_list_len),
              TaskKind.DECOMPRESS_LZ4_STREAM,
              new Limits(
                  DocaCompress::doca_compress_cap_task_decompress_lz4_stream_is_supported,
                  DocaCompress::doca_compress_cap_task_decompress_lz4_stream_get_max_buf_size,
                  DocaCompress
                      ::doca_compress_cap_task_decompress_lz4_stream_get_max_buf_list_len)));

  private static final TaskFunctions DMA =
      new TaskFunctions(
          TaskLibrary.DMA,
          DocaDma::doca_dma_create,
          DocaDma::doca_dma_as_ctx,
          DocaDma::doca_dma_cap_get_max_num_tasks,
          DocaDma::doca_dma_destroy,
          Map.of(
              TaskKind.DMA_MEMCPY,
              new Limits(
                  DocaDma::doca_dma_cap_task_memcpy_is_supported,
                  DocaDma::doca_dma_cap_task_memcpy_get_max_buf_size,
                  DocaDma::doca_dma_cap_task_memcpy_get_max_buf_list_len)));

  private static final TaskFunctions SHA =
      named(
          TaskLibrary.SHA,
          Map.of(
              TaskKind.SHA_HASH,
              new Limits(
                  TaskFunctions::hashes,
                  (devinfo, bytes) -> sha("cap_get_max_src_buf_size", devinfo, bytes),
                  (devinfo, length) -> sha("cap_get_max_list_buf_num_elem", devinfo, length))));

  /** Returns SUCCESS if the device has any of the algorithms, else the smallest error. */
  private static int hashes(long devinfo) {
    return IntStream.range(0, SHA_ALGORITHMS)
        .map(algorithm -> sha("cap_task_hash_get_supported", devinfo, algorithm))
        .min()
        .orElseThrow();
  }

  private static int sha(String function, Object... arguments) {
    return NamedFunctions.code(TaskLibrary.SHA.docaName(), function, arguments);
  }

  /** A row whose functions are called by their names, which are regular but for the limits. */
  private static TaskFunctions named(TaskLibrary library, Map<TaskKind, Limits> limits) {
    String name = library.docaName();
    return new TaskFunctions(
        library,
        (dev, object) -> NamedFunctions.code(name, "create", dev, object),
        object -> NamedFunctions.pointer(name, "as_ctx", object),
        (object, tasks) -> NamedFunctions.code(name, "cap_get_max_num_tasks", object, tasks),
        object -> NamedFunctions.code(name, "destroy", object),
        limits);
  }

  private interface Create {
    int create(long dev, long[] object);
  }

  private interface AsContext {
    long of(long object);
  }

  private interface MaxTasks {
    int ask(long object, int[] tasks);
  }

  private interface Destroy {
    int destroy(long object);
  }

  /** Returns SUCCESS for a supported kind. */
  private interface Supported {
    int ask(long devinfo);
  }

  /** Largest source and destination. */
  private interface MaxBytes {
    int ask(long devinfo, long[] bytes);
  }

  /** Longest list of buffers. */
  private interface MaxList {
    int ask(long devinfo, int[] elements);
  }

  /** Capability functions of one kind of tasks. */
  private record Limits(Supported supported, MaxBytes maxBytes, MaxList maxList) {
    /** A kind without readable limits counts as not supported. */
    TaskLimits ask(long devinfo) {
      long[] bytes = new long[1];
      int[] elements = new int[1];
      if (supported.ask(devinfo) != 0
          || maxBytes.ask(devinfo, bytes) != 0
          || maxList.ask(devinfo, elements) != 0) {
        return TaskLimits.NONE;
      }
      long maxBufferBytes = bytes[0] < 0 ? Long.MAX_VALUE : bytes[0];
      return new TaskLimits(true, maxBufferBytes, ComchQuery.clamp(elements[0]));
    }
  }

  private final TaskLibrary library;
  private final Create create;
  private final AsContext asContext;
  private final MaxTasks maxTasks;
  private final Destroy destroy;
  private final Map<TaskKind, Limits> limits;

  private TaskFunctions(
      TaskLibrary library,
      Create create,
      AsContext asContext,
      MaxTasks maxTasks,
      Destroy destroy,
      Map<TaskKind, Limits> limits) {
    this.library = library;
    this.create = create;
    this.asContext = asContext;
    this.maxTasks = maxTasks;
    this.destroy = destroy;
    this.limits = new EnumMap<>(limits);
  }

  /** Returns the functions of a library. */
  public static TaskFunctions of(TaskLibrary library) {
    return switch (library) {
      case COMPRESS -> COMPRESS;
      case DMA -> DMA;
      case SHA -> SHA;
    };
  }

  /** Returns the kinds whose limits these functions read. */
  Set<TaskKind> kinds() {
    return limits.keySet();
  }

  /**
   * Creates an idle context. Thread: the engine's.
   *
   * @param userData the context's state records repeat it
   * @throws DocaException naming the libraries that are not installed
   */
  public DocaContext create(ProgressEngine engine, Device device, long userData) {
    engine.checkUse("create " + library.docaName());
    String name = library.shortName() + " on " + device.pciAddress();
    long object = create(device.pointer(), name + engine.library().lacking());
    return DocaContext.attach(
        engine,
        name,
        object,
        asContext.of(object),
        new DocaContext.Destructor(library.docaName() + "_destroy", destroy::destroy),
        userData);
  }

  private long create(long dev, String about) {
    long[] object = new long[1];
    DocaException.check(library.docaName() + "_create", create.create(dev, object), about);
    return object[0];
  }

  /**
   * Returns the capabilities of an opened device ({@code struct doca_dev *} and its description).
   */
  public TaskCapabilities capabilities(long dev, long devinfo) {
    TaskCapabilities closed = capabilities(devinfo);
    return closed.any() ? new TaskCapabilities(closed.limits(), maxTasks(dev)) : closed;
  }

  /** Returns the same without {@code maxTasks}, which needs an opened device. */
  public TaskCapabilities capabilities(long devinfo) {
    Map<TaskKind, TaskLimits> all = new EnumMap<>(TaskKind.class);
    limits.forEach((kind, one) -> all.put(kind, one.ask(devinfo)));
    return new TaskCapabilities(all, 0);
  }

  /** DOCA reports this number for a context only, so this method creates one. */
  private int maxTasks(long dev) {
    long object = create(dev, "");
    int[] tasks = new int[1];
    int answer = maxTasks.ask(object, tasks);
    DocaException.check(library.docaName() + "_destroy", destroy.destroy(object), "");
    DocaException.check(library.docaName() + "_cap_get_max_num_tasks", answer, "");
    return ComchQuery.clamp(tasks[0]);
  }
}
