package io.dpuactors.engine;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.context.OpenContexts;
import io.dpuactors.context.Steps;
import io.dpuactors.engine.EngineMessage.DeviceFailed;
import io.dpuactors.engine.EngineMessage.ShutDown;
import io.dpuactors.loop.ActorMoment;
import io.dpuactors.loop.EngineLog;
import io.dpuactors.loop.EngineLoop;
import io.dpuactors.loop.EngineSettings;
import io.dpuactors.loop.ThreadSettings;
import io.dpuactors.node.EngineCore;
import io.dpuactors.protocol.EngineProtocol.Command;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The actor of a progress engine: parent and supervisor of every context on it.
 *
 * <p>The actor runs on an engine dispatcher, whose one thread progresses the device. On {@link
 * Stop} the engine asks its contexts to stop and waits for their {@code Terminated} signals. Then
 * the engine waits for leased memory, closes its resources, reports the census, and ends.
 */
public final class Engine {
  private final ActorContext<Object> context;
  private final EngineLoop loop;
  private final EngineCore core;
  private final OpenContexts contexts;
  private final EngineContexts opening;
  private final OwnedMemory owned;
  private final PoolRequests pools;
  private final DeadRequests deadRequests;
  private final DpuActors engines;
  private final EngineStop stop;

  private Engine(
      ActorContext<Object> context, TimerScheduler<Object> timers, EngineOptions options) {
    context.setLoggerName(Engine.class);
    this.context = context;
    Config root = context.getSystem().settings().config();
    EngineSettings settings = EngineSettings.from(root, options.config());
    this.loop = EngineLoop.current();
    ThreadSettings thread = ThreadSettings.from(options.over(root));
    loop.configure(settings);
    this.core =
        loop.exempt(
            () -> EngineCore.open(DocaLibrary.load(settings.library()), settings, loop.clock()));
    core.name(loop.engine());
    this.stop = new EngineStop(timers, core);
    this.contexts = new OpenContexts(context, "engine", settings.openDeadline());
    this.opening = new EngineContexts(context, core, contexts);
    this.owned = new OwnedMemory(core.pools(), context::watch);
    ActorRef<Object> self = context.getSelf();
    this.pools =
        new PoolRequests(core, owned, contexts::device, self, context.getSystem().ignoreRef());
    boolean isAttached = false;
    try {
      loop.schedule(thread);
      loop.attach(core, cause -> self.tell(new DeviceFailed(core, cause, false)));
      isAttached = true;
      core.pools().takers().onReceiver(DeadRequests::watch);
      this.deadRequests = DeadRequests.answerFor(self, context.getSystem());
      this.engines = DpuActors.get(context.getSystem());
      core.moments().listen(loop::pass);
      core.moments().pass(ActorMoment.START);
      engines.started(self());
    } catch (RuntimeException | Error e) {
      if (isAttached) { // else another engine may drive the loop
        loop.detach();
      }
      core.close();
      throw e;
    }
  }

  /** Returns {@link #create(EngineOptions)} with the settings of {@code dpu.engine}. */
  public static Behavior<Command> create() {
    return create(EngineOptions.defaults());
  }

  /**
   * Returns the behavior of an engine. The actor must run on an engine dispatcher: spawn it with
   * {@link #props}, or use {@link #spawn}. The actor fails at its start if the DOCA libraries
   * cannot be loaded. An invalid setting or environment variable of the software DPU has the same
   * effect. A parent receives {@code ChildFailed} with Pekko's {@code
   * ActorInitializationException}, which has the cause. Requests to the engine are refused with
   * this cause.
   *
   * <p>Under a strategy that restarts the engine, use {@code
   * Behaviors.supervise(Engine.create(options)).onFailure(EngineFailure.class, strategy)}.
   */
  public static Behavior<Command> create(EngineOptions options) {
    return Behaviors.<Object>setup(
            context ->
                AnswerWatch.ifEnabled(
                    context.getSystem(),
                    Behaviors.withTimers(
                        timers ->
                            DeadRequests.started(
                                context, () -> new Engine(context, timers, options).running()))))
        .narrow();
  }

  /**
   * Returns the dispatcher and the mailbox of one engine. Pass them to {@code spawn}, {@code
   * systemActorOf} or {@code SpawnProtocol.Spawn} together with {@link #create}. Other actors may
   * have these properties; they share the engine's thread.
   *
   * @param name unique among the engines of the actor system. The dispatcher and its thread are
   *     named {@code dpu-engine-} plus this name; a stream may have the dispatcher as an attribute
   * @throws IllegalArgumentException if the configuration below {@code dpu} is invalid, naming the
   *     key
   */
  public static Props props(ActorSystem<?> system, String name) {
    return EngineDispatchers.select(system, name);
  }

  /**
   * Returns the dispatcher and the mailbox of an engine that is the guardian of an actor system:
   * {@code ActorSystem.create(Engine.create(), "name", ConfigFactory.load(), Engine.props())}.
   */
  public static Props props() {
    return EngineDispatchers.ofGuardian();
  }

  /** Spawns an engine as a child, with {@link #create()} and {@link #props}. */
  public static ActorRef<Command> spawn(ActorContext<?> parent, String name) {
    return spawn(parent, name, EngineOptions.defaults());
  }

