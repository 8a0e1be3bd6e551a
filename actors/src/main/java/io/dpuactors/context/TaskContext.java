package io.dpuactors.context;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.node.ContextNode;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.MailboxMarker;
import io.dpuactors.node.NodeEvent;
import io.dpuactors.node.StopRequests;
import io.dpuactors.node.TaskLane;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.SyncEventOptions;
import io.dpuactors.protocol.SyncEventProtocol;
import io.dpuactors.protocol.TaskOptions;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * Actor of a DOCA context that executes tasks; a supervised child of its engine. {@link
 * TaskLibrary} describes the DOCA library; a sync event belongs to none.
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
  /** Creates the parts of an incarnation. */
  private interface PartsFactory {
    /**
     * Creates the parts.
     *
     * @param running returns the native context while it runs, else null
     */
    ContextParts create(
        ActorContext<Object> context,
        ContextSettings settings,
        Supplier<@Nullable DocaContext> running);
  }

  private final ActorContext<Object> context;
  private final EngineCore core;
  private final RestartHistory history;
  private final ActorRef<ContextEvent> engine;
  private final Object incarnation = new Object();
  private final ContextNode<TaskLane<DeviceRequest>> node;
  private final ContextParts parts;
  private final StopRequests stops = new StopRequests();

  private TaskContext(
      ActorContext<Object> context,
      EngineCore core,
      ContextSettings settings,
      RestartHistory history,
      ActorRef<ContextEvent> engine,
      PartsFactory factory) {
    this.context = context;
    this.core = core;
    this.history = history;
    this.engine = engine;
    this.parts = factory.create(context, settings, this::running);
    core.pools().takers().join(context.getSelf());
    String name = context.getSelf().path().name();
    this.node =
        core.openContext(
            name,
            parts.lane(core, name, settings.lane()),
            settings.times(),
            parts::open,
            NodeEvent.owner(context.getSelf(), incarnation),
            history.delayNs());
  }

  private @Nullable DocaContext running() {
    return node.running();
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
    return supervised(
        ContextSettings.from(root.getConfig("dpu." + library.shortName()), options),
        core,
        engine,
        (context, settings, running) ->
            new TaskParts(
                library,
                new ContextDevice(library, core, settings),
                new ContextObjects(library, settings.lane().queue(), running, context::watch)));
  }

  /**
   * Returns the behavior of a sync event under its supervisor strategy. Parameters and errors as of
   * the other method.
   */
  public static Behavior<SyncEventProtocol.Command> supervised(
      Config root, EngineCore core, SyncEventOptions options, ActorRef<ContextEvent> engine) {
    return supervised(
        ContextSettings.from(root.getConfig("dpu.sync-event"), options.tasks()),
        core,
        engine,
        (context, settings, running) -> new SyncEventParts(core, settings, options, running));
  }

  private static <C> Behavior<C> supervised(
      ContextSettings settings,
      EngineCore core,
      ActorRef<ContextEvent> engine,
      PartsFactory factory) {
    RestartHistory history = new RestartHistory(settings.restart());
    Behavior<Object> behavior =
        Behaviors.setup(
            context -> {
              context.setLoggerName(TaskContext.class);
              return history.isStopping()
                  ? Behaviors.stopped()
                  : new TaskContext(context, core, settings, history, engine, factory).behavior();
            });
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
    if (message instanceof Stop stop) {
      return onStop(stop);
    }
    return parts.handle(message) ? Behaviors.same() : Behaviors.unhandled();
  }

  private Behavior<Object> onSignal(Signal signal) {
    if (signal instanceof PreRestart) {
      return onEnd();
    }
    if (signal instanceof Terminated owner) {
      parts.ended(owner.getRef());
      return Behaviors.same();
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

  private Behavior<Object> onStop(Stop stop) {
    stops.add(stop);
    history.stopping();
    node.stop();
    parts.close();
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
    parts.running();
    engine.tell(new ContextEvent.Running(context.getSelf(), Optional.of(parts.pciAddress())));
    return Behaviors.same();
  }

  private Behavior<Object> onFailed(DocaError error) {
    if (history.isStopping()) {
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
    parts.close();
    stops.answer(node);
    return Behaviors.same();
  }
}
