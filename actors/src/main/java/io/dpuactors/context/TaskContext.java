package io.dpuactors.context;

import com.typesafe.config.Config;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.MailboxMarker;
import io.dpuactors.node.NodeEvent;
import io.dpuactors.node.TaskLane;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.SyncEventOptions;
import io.dpuactors.protocol.SyncEventProtocol;
import io.dpuactors.protocol.TaskOptions;
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
 * <p>The actor controls the lifecycle of the context. The native half of the context holds the
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
  private final ContextParts parts;
  private final ContextLife<TaskLane<DeviceRequest>> life;

  private TaskContext(
      ActorContext<Object> context,
      EngineCore core,
      ContextSettings settings,
      RestartHistory history,
      ActorRef<ContextEvent> engine,
      PartsFactory factory) {
    this.context = context;
    this.core = core;
    this.parts = factory.create(context, settings, this::running);
    core.pools().takers().join(context.getSelf());
    this.life =
        new ContextLife<>(
            context,
            core,
            history,
            engine,
            parts,
            parts.lane(core, context.getSelf().path().name(), settings.lane()),
            settings.times(),
            parts::open);
  }

  private @Nullable DocaContext running() {
    return life.node().running();
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
                new ContextObjects(
                    library,
                    settings.lane(),
                    running,
                    context::watch,
                    (delay, late) -> context.scheduleOnce(delay, context.getSelf(), late))));
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
    return ContextLife.supervised(
            core,
            history,
            settings.restart().strategy(),
            context -> {
              context.setLoggerName(TaskContext.class);
              return new TaskContext(context, core, settings, history, engine, factory).behavior();
            })
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
      return life.onNodeEvent(event);
    }
    if (message instanceof Stop stop) {
      return life.onStop(stop);
    }
    return parts.handle(message) ? Behaviors.same() : Behaviors.unhandled();
  }

  private Behavior<Object> onSignal(Signal signal) {
    if (signal instanceof Terminated owner) {
      return life.onTerminated(owner);
    }
    if (signal instanceof PostStop) {
      core.pools().takers().leave(context.getSelf());
      return life.onPostStop();
    }
    return signal instanceof PreRestart ? life.onPreRestart() : Behaviors.unhandled();
  }

  private Behavior<Object> onRequest(DeviceRequest request) {
    core.pools().takers().expect(request);
    life.node().load().accept(request);
    return Behaviors.same();
  }

  private Behavior<Object> onMarker(MailboxMarker marker) {
    marker.pass();
    return Behaviors.same();
  }
}
