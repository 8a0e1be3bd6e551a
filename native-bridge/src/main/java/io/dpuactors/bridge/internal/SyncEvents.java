package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.jna.NativeLibraries.SYNC_EVENT;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.bridge.jna.DpuBridge;
import io.dpuactors.bridge.jna.NamedFunctions;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** Sync events: their creation, description and capabilities. Thread: the engine's. */
public final class SyncEvents {
  private static final Map<TaskKind, String> SUPPORT = support();

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
   * @param publishedByPeer whether the other side of the PCI bus changes the value; false: this
   *     side
   * @param readByPeer whether the other side reads the value and waits; false: this side
   * @param userData the context's state records repeat it
   * @throws DocaException the library's error
   */
  public static DocaContext create(
      ProgressEngine engine,
      Device device,
      boolean publishedByPeer,
      boolean readByPeer,
      long userData) {
    long[] event = new long[1];
    check("create", device, (Object) event);
    try {
      locate(event[0], device, "publisher", publishedByPeer);
      locate(event[0], device, "subscriber", readByPeer);
    } catch (DocaException e) {
      Suppressed.add(e, SYNC_EVENT + "_destroy", destroy(event[0]));
      throw e;
    }
    return attach(engine, device, event[0], userData);
  }

  private static void locate(long event, Device device, String role, boolean isPeer) {
    if (isPeer) {
      check("add_" + role + "_location_remote_pci", device, event);
    } else {
      check("add_" + role + "_location_cpu", device, event, device.pointer());
    }
  }

  /**
   * Creates the idle context of an event that the other side of the PCI bus has exported.
   *
   * @param description of {@link #export}
   * @param userData the context's state records repeat it
   * @throws DocaException INVALID_VALUE: no description, or its event has ended; NOT_SUPPORTED: of
   *     this side
   */
  public static DocaContext createFromExport(
      ProgressEngine engine, Device device, byte[] description, long userData) {
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
   * Returns the description of a running event for the other side of the PCI bus. It is valid until
   * the event is destroyed.
   *
   * @throws DocaException NOT_SUPPORTED for an imported event
   */
  public static byte[] export(DocaContext event, Device device) {
    long[] data = new long[1];
    long[] size = new long[1];
    check("export_to_remote_pci", device, event.object("export"), device.pointer(), data, size);
    byte[] copy = new byte[Math.toIntExact(size[0])];
    DpuBridge.view(data[0], copy.length).get(copy);
    return copy;
  }

  private static void check(String function, Device device, Object... arguments) {
    DocaException.check(
        SYNC_EVENT + "_" + function,
        NamedFunctions.code(SYNC_EVENT, function, arguments),
        device.pciAddress());
  }
}
