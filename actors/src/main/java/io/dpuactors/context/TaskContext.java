package io.dpuactors.context;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.TaskFunctions;
import io.dpuactors.node.ContextNode;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.MailboxMarker;
import io.dpuactors.node.NodeEvent;
import io.dpuactors.node.StopRequests;
import io.dpuactors.node.TaskLane;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskProtocol.CapabilityQuery;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Actor of a DOCA context that executes tasks; a supervised child of its engine. {@link
 * TaskLibrary} describes the DOCA library.
 *
 * <p>A failed copy stops a DMA context in DOCA. The failed copy and all other copies on the device
 * are answered with their errors. Then the supervisor restarts the actor.
 *
 * <p>The actor controls the lifecycle of the context. Its native half {@link ContextNode} holds the
 * requests and survives a failure of the actor. The sender of a request observes:
 *
 * <ul>
 *   <li>While the context starts or restarts, requests wait in the queue.
 *   <li>When the context fails, tasks on the device are answered with their result or error, and
 *       waiting requests with the cause.
 *   <li>After Stop, new and waiting requests are answered with {@code DOCA_ERROR_SHUTDOWN}.
 * </ul>
 */
public final class TaskContext {
  private final TaskLibrary library;
  private final ActorContext<Object> context;
  private final EngineCore core;
  private final ContextSettings settings;
  private final RestartHistory history;
  private final ActorRef<ContextEvent> engine;
  private final Object incarnation = new Object();
  private final ContextNode<TaskLane<DeviceRequest>> node;
  private final StopRequests stops = new StopRequests();
  private boolean stopping;

  private TaskContext(
      TaskLibrary library,
      ActorContext<Object> context,
      EngineCore core,
      ContextSettings settings,
      RestartHistory history,
      ActorRef<ContextEvent> engine) {
    this.library = library;
    this.context = context;
    this.core = core;
    this.settings = settings;
    this.history = history;
    this.engine = engine;
    core.pools().takers().join(context.getSelf());
    String name = context.getSelf().path().name();
    this.node =
        core.openContext(
            name,
            TaskLane.forTasks(core, name, settings.lane()),
            settings.times(),
            this::open,
            NodeEvent.owner(context.getSelf(), incarnation),
            history.delayNs());
  }

  /**
   * Returns the behavior of a context under its supervisor strategy.
   *
   * @param library whose protocol the behavior has
   * @param root the whole configuration
   * @param core of the parent engine
   * @param engine receives an event when the context runs or fails to start
   * @throws IllegalArgumentException naming an option that is out of range
   */
  public static <C> Behavior<C> supervised(
      TaskLibrary library,
      Config root,
      EngineCore core,
      TaskOptions options,
      ActorRef<ContextEvent> engine) {
    ContextSettings settings =
        ContextSettings.from(root.getConfig("dpu." + library.shortName()), options);
    RestartHistory history = new RestartHistory(settings.restart());
    Behavior<Object> behavior =
        Behaviors.setup(
            context ->
                new TaskContext(library, context, core, settings, history, engine).behavior());
    return Behaviors.supervise(behavior)
        .onFailure(Exception.class, settings.supervision())
        .narrow();
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive((self, message) -> onMessage(message), (self, s) -> onSignal(s));
  }

  /** Tests the most frequent message types first. */
  private Behavior<Object> onMessage(Object message) {
    if (message instanceof DeviceRequest request) {
      return onRequest(request);
    }
    if (message instanceof MailboxMarker marker) {
      return onMarker(marker);
    }
    if (message instanceof NodeEvent event) {
      return onNodeEvent(event);
    }
    if (message instanceof CapabilityQuery query) {
      return onQuery(query);
    }
    return message instanceof Stop stop ? onStop(stop) : Behaviors.unhandled();
  }

  private Behavior<Object> onSignal(Signal signal) {
    if (signal instanceof PreRestart) {
      return onEnd();
    }
    return signal instanceof PostStop ? ended() : Behaviors.unhandled();
  }

  private Behavior<Object> onRequest(DeviceRequest request) {
    core.pools().takers().expect(request);
    node.load().accept(request);
    return Behaviors.same();
  }

  private Behavior<Object> onMarker(MailboxMarker marker) {
    marker.pass();
    return Behaviors.same();
  }

  private Behavior<Object> onQuery(CapabilityQuery query) {
    query.replyTo().tell(capabilities());
    return Behaviors.same();
  }

  private Behavior<Object> onStop(Stop stop) {
    stops.add(stop);
    stopping = true;
    node.stop();
    return Behaviors.same();
  }

  private Behavior<Object> onNodeEvent(NodeEvent event) {
    if (event.incarnation() != incarnation) {
      return Behaviors.same();
    }
    if (event instanceof NodeEvent.Failed failed) {
      return onFailed(failed.error());
    }
    if (event instanceof NodeEvent.Gone) {
      return Behaviors.stopped();
    }
    history.running(core.nowNs());
    engine.tell(new ContextEvent.Running(context.getSelf()));
    return Behaviors.same();
  }

  private Behavior<Object> onFailed(DocaError error) {
    if (stopping) {
      // Stop arrived before this event. The node ends without help, and no incarnation follows.
      return Behaviors.same();
    }
    history.failed(core.nowNs());
    if (history.hasRun()) {
      throw new ContextFailure(error);
    }
    // The context has never run. The sender of the Open command decides, so the supervisor must not
    // restart it.
    engine.tell(new ContextEvent.StartFailed(context.getSelf(), error));
    return Behaviors.stopped();
  }

  private Behavior<Object> ended() {
    core.pools().takers().leave(context.getSelf());
    return onEnd();
  }

  private Behavior<Object> onEnd() {
    node.close();
    stops.answer(node);
    return Behaviors.same();
  }

  private TaskCapabilities capabilities() {
    try {
      return device().capabilities(library);
    } catch (DocaException e) {
      context.getLog().debug("no device: {}", e.error());
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

  private ContextOpener.Opened open(EngineCore owner, long userData) {
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
    return new ContextOpener.Opened(fresh, kinds);
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
  }

  private DocaException error(DocaCode code, String about) {
    return new DocaException(DocaError.of(library.docaName(), code.value(), about));
  }
}