  /** Spawns an engine as a child, with {@link #create(EngineOptions)} and {@link #props}. */
  public static ActorRef<Command> spawn(
      ActorContext<?> parent, String name, EngineOptions options) {
    return parent.spawn(create(options), name, props(parent.getSystem(), name));
  }

  /** Returns the handlers of both behaviors. They differ in how they handle memory commands. */
  private BehaviorBuilder<Object> handlers(Consumer<MemoryProtocol.Command> onMemory) {
    return opening
        .handlers(Behaviors.receive(Object.class))
        .onMessage(
            MemoryProtocol.Command.class,
            command -> {
              onMemory.accept(command);
              return Behaviors.same();
            })
        .onMessage(GetStatus.class, this::onGetStatus)
        .onMessage(DeviceFailed.class, this::onDeviceFailed)
        .onSignal(PreRestart.class, signal -> onEnd(() -> {}))
        .onSignal(
            PostStop.class,
            signal -> WaitingMessages.duringEnd(context, deadRequests, this::onEnd));
  }

  private Behavior<Object> running() {
    return handlers(pools::on)
        .onMessage(Stop.class, this::onStop)
        .onMessageEquals(ShutDown.INSTANCE, this::onShutDown)
        .onSignal(Terminated.class, this::onTerminated)
        .build();
  }

  /** Behavior after Stop or ShutDown: refuses new contexts and pools. */
  private Behavior<Object> stopping() {
    return handlers(pools::onWhileStopping)
        .onMessage(Stop.class, command -> await(command, Behaviors.same()))
        .onMessageEquals(ShutDown.INSTANCE, Behaviors::same)
        .onMessageEquals(EngineStop.Tick.CHECK, () -> stepTowardsStop(Behaviors.same()))
        .onMessageEquals(EngineStop.Tick.DEADLINE, this::finish)
        .onSignal(Terminated.class, this::onTerminatedWhileStopping)
        .build();
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    owned.release(signal.getRef());
    contexts.forget(signal.getRef());
    return Behaviors.same();
  }

  private Behavior<Object> onDeviceFailed(DeviceFailed event) {
    if (event.core() != core) {
      return Behaviors.same();
    }
    if (contexts.isStopping()) { // no engine follows one that was asked to stop
      log().error("engine {} has lost its progress engine while it stopped", name(), event.cause());
      return Behaviors.stopped();
    }
    if (event.isThrown()) {
      log().error("engine {} ends: {}", name(), EngineMessage.NO_RESUME, event.cause());
      return Behaviors.stopped();
    }
    context.getSelf().tell(event.thrown()); // arrives only under resume()
    throw new EngineFailure(name(), event.cause());
  }

  private Behavior<Object> onGetStatus(GetStatus command) {
    command.replyTo().tell(EngineStatus.of(core, loop));
    return Behaviors.same();
  }

  private Behavior<Object> onStop(Stop command) {
    stopContexts();
    return await(command, stopping());
  }

  private Behavior<Object> await(Stop command, Behavior<Object> otherwise) {
    stop.add(command);
    return stepTowardsStop(otherwise);
  }

  private Behavior<Object> onShutDown() {
    stopContexts();
    return stepTowardsStop(stopping());
  }

  private void stopContexts() {
    core.pools().stopLending();
    contexts.stopAll();
  }

  private Behavior<Object> onTerminatedWhileStopping(Terminated signal) {
    onTerminated(signal);
    return stepTowardsStop(Behaviors.same());
  }

  /** Finishes when all children have ended and nothing is left; otherwise checks again later. */
  private Behavior<Object> stepTowardsStop(Behavior<Object> otherwise) {
    if (!contexts.isEmpty()) {
      return otherwise;
    }
    engines.contextsEnded(self());
    if (core.isVacant()) {
      return finish();
    }
    stop.checkLater();
    return otherwise;
  }

  private Behavior<Object> finish() {
    close();
    return Behaviors.stopped();
  }

  /** Does the work of Stop when the actor ends without it. After Stop, finds nothing to do. */
  private Behavior<Object> onEnd(Runnable beforeTurn) {
    if (!core.isClosed()) {
      Steps.all(
          cause -> log().error("engine {} throws at its end: {}", name(), cause, cause),
          () -> core.moments().pass(ActorMoment.STOP),
          core.pools()::stopLending,
          core::closeNodes,
          contexts::failAll, // the programs that wait for them may have leases
          () -> new LastTurns(loop, core, owned, beforeTurn, log()).run(stop.deadlineNs()),
          this::close);
    }
    return Behaviors.same();
  }

  /** Closes the remaining resources and answers every pending command. */
  private void close() {
    String left = core.close();
    loop.detach();
    if (left != null) {
      log().error("engine {} stopped with open resources: {}", name(), left);
    }
    contexts.failAll();
    Stopped stopped = left == null ? Stopped.CLEAN : new Stopped(false, left);
    deadRequests.ended(context.getSelf(), stopped);
    engines.ended(self());
    stop.answer(stopped);
  }

  private EngineLog log() {
    return core.log(context::getLog);
  }

  private ActorRef<Command> self() {
    return context.getSelf().narrow();
  }

  private String name() {
    return context.getSelf().path().name();
  }
}
