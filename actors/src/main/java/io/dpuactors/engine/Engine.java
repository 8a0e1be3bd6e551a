package io.dpuactors.engine;

import com.typesafe.config.Config;
import io.dpuactors.bridge.Counter;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.comch.ComchClient;
import io.dpuactors.comch.ComchServer;
import io.dpuactors.context.CompressContext;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.DmaContext;
import io.dpuactors.context.OpenContexts;
import io.dpuactors.loop.EngineDispatchers;
import io.dpuactors.loop.EngineLoop;
import io.dpuactors.loop.EngineSettings;
import io.dpuactors.node.EngineCore;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol.Command;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.MemoryCommand;
import io.dpuactors.protocol.EngineProtocol.Open;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.EngineProtocol.OpenFailed;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.EngineProtocol.Stop;
import io.dpuactors.protocol.EngineProtocol.Stopped;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.comch.ServerProtocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The actor of a progress engine: parent and supervisor of every context on it.
 *
 * <p>It lives on an engine dispatcher, whose one thread progresses the device. On {@link Stop} it
 * asks its contexts to stop, waits for all their {@code Terminated} signals, then for the memory
 * that was leased, closes what it owns, reports the census, and ends.
 */
public final class Engine {
  private static final Duration STOP_POLL = Duration.ofMillis(1);

  /** What the engine tells itself. */
  private enum Tick {
    STOPPING,
    STOP_DEADLINE
  }

  /** An Open command has taken too long. */
  private record OpenDeadline(ActorRef<?> context) {}

  private final ActorContext<Object> context;
  private final TimerScheduler<Object> timers;
  private final EngineSettings settings;
  private final EngineLoop loop;
  private final EngineCore core;
  private final OpenContexts contexts = new OpenContexts();
  private final PoolRequests pools;
  private final List<ActorRef<Stopped>> stopRequesters = new ArrayList<>();

  private Engine(ActorContext<Object> context, TimerScheduler<Object> timers) {
    this.context = context;
    this.timers = timers;
    this.settings = EngineSettings.from(context.getSystem().settings().config());
    this.loop = EngineLoop.current();
    this.core = EngineCore.open(DocaLibrary.load(settings.library()), settings, System::nanoTime);
    this.pools = new PoolRequests(core, context::watch);
    try {
      loop.attach(core);
    } catch (IllegalStateException e) {
      core.close();
      throw e;
    }
    DeadRequests.answerFor(context.getSelf(), context.getSystem());
  }

  /**
   * The behavior of an engine. It must run on an engine dispatcher: use {@link #spawn} unless you
   * configure one yourself (as {@code dpu.engine-dispatcher} does).
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
   * Spawns an engine as a child, on a dispatcher and thread of its own.
   *
   * @param name of the child and, prefixed with {@code dpu-engine-}, of the thread; unique in the
   *     actor system
   */
  public static ActorRef<Command> spawn(ActorContext<?> parent, String name) {
    EngineSettings.from(parent.getSystem().settings().config());
    return parent.spawn(create(), name, EngineDispatchers.select(parent.getSystem(), name));
  }

