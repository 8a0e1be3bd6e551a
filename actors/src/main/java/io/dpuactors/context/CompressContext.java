package io.dpuactors.context;

import com.typesafe.config.Config;
import io.dpuactors.bridge.Compress;
import io.dpuactors.bridge.CompressCapabilities;
import io.dpuactors.bridge.Device;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaContext;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.node.ContextNode;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.ContextOwner;
import io.dpuactors.node.EngineCore;
import io.dpuactors.protocol.CompressOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.GetCapabilities;
import io.dpuactors.protocol.CompressProtocol.Stop;
import io.dpuactors.protocol.TaskRequest;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * A {@code doca_compress} context as a supervised actor, child of its engine.
 *
 * <p>The actor decides about the context's life; the requests themselves are in the hands of the
 * native half (see {@link ContextNode}), which survives a failure of the actor. What the sender of
 * a request sees:
 *
 * <ul>
 *   <li>while the context starts or restarts, requests wait in the queue;
 *   <li>when it fails, what the device holds is answered with its result or error, what waits with
 *       the cause;
 *   <li>after {@link Stop}, new and waiting requests are answered with {@code DOCA_ERROR_SHUTDOWN}.
 * </ul>
 */
public final class CompressContext {
  private static final Set<TaskKind> KINDS =
      EnumSet.of(
          TaskKind.COMPRESS_DEFLATE,
          TaskKind.DECOMPRESS_DEFLATE,
          TaskKind.DECOMPRESS_LZ4_BLOCK,
          TaskKind.DECOMPRESS_LZ4_STREAM);

  /** What a node tells the incarnation that opened it; one that comes too late is for nobody. */
  private sealed interface NodeEvent {
    Object incarnation();
  }

  private record Running(Object incarnation) implements NodeEvent {}

  private record Failed(Object incarnation, DocaError error) implements NodeEvent {}

  private record Gone(Object incarnation) implements NodeEvent {}

  private final ActorContext<Object> context;
  private final EngineCore core;
  private final CompressSettings settings;
  private final RestartHistory history;
  private final ActorRef<ContextEvent> engine;
  private final Object incarnation = new Object();
  private final ContextNode node;

  private CompressContext(
      ActorContext<Object> context,
      EngineCore core,
      CompressSettings settings,
      RestartHistory history,
      ActorRef<ContextEvent> engine) {
    this.context = context;
    this.core = core;
    this.settings = settings;
    this.history = history;
    this.engine = engine;
    this.node =
        core.openContext(
            context.getSelf().path().name(),
            settings.lane(),
            settings.times(),
            this::open,
            new Owner(context.getSelf(), incarnation),
            history.delayNs());
  }

  /**
   * The behavior of a compress context under its supervisor strategy.
   *
   * @param root the whole configuration
   * @param core of the engine whose child this will be
   * @param engine learns when the context runs or cannot
   * @throws IllegalArgumentException naming an option that is out of range
   */
  public static Behavior<CompressProtocol.Command> supervised(
      Config root, EngineCore core, CompressOptions options, ActorRef<ContextEvent> engine) {
    CompressSettings settings = CompressSettings.from(root, options);
    RestartHistory history = new RestartHistory(settings.restart());
    Behavior<Object> behavior =
        Behaviors.setup(
            context -> new CompressContext(context, core, settings, history, engine).behavior());
    return Behaviors.supervise(behavior)
        .onFailure(Exception.class, settings.supervision())
        .narrow();
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(TaskRequest.class, this::onRequest)
        .onMessage(NodeEvent.class, this::onNodeEvent)
        .onMessage(GetCapabilities.class, this::onGetCapabilities)
        .onMessageEquals(Stop.INSTANCE, this::onStop)
        .onSignal(PreRestart.class, signal -> letGo())
        .onSignal(PostStop.class, signal -> letGo())
        .build();
  }

  private Behavior<Object> onRequest(TaskRequest request) {
    node.lane().accept(request);
    return Behaviors.same();
  }

  private Behavior<Object> onGetCapabilities(GetCapabilities command) {
    command.replyTo().tell(capabilities());
    return Behaviors.same();
  }

