package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLibrary.Capability;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.jna.NamedFunctions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The functions of a {@link TaskLibrary}, called by their names: those of its contexts, and the
 * capability functions of its kinds of tasks.
 */
public final class TaskFunctions {
  private static final Logger LOG = LoggerFactory.getLogger(TaskFunctions.class);

  private final TaskLibrary library;

  private TaskFunctions(TaskLibrary library) {
    this.library = library;
  }

  /** Returns the functions of a library. */
  public static TaskFunctions of(TaskLibrary library) {
    return new TaskFunctions(library);
  }

  private int code(String function, Object... arguments) {
    return NamedFunctions.code(library.prefix(), function, arguments);
  }

  private String name(String function) {
    return library.prefix() + "_" + function;
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
        NamedFunctions.pointer(library.prefix(), "as_ctx", object),
        new DocaContext.Destructor(name("destroy"), this::destroy),
        userData);
  }

  /**
   * Creates an object that tasks of a context use. Thread: the engine's.
   *
   * @param noun what the object is, such as key; {@code <prefix>_<noun>_destroy} destroys it
   * @param function name without the prefix, such as {@code key_create}
   * @param arguments between the context and the result
   * @throws DocaException the library's error
   */
  public TaskHandle createObject(
      DocaContext context, String noun, String function, List<Object> arguments) {
    long[] result = new long[1];
    List<Object> all = new ArrayList<>();
    all.add(context.object("create " + noun));
    all.addAll(arguments);
    all.add(result);
    DocaException.check(name(function), code(function, all.toArray()), context.name());
    String destroy = noun + "_destroy";
    return context
        .handles()
        .own(
            noun,
            result[0],
            new DocaContext.Destructor(name(destroy), pointer -> code(destroy, pointer)));
  }

  private long create(long dev, String about) {
    long[] object = new long[1];
    DocaException.check(name("create"), code("create", dev, object), about);
    return object[0];
  }

  private int destroy(long object) {
    return code("destroy", object);
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
    library.capabilities().forEach(one -> all.put(one.kind(), limits(one, devinfo)));
    return new TaskCapabilities(all, 0);
  }

  /** A kind without readable limits counts as not supported. */
  private TaskLimits limits(Capability capability, long devinfo) {
    long[] bytes = new long[1];
    int[] elements = new int[1];
    List<TaskLimits.Variant> variants = variants(capability, devinfo);
    if (!isSupported(capability, devinfo, variants)
        || code(capability.maxBytes(), devinfo, bytes) != 0
        || code(capability.maxList(), devinfo, elements) != 0) {
      return TaskLimits.NONE;
    }
    long maxBufferBytes = bytes[0] < 0 ? Long.MAX_VALUE : bytes[0];
    return new TaskLimits(true, maxBufferBytes, ComchQuery.clamp(elements[0]), variants);
  }

  private boolean isSupported(
      Capability capability, long devinfo, List<TaskLimits.Variant> variants) {
    return variants.isEmpty()
        ? code(capability.supported(), devinfo) == 0
        : variants.stream().anyMatch(TaskLimits.Variant::supported);
  }

  private List<TaskLimits.Variant> variants(Capability capability, long devinfo) {
    return IntStream.range(0, capability.variants())
        .mapToObj(variant -> variant(capability, devinfo, variant))
        .toList();
  }

  private TaskLimits.Variant variant(Capability capability, long devinfo, int variant) {
    return code(capability.supported(), devinfo, variant) == 0
        ? new TaskLimits.Variant(
            true,
            Math.max(1, bytes(capability.partBytes(), devinfo, variant)),
            bytes(capability.minOutputBytes(), devinfo, variant))
        : TaskLimits.Variant.NONE;
  }

  /** Returns what a function reports for a variant; 0 without a function, or if it fails. */
  private int bytes(@Nullable String function, long devinfo, int variant) {
    int[] bytes = new int[1];
    boolean isKnown = function != null && code(function, devinfo, variant, bytes) == 0;
    return isKnown ? ComchQuery.clamp(bytes[0]) : 0;
  }

  /**
   * DOCA reports this number for a context only, so this method creates one. A library without the
   * function has no limit that is known before {@code set_conf}. The same holds for a library whose
   * context cannot be created: only its contexts report the failure.
   *
   * @throws DocaException NO_MEMORY, or the error of another function
   */
  private int maxTasks(long dev) {
    long[] object = new long[1];
    int created = code("create", dev, object);
    if (created == DocaCode.NO_MEMORY.value()) {
      throw new DocaException(DocaError.of(name("create"), created, ""));
    }
    if (created != DocaCode.SUCCESS.value()) {
      LOG.debug("the limit of tasks is unknown: {}", DocaError.of(name("create"), created, ""));
      return Integer.MAX_VALUE;
    }
    int[] tasks = new int[1];
    int answer = code("cap_get_max_num_tasks", object[0], tasks);
    DocaException.check(name("destroy"), destroy(object[0]), "");
    if (answer == DocaCode.NOT_SUPPORTED.value()) {
      return Integer.MAX_VALUE;
    }
    DocaException.check(name("cap_get_max_num_tasks"), answer, "");
    return ComchQuery.clamp(tasks[0]);
  }
}
