package io.dpuactors.context;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.SyncEvents;
import io.dpuactors.bridge.internal.SyncEvents.Location;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.TaskLane;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.SyncEventOptions;
import io.dpuactors.protocol.SyncEventOptions.Side;
import io.dpuactors.protocol.SyncEventProtocol.Export;
import io.dpuactors.protocol.SyncEventProtocol.ExportReply;
import io.dpuactors.protocol.SyncEventProtocol.Exported;
import io.dpuactors.protocol.SyncEventProtocol.Share;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
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
    return core.devices().open(settings.device(), this::fits, wanted());
  }

  private String wanted() {
    Set<TaskKind> kinds = settings.kinds();
    return kinds.isEmpty() ? "sync events" : EnumSet.copyOf(kinds).toString();
  }

  private boolean fits(Device device) {
    Set<TaskKind> supported = supported(device);
    return !supported.isEmpty() && supported.containsAll(settings.kinds());
  }

  private static Set<TaskKind> supported(Device device) {
    Set<TaskKind> kinds = EnumSet.copyOf(SyncEvents.kinds());
    kinds.removeIf(kind -> !SyncEvents.supports(device, kind));
    return kinds;
  }

  /** Returns the kinds of the settings; if they name none, all that the device supports. */
  private Set<TaskKind> kinds(Device device) {
    if (!fits(device)) { // the settings name the device
      throw new DocaException(
          "doca_sync_event",
          DocaCode.NOT_SUPPORTED,
          device.pciAddress() + " does not support " + wanted());
    }
    return settings.kinds().isEmpty() ? supported(device) : EnumSet.copyOf(settings.kinds());
  }

  @Override
  public ContextOpener.Opened open(EngineCore owner, long userData) {
    Device device = device();
    int window = settings.lane().window();
    Set<TaskKind> wanted = kinds(device);
    core.checkTasks("sync-event", (long) window * wanted.size());
    DocaContext event = create(owner, device, userData);
    Map<TaskKind, TaskLimits> kinds = new EnumMap<>(TaskKind.class);
    try {
      for (TaskKind kind : wanted) {
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
            location(options.publisher()),
            location(options.subscriber()),
            userData)
        : SyncEvents.createFromExport(owner.progressEngine(), device, description, userData);
  }

  private static Location location(Side side) {
    return switch (side) {
      case OWN -> Location.CPU;
      case PEER -> Location.REMOTE_PCI;
      case RDMA_PEER -> Location.REMOTE_NET;
    };
  }

  @Override
  public TaskLane<DeviceRequest> lane(EngineCore engine, String name, LaneSettings lane) {
    return TaskLane.forEvents(engine, name, lane);
  }

  @Override
  public boolean handle(Object command) {
    if (command instanceof Export export) {
      describe(export, export.replyTo(), SyncEvents::export);
    } else if (command instanceof Share share) {
      describe(share, share.replyTo(), SyncEvents::share);
    } else {
      return false;
    }
    return true;
  }

  /** Answers with a description of the running event. */
  private void describe(
      Request command,
      ActorRef<ExportReply> replyTo,
      BiFunction<DocaContext, Device, byte[]> description) {
    DocaContext event = running.get();
    if (event == null) {
      command.refuse(DocaError.of("export", DocaCode.BAD_STATE, "the sync event is not running"));
      return;
    }
    try {
      replyTo.tell(new Exported(description.apply(event, device())));
    } catch (DocaException e) {
      command.refuse(e.error());
    }
  }

  @Override
  public void close() {}
}
