package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.jna.NativeLibraries.SYNC_EVENT;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.bridge.jna.DpuBridge;
import io.dpuactors.bridge.jna.NamedFunctions;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Sync events: their creation, description and capabilities. Thread: the engine's. */
public final class SyncEvents {
  private static final Map<TaskKind, String> SUPPORT = support();

  /** A side that changes or reads the value; DOCA's functions have its name. */
  public enum Location {
    /** This program. */
    CPU,
    /** The other side of the PCI bus. */
    REMOTE_PCI,
    /** Peers of RDMA. */
    REMOTE_NET
  }

  private SyncEvents() {}

  private static Map<TaskKind, String> support() {
    Map<TaskKind, String> functions = new EnumMap<>(TaskKind.class);
    functions.put(TaskKind.EVENT_GET, "cap_task_get_is_supported");
    functions.put(TaskKind.EVENT_SET, "cap_task_notify_set_is_supported");
    functions.put(TaskKind.EVENT_ADD, "cap_task_notify_add_is_supported");
    functions.put(TaskKind.EVENT_WAIT_EQUAL, "cap_task_wait_eq_is_supported");
    functions.put(TaskKind.EVENT_WAIT_NOT_EQUAL, "cap_task_wait_neq_is_supported");
    return functions;
  }

  /** Returns the kinds of tasks of sync events. */
  public static Set<TaskKind> kinds() {
    return SUPPORT.keySet();
  }

  /** Returns whether a device supports a kind of tasks. */
  public static boolean supports(Device device, TaskKind kind) {
    long devinfo = DocaCommon.doca_dev_as_devinfo(device.pointer());
    return NamedFunctions.code(SYNC_EVENT, SUPPORT.getOrDefault(kind, ""), devinfo) == 0;
  }

  /**
   * Creates the idle context of a new event with the value 0.
   *
   * @param publisher the side that changes the value
   * @param subscriber the side that reads the value and waits; no peer of RDMA
   * @param userData the context's state records repeat it
   * @throws DocaException the library's error
   * @throws IllegalStateException if engine or device are closed; no event was created
   */
  public static DocaContext create(
      ProgressEngine engine,
      Device device,
      Location publisher,
      Location subscriber,
      long userData) {
    engine.checkUse("SyncEvents.create");
    device.pointer(); // throws before the event exists
    long[] event = new long[1];
    check("create", device, (Object) event);
    try {
      locate(event[0], device, "publisher", publisher);
      locate(event[0], device, "subscriber", subscriber);
    } catch (DocaException e) {
      Suppressed.add(e, SYNC_EVENT + "_destroy", destroy(event[0]));
      throw e;
    }
    return attach(engine, device, event[0], userData);
  }

  private static void locate(long event, Device device, String role, Location location) {
    String function = "add_" + role + "_location_" + location.name().toLowerCase(Locale.ROOT);
    if (location == Location.CPU) {
      check(function, device, event, device.pointer());
    } else {
      check(function, device, event);
    }
  }

  /**
   * Creates the idle context of an event that the other side of the PCI bus has exported.
   *
   * @param description of {@link #export}
   * @param userData the context's state records repeat it
   * @throws DocaException INVALID_VALUE: no description, or its event has ended; NOT_SUPPORTED: of
   *     this side
   * @throws IllegalStateException if engine or device are closed
   */
  public static DocaContext createFromExport(
      ProgressEngine engine, Device device, byte[] description, long userData) {
    engine.checkUse("SyncEvents.createFromExport");
    long[] event = new long[1];
    check(
        "create_from_export",
        device,
        device.pointer(),
        description,
        (long) description.length,
        event);
    return attach(engine, device, event[0], userData);
  }

  private static DocaContext attach(
      ProgressEngine engine, Device device, long event, long userData) {
    return DocaContext.attach(
        engine,
        "sync-event on " + device.pciAddress(),
        event,
        NamedFunctions.pointer(SYNC_EVENT, "as_ctx", event),
        new DocaContext.Destructor(SYNC_EVENT + "_destroy", SyncEvents::destroy),
        userData);
  }

  private static int destroy(long event) {
    return NamedFunctions.code(SYNC_EVENT, "destroy", event);
  }

  /**
   * Returns the description of a running event for the other side of the PCI bus. The description
   * is valid until the event is destroyed.
   *
   * @throws DocaException NOT_SUPPORTED for an imported event
   */
  public static byte[] export(DocaContext event, Device device) {
    long[] data = new long[1];
    long[] size = new long[1];
    check("export_to_remote_pci", device, event.object("export"), device.pointer(), data, size);
    return copy(data[0], size[0]);
  }

  /**
   * Returns the description of a running event for peers of RDMA. The description is valid until
   * the event is destroyed.
   *
   * @throws DocaException NOT_PERMITTED: the publisher is no peer of RDMA; NOT_SUPPORTED: imported
   */
  public static byte[] share(DocaContext event, Device device) {
    long[] data = new long[1];
    long[] size = new long[1];
    check("export_to_remote_net", device, event.object("share"), data, size);
    return copy(data[0], size[0]);
  }

  private static byte[] copy(long data, long size) {
    byte[] copy = new byte[Math.toIntExact(size)];
    DpuBridge.view(data, copy.length).get(copy);
    return copy;
  }

  private static void check(String function, Device device, Object... arguments) {
    DocaException.check(
        SYNC_EVENT + "_" + function,
        NamedFunctions.code(SYNC_EVENT, function, arguments),
        device.pciAddress());
  }
}
