package io.dpuactors.engine;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.comch.ComchClient;
import io.dpuactors.comch.ComchServer;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.OpenContexts;
import io.dpuactors.context.TaskContext;
import io.dpuactors.node.EngineCore;
import io.dpuactors.protocol.EngineProtocol.Open;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.EngineProtocol.OpenSyncEvent;
import io.dpuactors.protocol.EngineProtocol.OpenTasks;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.rdma.RdmaContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The contexts of an engine. Tracks each from its Open command, which gets exactly one answer, to
 * its Terminated signal. Engine's thread.
 */
final class EngineContexts {
  /** Fires when an Open command has exceeded its deadline. */
  private record OpenDeadline(ActorRef<?> context) implements LocalMessage {}

  private final ActorContext<Object> context;
  private final TimerScheduler<Object> timers;
  private final EngineCore core;
  private final Duration openDeadline;
  private final OpenContexts contexts = new OpenContexts();
  private final Map<ActorRef<?>, String> devices = new HashMap<>();

  /**
   * Creates an empty set of contexts.
   *
   * @param context of the engine
   * @param openDeadline longest time from an Open command to its answer
   */
  EngineContexts(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      EngineCore core,
      Duration openDeadline) {
    this.context = context;
    this.timers = timers;
    this.core = core;
    this.openDeadline = openDeadline;
  }

  /** Adds the handlers of a running engine. */
  BehaviorBuilder<Object> open(BehaviorBuilder<Object> builder) {
    return builder
        .onMessage(OpenTasks.class, this::onOpenTasks)
        .onMessage(OpenSyncEvent.class, this::onOpenSyncEvent)
        .onMessage(OpenComchServer.class, this::onOpenComchServer)
        .onMessage(OpenComchClient.class, this::onOpenComchClient)
        .onMessage(OpenRdma.class, this::onOpenRdma)
        .onMessage(ContextEvent.Running.class, this::onRunning)
        .onMessage(ContextEvent.StartFailed.class, this::onStartFailed)
        .onMessage(OpenDeadline.class, this::onOpenDeadline);
  }

  /** Adds the handlers of a stopping engine, which refuse Open commands. */
  BehaviorBuilder<Object> closing(BehaviorBuilder<Object> builder) {
    return builder
        .onMessage(Open.class, this::refuseOpen)
        .onMessage(ContextEvent.class, event -> Behaviors.same())
        .onMessage(OpenDeadline.class, deadline -> Behaviors.same());
  }

  /** Asks all contexts to stop. */
  void stopAll() {
    contexts.stopAll();
  }

  /** Refuses all unanswered Open commands, because the engine ends. */
  void refuseAll() {
    contexts.failAll(
        DocaError.of("open", DocaCode.SHUTDOWN.value(), "the engine ended before the context ran"));
  }

  /** Returns whether every context has sent Terminated. */
  boolean isEmpty() {
    return contexts.isEmpty();
  }

  /** Removes an actor that has ended. Does nothing if it is not a context. */
  void forget(ActorRef<?> child) {
    openFailed(
        child,
        DocaError.of(
            "open", DocaCode.SHUTDOWN.value(), child.path().name() + " ended before it ran"));
    contexts.remove(child);
    devices.remove(child);
  }

  /** Returns the PCI address of a context of tasks; empty if it has not run or has ended. */
  Optional<String> device(ActorRef<?> contextOfTasks) {
    return Optional.ofNullable(devices.get(contextOfTasks));
  }

  private Behavior<Object> onOpenTasks(OpenTasks<?> command) {
    return openTasks(command);
  }

  private <C> Behavior<Object> openTasks(OpenTasks<C> command) {
    return open(
        command,
        () -> TaskContext.supervised(command.library(), config(), core, command.options(), self()));
  }

  private Behavior<Object> onOpenSyncEvent(OpenSyncEvent command) {
    return open(command, () -> TaskContext.supervised(config(), core, command.options(), self()));
  }

  private Behavior<Object> onOpenComchServer(OpenComchServer command) {
    return open(command, () -> ComchServer.supervised(config(), core, command.options(), self()));
  }

  private Behavior<Object> onOpenComchClient(OpenComchClient command) {
    return open(command, () -> ComchClient.supervised(config(), core, command.options(), self()));
  }

  private Behavior<Object> onOpenRdma(OpenRdma command) {
    return open(command, () -> RdmaContext.supervised(config(), core, command.options(), self()));
  }

  private Config config() {
    return context.getSystem().settings().config();
  }

  private ActorRef<ContextEvent> self() {
    return context.getSelf().narrow();
  }

  private <C> Behavior<Object> open(Open<C> command, Supplier<Behavior<C>> behavior) {
    ActorRef<C> child =
        contexts.open(
            context, command, () -> AnswerWatch.ifEnabled(context.getSystem(), behavior.get()));
    if (child != null) {
      timers.startSingleTimer(child, new OpenDeadline(child), openDeadline);
    }
    return Behaviors.same();
  }

  private Behavior<Object> refuseOpen(Open<?> command) {
    OpenContexts.refuse(command, DocaCode.SHUTDOWN, "the engine is stopping");
    return Behaviors.same();
  }

  private Behavior<Object> onRunning(ContextEvent.Running event) {
    timers.cancel(event.context());
    event.device().ifPresent(address -> devices.put(event.context(), address));
    contexts.running(event.context());
    return Behaviors.same();
  }

  private Behavior<Object> onStartFailed(ContextEvent.StartFailed event) {
    openFailed(event.context(), event.error());
    return Behaviors.same();
  }

  private void openFailed(ActorRef<?> child, DocaError error) {
    timers.cancel(child);
    contexts.failed(child, error);
  }

  private Behavior<Object> onOpenDeadline(OpenDeadline deadline) {
    contexts.late(
        deadline.context(),
        DocaError.of(
            "open",
            DocaCode.TIME_OUT.value(),
            "the context did not run within " + openDeadline.toMillis() + " ms"));
    return Behaviors.same();
  }
}
