package io.dpuactors.engine;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.internal.Counter;
import io.dpuactors.loop.EngineDispatchers;
import io.dpuactors.loop.EngineLoop;
import io.dpuactors.loop.EngineSettings;
import io.dpuactors.node.EngineCore;
import io.dpuactors.protocol.EngineProtocol.Command;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.MemoryCommand;
import io.dpuactors.protocol.EngineProtocol.PoolClosed;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.EngineProtocol.Stop;
import io.dpuactors.protocol.EngineProtocol.Stopped;
import io.dpuactors.protocol.LocalMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The actor of a progress engine: parent and supervisor of every context on it.
 *
 * <p>It runs on an engine dispatcher, whose one thread progresses the device. On {@link Stop} the
 * engine asks its contexts to stop and waits for their {@code Terminated} signals. Then it waits
 * for leased memory, closes its resources, reports the census, and ends.
 */
public final class Engine {
  private static final Duration STOP_POLL = Duration.ofMillis(1);

  /** Timer messages of the engine to itself. */
  private enum Tick implements LocalMessage {
    STOPPING,
    STOP_DEADLINE
  }

  /**
   * Reports that the loop has detached the progress engine {@code core} after repeated failures.
   */
  private record DeviceFailed(EngineCore core, Throwable cause) implements LocalMessage {}

  private final ActorContext<Object> context;
  private final TimerScheduler<Object> timers;
  private final EngineSettings settings;
  private final EngineLoop loop;
  private final EngineCore core;
  private final EngineContexts contexts;
  private final PoolRequests pools;
  private final DeadRequests deadRequests;
  private final List<ActorRef<Stopped>> stopRequesters = new ArrayList<>();
  private long stopDeadlineNs;

  private Engine(ActorContext<Object> context, TimerScheduler<Object> timers) {
    this.context = context;
    this.timers = timers;
    this.settings = EngineSettings.from(context.getSystem().settings().config());
    this.loop = EngineLoop.current();
    this.core =
        loop.exempt(
            () ->
                EngineCore.open(DocaLibrary.load(settings.library()), settings, System::nanoTime));
    this.contexts = new EngineContexts(context, timers, core, settings.openDeadline());
    this.pools =
        new PoolRequests(
            core, context::watch, context.getSelf(), context.getSystem().<PoolClosed>ignoreRef());
    ActorRef<Object> self = context.getSelf();
    try {
      loop.attach(core, cause -> self.tell(new DeviceFailed(core, cause)));
    } catch (IllegalStateException e) {
      core.close();
      throw e;
    }
    core.pools().takers().onReceiver(DeadRequests::watch);
    this.deadRequests = DeadRequests.answerFor(context.getSelf(), context.getSystem());
  }

  /**
   * Returns the behavior of an engine. It must run on an engine dispatcher: use {@link #spawn}
   * unless you configure a dispatcher as {@code dpu.engine-dispatcher} does.
   */
  public static Behavior<Command> create() {
    return Behaviors.<Object>setup(
            context ->
                Behaviors.withTimers(
                    timers -> {
                      Engine engine = new Engine(context, timers);
                      return engine.running();
                    }))
        .narrow();
  }

  /**
   * Spawns an engine as a child, on a separate dispatcher and thread. The child fails at its start
   * if the DOCA libraries cannot be loaded, or if an environment variable of the software DPU is
   * invalid. The parent receives {@code ChildFailed} with Pekko's {@code
   * ActorInitializationException}, which has the cause.
   *
   * @param name of the child; unique in the actor system. The thread is named {@code dpu-engine-}
   *     plus this name.
   */
  public static ActorRef<Command> spawn(ActorContext<?> parent, String name) {
    EngineSettings.from(parent.getSystem().settings().config());
    return parent.spawn(create(), name, EngineDispatchers.select(parent.getSystem(), name));
  }