  private Behavior<Object> running() {
    return Behaviors.receive(Object.class)
        .onMessage(OpenCompress.class, this::onOpenCompress)
        .onMessage(OpenDma.class, this::onOpenDma)
        .onMessage(OpenComchServer.class, this::onOpenComchServer)
        .onMessage(OpenComchClient.class, this::onOpenComchClient)
        .onMessage(MemoryCommand.class, this::onMemoryCommand)
        .onMessage(GetStatus.class, this::onGetStatus)
        .onMessage(ContextEvent.Running.class, this::onRunning)
        .onMessage(ContextEvent.StartFailed.class, this::onStartFailed)
        .onMessage(OpenDeadline.class, this::onOpenDeadline)
        .onMessage(Stop.class, this::onStop)
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PreRestart.class, signal -> letGo())
        .onSignal(PostStop.class, signal -> letGo())
        .build();
  }

  /** Contexts are stopping, or have stopped; nothing new is opened. */
  private Behavior<Object> stopping() {
    return Behaviors.receive(Object.class)
        .onMessage(Open.class, this::refuseOpen)
        .onMessage(MemoryCommand.class, this::onMemoryCommandWhileStopping)
        .onMessage(GetStatus.class, this::onGetStatus)
        .onMessage(ContextEvent.class, event -> Behaviors.same())
        .onMessage(OpenDeadline.class, deadline -> Behaviors.same())
        .onMessage(Stop.class, this::onFurtherStop)
        .onMessageEquals(Tick.STOPPING, this::onStoppingTick)
        .onMessageEquals(Tick.STOP_DEADLINE, this::finish)
        .onSignal(Terminated.class, this::onTerminatedWhileStopping)
        .onSignal(PreRestart.class, signal -> letGo())
        .onSignal(PostStop.class, signal -> letGo())
        .build();
  }

  private Behavior<Object> onOpenCompress(OpenCompress command) {
    return open(
        command,
        () -> CompressContext.supervised(config(), core, command.options(), self()),
        CompressProtocol.Stop.INSTANCE);
  }

  private Behavior<Object> onOpenDma(OpenDma command) {
    return open(
        command,
        () -> DmaContext.supervised(config(), core, command.options(), self()),
        DmaProtocol.Stop.INSTANCE);
  }

  private Behavior<Object> onOpenComchServer(OpenComchServer command) {
    return open(
        command,
        () -> ComchServer.supervised(config(), core, command.options(), self()),
        ServerProtocol.Stop.INSTANCE);
  }

  private Behavior<Object> onOpenComchClient(OpenComchClient command) {
    return open(
        command,
        () -> ComchClient.supervised(config(), core, command.options(), self()),
        ConnectionProtocol.Stop.INSTANCE);
  }

  private Config config() {
    return context.getSystem().settings().config();
  }

  private ActorRef<ContextEvent> self() {
    return context.getSelf().narrow();
  }

  private <C> Behavior<Object> open(Open<C> command, Supplier<Behavior<C>> behavior, C stop) {
    if (context.getChild(command.name()).isPresent()) {
      return refuse(command, DocaCode.ALREADY_EXIST, "a context of this name is open");
    }
    ActorRef<C> child;
    try {
      child = context.spawn(behavior.get(), command.name(), DispatcherSelector.sameAsParent());
    } catch (IllegalArgumentException e) {
      return refuse(command, DocaCode.INVALID_VALUE, String.valueOf(e.getMessage()));
    }
    context.watch(child);
    contexts.add(command.name(), command.replyTo(), child, stop, command.goesOn());
    timers.startSingleTimer(child, new OpenDeadline(child), settings.openDeadline());
    return Behaviors.same();
  }

  private Behavior<Object> onRunning(ContextEvent.Running event) {
    timers.cancel(event.context());
    contexts.running(event.context());
    return Behaviors.same();
  }

  private Behavior<Object> onStartFailed(ContextEvent.StartFailed event) {
    openFailed(event.context(), event.error());
    return Behaviors.same();
  }

  private Behavior<Object> onOpenDeadline(OpenDeadline deadline) {
    contexts.late(
        deadline.context(),
        DocaError.of(
            "open",
            DocaCode.TIME_OUT.value(),
            "not running within " + settings.openDeadline().toMillis() + " ms"));
    return Behaviors.same();
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    forget(signal.getRef());
    return Behaviors.same();
  }

  private void forget(ActorRef<?> child) {
    pools.onTerminated(child);
    openFailed(
        child,
        DocaError.of(
            "open", DocaCode.SHUTDOWN.value(), child.path().name() + " ended before it ran"));
    contexts.remove(child);
  }

  private void openFailed(ActorRef<?> child, DocaError error) {
    timers.cancel(child);
    contexts.failed(child, error);
  }

  private Behavior<Object> refuseOpen(Open<?> command) {
    return refuse(command, DocaCode.SHUTDOWN, "the engine is stopping");
  }

  private static <C> Behavior<Object> refuse(Open<C> command, DocaCode code, String why) {
    command
        .replyTo()
        .tell(
            new OpenFailed<>(
                command.name(), DocaError.of("open", code.value(), command.name() + ": " + why)));
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
   * Ends when every child has sent Terminated and nothing native or leased is left; otherwise goes
   * on waiting.
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
    String left = close();
    stopRequesters.forEach(
        requester -> requester.tell(new Stopped(left == null, left == null ? "empty" : left)));
    return Behaviors.stopped();
  }

  /**
   * Reached without a Stop message, too: when the engine is restarted, or the actor system ends.
   * Nobody progresses the device afterwards, so that this waits, for the stop-deadline at most.
   */
  private Behavior<Object> letGo() {
    core.reap(System.nanoTime() + settings.stopDeadline().toNanos());
    close();
    return Behaviors.same();
  }

  private @Nullable String close() {
    String left = core.close();
    loop.detach();
    if (left != null) {
      context
          .getLog()
          .error("engine {} stopped, but left open: {}", context.getSelf().path().name(), left);
    }
    return left;
  }
}
