package io.dpuactors.bridge.device;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.internal.ComchQuery;
import io.dpuactors.bridge.internal.DeviceList;
import io.dpuactors.bridge.internal.DeviceProperties;
import io.dpuactors.bridge.internal.TaskFunctions;
import io.dpuactors.bridge.jna.DocaCommon;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the devices of a process. Needs no engine, and closes everything that it opens.
 *
 * <p>Thread: any.
 */
public final class Devices {
  private static final Logger LOG = LoggerFactory.getLogger(Devices.class);

  private Devices() {}

  /**
   * Returns a snapshot of all devices; empty if the library shows none.
   *
   * <p>A device that cannot be opened has no representors and {@code maxTasks} 0 in the list, and a
   * warning contains the cause.
   *
   * @throws DocaException if listing fails
   */
  public static List<DeviceInfo> list(DocaLibrary library) {
    Objects.requireNonNull(library, "the library is loaded before its devices are listed");
    List<DeviceInfo> infos = new ArrayList<>();
    try (DeviceList devices = DeviceList.create()) {
      for (long devinfo : devices.devinfos()) {
        infos.add(info(devinfo));
      }
    }
    return List.copyOf(infos);
  }

  private static DeviceInfo info(long devinfo) {
    String pciAddress = DeviceProperties.pciAddress(devinfo);
    Inside inside = inside(devinfo, pciAddress);
    return new DeviceInfo(
        pciAddress,
        DeviceProperties.ibdevName(devinfo),
        DeviceProperties.ifaceName(devinfo),
        DeviceProperties.macAddress(devinfo),
        DeviceProperties.ipv4Address(devinfo),
        inside.representors(),
        inside.tasks(),
        ComchQuery.capabilities(devinfo));
  }

  /** Properties that need an opened device. */
  private record Inside(
      List<RepresentorInfo> representors, Map<TaskLibrary, TaskCapabilities> tasks) {}

  private static Inside inside(long devinfo, String pciAddress) {
    Inside closed = new Inside(List.of(), each(functions -> functions.capabilities(devinfo)));
    boolean representors = Representors.canList(devinfo);
    if (closed.tasks().values().stream().noneMatch(TaskCapabilities::any) && !representors) {
      return closed;
    }
    long[] dev = new long[1];
    int answer = DocaCommon.doca_dev_open(devinfo, dev);
    if (answer != DocaCode.SUCCESS.value()) {
      LOG.warn(
          "a device is listed without properties that need an opened device: {}",
          DocaError.of("doca_dev_open", answer, pciAddress));
      return closed;
    }
    try (Opened opened = new Opened(dev[0], pciAddress)) {
      return new Inside(
          representors ? Representors.list(opened.dev(), devinfo, pciAddress) : List.of(),
          each(functions -> functions.capabilities(opened.dev(), devinfo)));
    }
  }

  private static Map<TaskLibrary, TaskCapabilities> each(
      Function<TaskFunctions, TaskCapabilities> ask) {
    Map<TaskLibrary, TaskCapabilities> all = new EnumMap<>(TaskLibrary.class);
    for (TaskLibrary library : TaskLibrary.values()) {
      all.put(library, ask.apply(TaskFunctions.of(library)));
    }
    return all;
  }

  private record Opened(long dev, String pciAddress) implements AutoCloseable {
    @Override
    public void close() {
      DocaException.check("doca_dev_close", DocaCommon.doca_dev_close(dev), pciAddress);
    }
  }
}