  private Behavior<Object> onStop() {
    node.retire();
    return Behaviors.same();
  }

  private Behavior<Object> onNodeEvent(NodeEvent event) {
    if (event.incarnation() != incarnation) {
      return Behaviors.same();
    }
    if (event instanceof Failed failed) {
      return onFailed(failed.error());
    }
    if (event instanceof Gone) {
      return Behaviors.stopped();
    }
    history.running(core.nowNs());
    engine.tell(new ContextEvent.Running(context.getSelf()));
    return Behaviors.same();
  }

  private Behavior<Object> onFailed(DocaError error) {
    history.failed(core.nowNs());
    if (history.hasRun()) {
      throw new ContextFailure(error);
    }
    // Nobody has used the context yet: whoever asked for it decides, not a restart.
    engine.tell(new ContextEvent.StartFailed(context.getSelf(), error));
    return Behaviors.stopped();
  }

  private Behavior<Object> letGo() {
    node.abandon();
    return Behaviors.same();
  }

  /** What the device can do: nothing, when there is no such device. */
  private CompressCapabilities capabilities() {
    try {
      return device().compressCapabilities();
    } catch (DocaException e) {
      context.getLog().debug("no capabilities: {}", e.error());
      return CompressCapabilities.NONE;
    }
  }

  private Device device() {
    return core.device(
        settings.device(),
        device -> supports(device.compressCapabilities(), settings.kinds()),
        wanted());
  }

  private String wanted() {
    return settings.kinds().isEmpty() ? "compress or decompress" : settings.kinds().toString();
  }

  private static boolean supports(CompressCapabilities capabilities, Set<TaskKind> kinds) {
    return kinds.isEmpty()
        ? capabilities.any()
        : kinds.stream().allMatch(kind -> capabilities.of(kind).supported());
  }

  private ContextOpener.Opened open(EngineCore owner, long userData) {
    Device device = device();
    CompressCapabilities capabilities = device.compressCapabilities();
    Map<TaskKind, TaskLimits> kinds = limits(device, capabilities);
    checkWindow(device, capabilities, kinds.size());
    DocaContext fresh = Compress.create(owner.progressEngine(), device, userData);
    try {
      kinds.keySet().forEach(kind -> fresh.configure(kind, settings.lane().window()));
    } catch (DocaException e) {
      fresh.destroy();
      throw e;
    }
    return new ContextOpener.Opened(fresh, kinds);
  }

  private Map<TaskKind, TaskLimits> limits(Device device, CompressCapabilities capabilities) {
    Map<TaskKind, TaskLimits> limits = new EnumMap<>(TaskKind.class);
    for (TaskKind kind : settings.kinds().isEmpty() ? KINDS : settings.kinds()) {
      TaskLimits limit = capabilities.of(kind);
      if (limit.supported()) {
        limits.put(kind, limit);
      } else if (!settings.kinds().isEmpty()) {
        throw new DocaException(
            DocaError.of(
                "doca_compress",
                DocaCode.NOT_SUPPORTED.value(),
                device.pciAddress() + " cannot do " + kind));
      }
    }
    return limits;
  }

  private void checkWindow(Device device, CompressCapabilities capabilities, int kinds) {
    long tasks = (long) settings.lane().window() * kinds;
    if (tasks > capabilities.maxTasks()) {
      throw new DocaException(
          DocaError.of(
              "doca_compress",
              DocaCode.INVALID_VALUE.value(),
              tasks
                  + " tasks in flight ("
                  + settings.lane().window()
                  + " for each of "
                  + kinds
                  + " kinds) are more than the limit of "
                  + device.pciAddress()
                  + ", which is "
                  + capabilities.maxTasks()));
    }
  }

  /** Turns what the node says into messages to the actor. */
  private record Owner(ActorRef<Object> self, Object incarnation) implements ContextOwner {
    @Override
    public void running() {
      self.tell(new Running(incarnation));
    }

    @Override
    public void failed(DocaError error) {
      self.tell(new Failed(incarnation, error));
    }

    @Override
    public void gone() {
      self.tell(new Gone(incarnation));
    }
  }
}