  private Behavior<Object> running() {
    return contexts
        .open(Behaviors.receive(Object.class))
        .onMessage(MemoryCommand.class, this::onMemoryCommand)
        .onMessage(GetStatus.class, this::onGetStatus)
        .onMessage(Stop.class, this::onStop)
        .onMessage(DeviceFailed.class, this::onDeviceFailed)
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PreRestart.class, signal -> letGo())
        .onSignal(PostStop.class, signal -> letGo())
        .build();
  }

  /** Behavior after Stop: refuses new contexts and pools. */
  private Behavior<Object> stopping() {
    return contexts
        .closing(Behaviors.receive(Object.class))
        .onMessage(MemoryCommand.class, this::onMemoryCommandWhileStopping)
        .onMessage(GetStatus.class, this::onGetStatus)
        .onMessage(Stop.class, this::onFurtherStop)
        .onMessage(DeviceFailed.class, this::onDeviceFailed)
        .onMessageEquals(Tick.STOPPING, this::onStoppingTick)
        .onMessageEquals(Tick.STOP_DEADLINE, this::finish)
        .onSignal(Terminated.class, this::onTerminatedWhileStopping)
        .onSignal(PreRestart.class, signal -> letGo())
        .onSignal(PostStop.class, signal -> letGo())
        .build();
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    forget(signal.getRef());
    return Behaviors.same();
  }

  private void forget(ActorRef<?> child) {
    pools.onTerminated(child);
    contexts.forget(child);
  }

  private Behavior<Object> onDeviceFailed(DeviceFailed event) {
    if (event.core() == core) {
      throw new EngineFailure(name(), event.cause());
    }
    return Behaviors.same();
  }

  private Behavior<Object> onMemoryCommand(MemoryCommand command) {
    pools.on(command);
    return Behaviors.same();
  }

  private Behavior<Object> onMemoryCommandWhileStopping(MemoryCommand command) {
    pools.onWhileStopping(command);
    return Behaviors.same();
  }

  private Behavior<Object> onGetStatus(GetStatus command) {
    Map<String, Long> counters = loop.counters().snapshot();
    counters.put("late-records", core.lateRecords());
    for (Counter counter : Counter.values()) {
      counters.put("bridge-" + counter.name().toLowerCase(Locale.ROOT), core.counter(counter));
    }
    command
        .replyTo()
        .tell(
            new Status(
                core.libraryName(), core.census().snapshot(), core.tasksInFlight(), counters));
    return Behaviors.same();
  }

  private Behavior<Object> onStop(Stop command) {
    stopRequesters.add(command.replyTo());
    stopDeadlineNs = core.nowNs() + settings.stopDeadline().toNanos();
    core.pools().stopLending();
    contexts.stopAll();
    timers.startSingleTimer(Tick.STOP_DEADLINE, Tick.STOP_DEADLINE, settings.stopDeadline());
    return stepTowardsStop(stopping());
  }

  private Behavior<Object> onFurtherStop(Stop command) {
    stopRequesters.add(command.replyTo());
    return Behaviors.same();
  }

  private Behavior<Object> onTerminatedWhileStopping(Terminated signal) {
    forget(signal.getRef());
    return stepTowardsStop(Behaviors.same());
  }

  private Behavior<Object> onStoppingTick() {
    return stepTowardsStop(Behaviors.same());
  }

  /**
   * Finishes when every child has sent Terminated and nothing native or leased is left. Otherwise
   * checks again later.
   */
  private Behavior<Object> stepTowardsStop(Behavior<Object> otherwise) {
    if (!contexts.isEmpty()) {
      return otherwise;
    }
    if (core.isVacant()) {
      return finish();
    }
    timers.startSingleTimer(Tick.STOPPING, Tick.STOPPING, STOP_POLL);
    return otherwise;
  }

  private Behavior<Object> finish() {
    close();
    return Behaviors.stopped();
  }

  /**
   * Handles the end of the actor. If the parent or the actor system stops or restarts the engine,
   * this method does the work of Stop. After a Stop message it finds nothing to do.
   */
  private Behavior<Object> letGo() {
    if (!core.isClosed()) {
      core.pools().stopLending();
      core.abandonAll();
      reap(
          stopRequesters.isEmpty()
              ? core.nowNs() + settings.stopDeadline().toNanos()
              : stopDeadlineNs);
      close();
    }
    return Behaviors.same();
  }

  /**
   * Progresses the device until nothing native or leased is left, or the deadline passes. The
   * engine receives no more messages. This method runs the other actors of the thread, because they
   * may hold leases.
   */
  private void reap(long deadlineNs) {
    try {
      while (!core.isVacant() && core.nowNs() - deadlineNs < 0) {
        pools.releaseOfEnded();
        if (loop.runWaiting() + core.turn(core.nowNs(), 0) == 0) {
          core.awaitOrPark();
        }
      }
    } catch (RuntimeException | Error e) {
      context
          .getLog()
          .error(
              "the progress engine failed while its contexts were stopping; the contexts stay open",
              e);
    }
  }

  /** Closes the remaining resources and answers every pending command. */
  private void close() {
    String left = core.close();
    loop.detach();
    if (left != null) {
      context.getLog().error("engine {} stopped with open resources: {}", name(), left);
    }
    contexts.refuseAll();
    Stopped stopped = new Stopped(left == null, left == null ? "empty" : left);
    deadRequests.ended(context.getSelf(), stopped);
    stopRequesters.forEach(requester -> requester.tell(stopped));
    stopRequesters.clear();
  }

  private String name() {
    return context.getSelf().path().name();
  }
}
