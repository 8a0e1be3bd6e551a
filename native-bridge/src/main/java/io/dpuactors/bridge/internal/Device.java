package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.ComchCapabilities;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.jna.DocaCommon;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** An opened device. Thread: the engine's. */
public final class Device implements AutoCloseable {
  private static final String DOMAIN = "0000:";

  private final ProgressEngine engine;
  private final String pciAddress;
  private final long pointer;
  private final Map<TaskLibrary, TaskCapabilities> tasks;
  private final ComchCapabilities comch;
  private final boolean rdma;
  private boolean closed;

  private Device(
      ProgressEngine engine,
      String pciAddress,
      long pointer,
      Map<TaskLibrary, TaskCapabilities> tasks,
      ComchCapabilities comch,
      boolean rdma) {
    this.engine = engine;
    this.pciAddress = pciAddress;
    this.pointer = pointer;
    this.tasks = tasks;
    this.comch = comch;
    this.rdma = rdma;
  }

  /**
   * Opens a device by its PCI address.
   *
   * @param pciAddress with its domain, as in 0000:03:00.0, or without, as in 03:00.0
   * @throws DocaException NOT_FOUND, naming the existing addresses
   */
  public static Device open(ProgressEngine engine, String pciAddress) {
    engine.checkThread("Device.open");
    String wanted = withDomain(pciAddress);
    List<String> addresses = new ArrayList<>();
    try (DeviceList devices = DeviceList.create()) {
      for (long devinfo : devices.devinfos()) {
        String address = DeviceProperties.pciAddress(devinfo);
        if (address.equalsIgnoreCase(wanted)) {
          return open(engine, devinfo, address);
        }
        addresses.add(address);
      }
    }
    throw none(DocaCode.NOT_FOUND, "no device has PCI address " + pciAddress, addresses, "");
  }

  /**
   * Opens the first device that fulfils a condition.
   *
   * @param fits the condition
   * @param wanted the condition in words, for the error: "deflate compression"
   * @throws DocaException NOT_SUPPORTED, naming the condition, the existing devices, and missing
   *     libraries. If devices failed to open: the code of the first failure, and all failures as
   *     suppressed exceptions
   */
  public static Device openFirst(ProgressEngine engine, Predicate<Device> fits, String wanted) {
    engine.checkThread("Device.openFirst");
    List<String> addresses = new ArrayList<>();
    List<DocaException> refusals = new ArrayList<>();
    try (DeviceList devices = DeviceList.create()) {
      for (long devinfo : devices.devinfos()) {
        String address = DeviceProperties.pciAddress(devinfo);
        addresses.add(address);
        try {
          Device device = open(engine, devinfo, address);
          if (fits.test(device)) {
            return device;
          }
          device.close();
        } catch (DocaException e) {
          refusals.add(e);
        }
      }
    }
    String none = "no device offers " + wanted;
    String lacking = engine.library().lacking();
    if (refusals.isEmpty()) {
      throw none(DocaCode.NOT_SUPPORTED, none, addresses, lacking);
    }
    DocaException first = refusals.get(0);
    String cause = "; failed to open: " + first.getMessage();
    DocaException failed = none(first.error().code(), none, addresses, cause + lacking);
    refusals.forEach(failed::addSuppressed);
    throw failed;
  }

  private static Device open(ProgressEngine engine, long devinfo, String address) {
    long[] dev = new long[1];
    DocaException.check("doca_dev_open", DocaCommon.doca_dev_open(devinfo, dev), address);
    try {
      Map<TaskLibrary, TaskCapabilities> tasks = new EnumMap<>(TaskLibrary.class);
      for (TaskLibrary library : TaskLibrary.values()) {
        tasks.put(library, TaskFunctions.of(library).capabilities(dev[0], devinfo));
      }
      ComchCapabilities comch = ComchQuery.capabilities(devinfo);
      engine.census().opened(Census.Resource.DEVICE);
      return new Device(engine, address, dev[0], tasks, comch, Rdma.isSupported(devinfo));
    } catch (DocaException e) {
      Suppressed.add(e, "doca_dev_close", DocaCommon.doca_dev_close(dev[0]));
      throw e;
    }
  }

  private static DocaException none(
      DocaCode code, String what, List<String> addresses, String lacking) {
    String rest =
        addresses.isEmpty()
            ? "; there is no device"
            : "; the devices are " + String.join(", ", addresses);
    return new DocaException("open device", code, what + rest + lacking);
  }

  /** Returns the long form of a PCI address. */
  static String withDomain(String pciAddress) {
    String address = pciAddress.strip();
    return address.indexOf(':') == address.lastIndexOf(':') ? DOMAIN + address : address;
  }

  /** Returns the PCI address with its domain, as in 0000:03:00.0. */
  public String pciAddress() {
    return pciAddress;
  }

  /** Returns the capabilities in one library at the time of opening. */
  public TaskCapabilities capabilities(TaskLibrary library) {
    return tasks.getOrDefault(library, TaskCapabilities.NONE);
  }

  /** Returns the comch capabilities at the time of opening. */
  public ComchCapabilities comchCapabilities() {
    return comch;
  }

  /** Returns whether the device executes RDMA tasks. */
  public boolean isRdmaSupported() {
    return rdma;
  }

  /** Returns the engine of the device. */
  ProgressEngine engine() {
    return engine;
  }

  /** Returns the {@code struct doca_dev *} of an open device. */
  public long pointer() {
    if (closed) {
      throw new IllegalStateException("device " + pciAddress + " is closed");
    }
    return pointer;
  }

  /**
   * Closes the device. Idempotent.
   *
   * @throws DocaException IN_USE while a context or map uses it; the caller may try again
   */
  @Override
  public void close() {
    engine.checkThread("Device.close");
    if (!closed) {
      DocaException.check("doca_dev_close", DocaCommon.doca_dev_close(pointer), pciAddress);
      closed = true;
      engine.census().closed(Census.Resource.DEVICE);
    }
  }

  @Override
  public String toString() {
    return pciAddress;
  }
}
