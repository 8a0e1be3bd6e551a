package io.dpuactors.context;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.SyncEvents;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.TaskLane;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.SyncEventOptions;
import io.dpuactors.protocol.SyncEventOptions.Side;
import io.dpuactors.protocol.SyncEventProtocol.Export;
import io.dpuactors.protocol.SyncEventProtocol.Exported;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The parts of a sync event: its native event, new or imported, and its description. */
final class SyncEventParts implements ContextParts {
  private static final TaskLimits NO_BUFFERS = new TaskLimits(true, Long.MAX_VALUE, 1);

  private final EngineCore core;
  private final ContextSettings settings;
  private final SyncEventOptions options;
  private final Supplier<@Nullable DocaContext> running;

  /**
   * Creates the parts of one incarnation.
   *
   * @param running returns the native context while it runs, else null
   */
  SyncEventParts(
      EngineCore core,
      ContextSettings settings,
      SyncEventOptions options,
      Supplier<@Nullable DocaContext> running) {
    this.core = core;
    this.settings = settings;
    this.options = options;
    this.running = running;
  }

  private Device device() {
    return core.devices().open(settings.device(), SyncEventParts::fits, "sync events");
  }

  private static boolean fits(Device device) {
    return SyncEvents.kinds().stream().allMatch(kind -> SyncEvents.supports(device, kind));
  }

  @Override
  public ContextOpener.Opened open(EngineCore owner, long userData) {
    Device device = device();
    int window = settings.lane().window();
    core.checkTasks("sync-event", (long) window * SyncEvents.kinds().size());
    DocaContext event = create(owner, device, userData);
    Map<TaskKind, TaskLimits> kinds = new EnumMap<>(TaskKind.class);
    try {
      for (TaskKind kind : SyncEvents.kinds()) {
        event.configure(kind, window);
        kinds.put(kind, NO_BUFFERS);
      }
    } catch (DocaException e) {
      event.destroy();
      throw e;
    }
    return new ContextOpener.Opened(event, kinds).on(device.pciAddress());
  }

  private DocaContext create(EngineCore owner, Device device, long userData) {
    byte[] description = options.description().orElse(null);
    return description == null
        ? SyncEvents.create(
            owner.progressEngine(),
            device,
            options.publisher() == Side.PEER,
            options.subscriber() == Side.PEER,
            userData)
        : SyncEvents.createFromExport(owner.progressEngine(), device, description, userData);
  }

  @Override
  public TaskLane<DeviceRequest> lane(EngineCore engine, String name, LaneSettings lane) {
    return TaskLane.forEvents(engine, name, lane);
  }

  @Override
  public boolean handle(Object command) {
    if (!(command instanceof Export export)) {
      return false;
    }
    DocaContext event = running.get();
    if (event == null) {
      export.refuse(
          DocaError.of("export", DocaCode.BAD_STATE.value(), "the sync event is not running"));
      return true;
    }
    try {
      export.replyTo().tell(new Exported(SyncEvents.export(event, device())));
    } catch (DocaException e) {
      export.refuse(e.error());
    }
    return true;
  }

  @Override
  public void close() {}
}
