package io.dpuactors.testkit;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.OpenTasks;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** Actor of a {@link ScriptedEngine}. */
final class ScriptedEngineBehavior {
  /** Lets a stopping engine look for leases that were released. */
  private enum Look implements LocalMessage {
    INSTANCE
  }

  /** The time of a stop is over. */
  private enum Deadline implements LocalMessage {
    INSTANCE
  }

  private static final Duration LOOK_INTERVAL = Duration.ofMillis(10);

  private final ActorTestKit kit;
  private final Map<String, ScriptedContext<?>> prepared;
  private final Script script;
  private final ActorRef<EngineProtocol.Command> observer;
  private final ActorContext<LocalMessage> context;
  private final TimerScheduler<LocalMessage> timers;
  private final ScriptedMemory memory;
  private final Map<String, ActorRef<?>> contexts = new HashMap<>();
  private final List<Stop> stops = new ArrayList<>();
  private boolean isStopping;

  private ScriptedEngineBehavior(
      ActorTestKit kit,
      Map<String, ScriptedContext<?>> prepared,
      Script script,
      ActorRef<EngineProtocol.Command> observer,
      ActorContext<LocalMessage> context,
      TimerScheduler<LocalMessage> timers) {
    this.kit = kit;
    this.prepared = prepared;
    this.script = script;
    this.observer = observer;
    this.context = context;
    this.timers = timers;
    this.memory = new ScriptedMemory(this::isContext, context::watch);
  }

  static Behavior<EngineProtocol.Command> create(
      ActorTestKit kit,
      Map<String, ScriptedContext<?>> prepared,
      Script script,
      ActorRef<EngineProtocol.Command> observer) {
    return Behaviors.<LocalMessage>setup(
            context ->
                Behaviors.withTimers(
                    timers ->
                        new ScriptedEngineBehavior(kit, prepared, script, observer, context, timers)
                            .behavior()))
        .narrow();
  }

  private Behavior<LocalMessage> behavior() {
    return Behaviors.receive(LocalMessage.class)
        .onMessageEquals(Look.INSTANCE, () -> endIfClosed(false))
        .onMessageEquals(Deadline.INSTANCE, () -> endIfClosed(true))
        .onMessage(Stop.class, this::onStop)
        .onMessage(Request.class, this::onRequest)
        .onSignal(Terminated.class, this::onEnd)
        .build();
  }

  private Behavior<LocalMessage> onRequest(Request request) {
    observer.tell((EngineProtocol.Command) request);
    if (script.reactionTo(request) instanceof Reaction.Fail failure) {
      request.refuse(error(failure.code(), "a failure of the script"));
    } else if (request instanceof GetStatus query) {
      query
          .replyTo()
          .tell(new Status("scripted engine", memory.open(contexts.size()), 0, Map.of()));
    } else if (request instanceof MemoryProtocol.Command command) {
      memory.on(command, isStopping);
    } else if (isStopping) {
      request.refuse(error(DocaCode.SHUTDOWN, "the engine is stopping"));
    } else if (request instanceof OpenTasks<?> open) {
      open(open);
    } else {
      request.refuse(error(DocaCode.NOT_SUPPORTED, "a scripted engine has contexts of tasks only"));
    }
    return Behaviors.same();
  }

  private boolean isContext(ActorRef<?> actor) {
    return contexts.containsValue(actor)
        || prepared.values().stream().anyMatch(one -> one.ref().equals(actor));
  }

  private <C> void open(OpenTasks<C> command) {
    if (contexts.containsKey(command.name())) {
      command.refuse(error(DocaCode.ALREADY_EXIST, "a context of this name is open"));
      return;
    }
    ScriptedContext<?> ready = prepared.remove(command.name());
    ActorRef<C> opened =
        (ready == null ? ScriptedContext.of(command.library(), kit) : ready).ref().unsafeUpcast();
    contexts.put(command.name(), opened);
    context.watch(opened);
    command.opened(opened);
  }

  private Behavior<LocalMessage> onEnd(Terminated end) {
    contexts.values().remove(end.getRef());
    memory.onOwnerEnded(end.getRef());
    return isStopping ? endIfClosed(false) : Behaviors.same();
  }

  private Behavior<LocalMessage> onStop(Stop stop) {
    observer.tell(stop);
    stops.add(stop);
    if (!isStopping) {
      isStopping = true;
      memory.stopLending();
      contexts.values().forEach(one -> one.<LocalMessage>unsafeUpcast().tell(new Stop()));
      timers.startTimerWithFixedDelay(Look.INSTANCE, LOOK_INTERVAL);
      timers.startSingleTimer(
          Deadline.INSTANCE,
          context.getSystem().settings().config().getDuration("dpu.engine.stop-deadline"));
    }
    return endIfClosed(false);
  }

  private Behavior<LocalMessage> endIfClosed(boolean isLate) {
    boolean isClean = contexts.isEmpty() && memory.isReturned();
    if (!isClean && !isLate) {
      return Behaviors.same();
    }
    Stopped stopped = isClean ? Stopped.CLEAN : new Stopped(false, memory.census());
    memory.close();
    stops.forEach(stop -> stop.replyTo().ifPresent(requester -> requester.tell(stopped)));
    return Behaviors.stopped();
  }

  private static DocaError error(DocaCode code, String why) {
    return DocaError.of("scripted engine", code.value(), why);
  }
}
