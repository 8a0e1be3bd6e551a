package io.dpuactors.context;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.TaskFunctions;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.EngineCore;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The device of a context of tasks, and the native context on it. Engine's thread. */
final class ContextDevice {
  private static final Logger LOG = LoggerFactory.getLogger(ContextDevice.class);

  private final TaskLibrary library;
  private final EngineCore core;
  private final ContextSettings settings;

  ContextDevice(TaskLibrary library, EngineCore core, ContextSettings settings) {
    this.library = library;
    this.core = core;
    this.settings = settings;
  }

  /** Returns what the device can do; NONE if no device fits. */
  TaskCapabilities capabilities() {
    try {
      return device().capabilities(library);
    } catch (DocaException e) {
      core.log(() -> LOG).debug("no device: {}", e.error());
      return TaskCapabilities.NONE;
    }
  }

  private Device device() {
    return core.devices().open(settings.device(), this::fits, wanted());
  }

  private String wanted() {
    boolean all = settings.kinds().isEmpty() || settings.kinds().equals(library.kinds());
    return all ? library.purpose() : settings.kinds().toString();
  }

  private boolean fits(Device device) {
    Set<TaskKind> kinds = settings.kinds();
    return kinds.isEmpty()
        ? library.kinds().stream()
            .anyMatch(kind -> device.capabilities(library).of(kind).supported())
        : kinds.stream().allMatch(kind -> device.capabilities(library).of(kind).supported());
  }

  /** Creates the native context with the tasks of the settings. */
  ContextOpener.Opened open(EngineCore owner, long userData) {
    Device device = device();
    Map<TaskKind, TaskLimits> kinds = limits(device);
    checkWindow(device, kinds.size());
    DocaContext fresh = TaskFunctions.of(library).create(owner.progressEngine(), device, userData);
    try {
      kinds.keySet().forEach(kind -> fresh.configure(kind, settings.lane().window()));
    } catch (DocaException e) {
      fresh.destroy();
      throw e;
    }
    return new ContextOpener.Opened(fresh, kinds).on(device.pciAddress());
  }

  private Map<TaskKind, TaskLimits> limits(Device device) {
    Map<TaskKind, TaskLimits> limits = new EnumMap<>(TaskKind.class);
    for (TaskKind kind : settings.kinds().isEmpty() ? library.kinds() : settings.kinds()) {
      TaskLimits limit = device.capabilities(library).of(kind);
      if (limit.supported()) {
        limits.put(kind, limit);
      } else if (!settings.kinds().isEmpty()) {
        throw error(
            DocaCode.NOT_SUPPORTED,
            device.pciAddress()
                + " does not support "
                + kind
                + core.progressEngine().library().lacking());
      }
    }
    return limits;
  }

  private void checkWindow(Device device, int kinds) {
    int window = settings.lane().window();
    long tasks = (long) window * kinds;
    if (tasks > device.capabilities(library).maxTasks()) {
      String each = kinds == 1 ? "" : " (%d for each of %d kinds)".formatted(window, kinds);
      throw error(
          DocaCode.INVALID_VALUE,
          "%d tasks in flight%s are more than the limit of %s, which is %d"
              .formatted(
                  tasks, each, device.pciAddress(), device.capabilities(library).maxTasks()));
    }
    core.checkTasks(library.shortName(), tasks);
  }

  private DocaException error(DocaCode code, String about) {
    return new DocaException(library.docaName(), code, about);
  }
}
