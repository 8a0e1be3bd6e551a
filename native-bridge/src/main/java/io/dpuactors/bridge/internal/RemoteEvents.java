package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.jna.NativeLibraries.SYNC_EVENT;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.bridge.jna.NamedFunctions;
import java.util.List;
import java.util.Set;

/** Sync events of RDMA peers, for the tasks of RDMA contexts. Thread: the engine's. */
public final class RemoteEvents {
  private static final String RDMA = "doca_rdma";
  private static final String IMPORT = "cap_remote_net_is_create_from_export_supported";
  private static final String DESTROY = "remote_net_destroy";
  private static final List<String> TASKS =
      List.of(
          "cap_task_remote_net_sync_event_get_is_supported",
          "cap_task_remote_net_sync_event_notify_set_is_supported",
          "cap_task_remote_net_sync_event_notify_add_is_supported");

  private RemoteEvents() {}

  /** Returns the kinds of tasks on events of peers. */
  public static Set<TaskKind> kinds() {
    return Set.of(TaskKind.RDMA_EVENT_GET, TaskKind.RDMA_EVENT_SET, TaskKind.RDMA_EVENT_ADD);
  }

  /** Returns whether a device imports events of peers, and executes all kinds of tasks on them. */
  public static boolean areSupported(Device device) {
    long devinfo = DocaCommon.doca_dev_as_devinfo(device.pointer());
    return NamedFunctions.code(SYNC_EVENT, IMPORT, devinfo) == 0
        && TASKS.stream().allMatch(task -> NamedFunctions.code(RDMA, task, devinfo) == 0);
  }

  /**
   * Imports the event of a peer. The imported event ends at the latest with the context.
   *
   * @param context an RDMA context on the device, with the {@link #kinds} configured
   * @param description the peer's {@link SyncEvents#share}
   * @throws DocaException INVALID_VALUE: no description, or its event has ended; NOT_SUPPORTED
   */
  public static TaskHandle open(DocaContext context, Device device, byte[] description) {
    context.checkUse("open remote event");
    if (context.numTasks(TaskKind.RDMA_EVENT_GET) == 0) {
      throw new DocaException(
          "open remote event",
          DocaCode.NOT_SUPPORTED,
          device.pciAddress() + " executes no tasks on sync events of peers");
    }
    long[] event = new long[1];
    DocaException.check(
        SYNC_EVENT + "_remote_net_create_from_export",
        NamedFunctions.code(
            SYNC_EVENT,
            "remote_net_create_from_export",
            device.pointer(),
            description,
            (long) description.length,
            event),
        context.name());
    return context
        .handles()
        .own(
            "remote event",
            event[0],
            new DocaContext.Destructor(
                SYNC_EVENT + "_" + DESTROY,
                pointer -> NamedFunctions.code(SYNC_EVENT, DESTROY, pointer)));
  }
}
